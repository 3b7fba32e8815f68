import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ACCOUNT, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { makeWorld, START } from '../../../../test/support/world.ts';
import type { AccountName, EcpdId } from '../../../kernel/account-name.ts';
import { sql } from '../../../platform/db/sql.ts';
import { noteRules } from '../../device-management/sql-rule-change.ts';
import { toWireAlerts } from '../query-alerts.ts';
import type { WireAlert } from '../schemas.ts';
import { listAlerts } from '../sql-alert.ts';

export const MINUTE = 60_000;
export const ECPD = '9000001';

const DEVICES = 20;

/** The time this many minutes after the start, where the clock of a world stands. */
export const at = (minutes: number): string => new Date(START.getTime() + minutes * MINUTE).toISOString();

export const imeiOf = (n: number): string => `9912000000${String(n).padStart(5, '0')}`;

export const hotter = (value: number) => ({ field: 't', operator: 'gt', value });

interface RuleFields {
  readonly rulechain?: object;
  readonly rulesyntax?: string;
  readonly disabled?: boolean;
}

/** Gives each test devices of its own, so that the tests of a file share one world. */
export async function makeScene() {
  const world = await makeWorld();
  await world.import({
    ...SMALL_FLEET,
    devices: [
      ...SMALL_FLEET.devices,
      ...Array.from({ length: DEVICES }, (_, n) => ({ accountName: ACCOUNT, imei: imeiOf(n) })),
    ],
  });
  const { db } = world.ctx;
  const tenant = { ecpdId: ECPD as EcpdId, accountName: ACCOUNT as AccountName };
  let devices = 0;

  const deviceIdOf = async (n: number) =>
    (
      await db.one<{ id: string }>(
        sql`select device_id as id from device_identifier where kind = 'imei' and value = ${imeiOf(n)}`,
      )
    ).id;

  /** Adds a device with one rule, written like any rule but without a notification; returns the device's number. */
  async function withRule(rulechain: object, more: RuleFields = {}): Promise<number> {
    const n = devices++;
    const record = { name: `rule ${n}`, rulesyntax: 'json', rulechain, ...more };
    await db.exec(sql`
      with written as (
        insert into rule (ecpd_id, account_name, rule_id, device_id, record, foreign_id, created_on, last_updated, version,
          version_id)
        values (${ECPD}, ${ACCOUNT}, gen_random_uuid(), ${await deviceIdOf(n)}, ${record}, gen_random_uuid(),
          ${world.clock.now()}, ${world.clock.now()}, 1, gen_random_uuid())
        returning account_name, rule_id, device_id),
      ${noteRules(ECPD)}
      select 1`);
    await world.watcher.settle();
    return n;
  }

  const writeRule = async (n: number, more: RuleFields) =>
    db.exec(sql`
      with written as (
        update rule set record = record || ${JSON.stringify(more)}::jsonb, version = version + 1, version_id = ${randomUUID()}
        where ecpd_id = ${ECPD} and device_id = ${await deviceIdOf(n)}
        returning account_name, rule_id, device_id),
      ${noteRules(ECPD)}
      select 1`);

  const changeRule = async (n: number, more: RuleFields) => {
    await writeRule(n, more);
    await world.watcher.settle();
  };

  const feedText = (body: string) => world.operator('POST', '/readings', body);

  /** Feeds values of field t by minute; moves the clock to the last of them if it is not there yet. */
  async function feed(n: number, ...readings: readonly (readonly [minute: number, t: unknown])[]) {
    const last = Math.max(...readings.map(([minute]) => minute));
    const lead = Date.parse(at(last)) - world.clock.now().getTime();
    if (lead > 0) world.pass(lead);
    const answer = await feedText(
      JSON.stringify(
        readings.map(([minute, t]) => ({ kind: 'imei', device: imeiOf(n), at: at(minute), values: { t } })),
      ),
    );
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json();
  }

  const alertsOf = async (n: number): Promise<WireAlert[]> => {
    const page = { after: undefined, skip: 0, limit: 100 };
    const ofDevice = sql`a.device_id = (
      select device_id from device_identifier where kind = 'imei' and value = ${imeiOf(n)})`;
    return toWireAlerts(world.ctx, tenant, await listAlerts(db, tenant, [ofDevice], page));
  };

  /** A device's alerts, oldest first, as the minutes in which each was raised and cleared. */
  const story = async (n: number) => {
    const minute = (moment: unknown) =>
      moment === null ? null : (Date.parse(String(moment)) - START.getTime()) / MINUTE;
    return (await alertsOf(n))
      .map(({ raisedon, clearedon }) => [minute(raisedon), minute(clearedon)] as const)
      .sort(([a], [b]) => a! - b!);
  };

  /** Both messages about an alert; the order of two with the same time is not guaranteed. */
  const callbacks = async (alertId: unknown) =>
    (
      await db.many<{ payload: string }>(
        sql`select payload from callback_message where request_id = ${String(alertId)} order by message_id`,
      )
    )
      .map(({ payload }) => JSON.parse(payload).deviceResponse.alertServiceResponse)
      .sort((a, b) => b.state.localeCompare(a.state));

  return {
    world,
    tenant,
    deviceIdOf,
    withRule,
    writeRule,
    changeRule,
    feed,
    feedText,
    alertsOf,
    story,
    callbacks,
  };
}
