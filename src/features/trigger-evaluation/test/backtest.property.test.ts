import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../../../../test/support/cases.ts';
import { asUser, CLIENT } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { A, ACCOUNTS, ALLOWANCE, accountOf, B, batteryOf, ECPD, IMEIS, KB, notification } from './battery.ts';

const OWNER = { username: 'owner', password: 'owner-password' };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const world = await makeWorld();
await world.import({
  profiles: [{ ecpdId: ECPD }],
  accounts: Object.entries(ACCOUNTS).map(([accountName, account]) => ({
    accountName,
    ecpdId: ECPD,
    ...account,
  })),
  clients: [CLIENT],
  users: [{ ...OWNER, accounts: [A, B] }],
  plans: [
    { code: 'P', carrierServicePlanCode: 'CARRIER-P', name: 'P', kind: 'share', allowanceBytes: ALLOWANCE },
  ],
  ratePlanGroups: [{ ratePlanGroupId: 7, ecpdId: ECPD, planCodes: ['P'], accounts: [A, B] }],
  devices: IMEIS.map((imei) => ({
    accountName: accountOf(imei),
    imei,
    servicePlan: 'P',
    planSince: '2025-01-01T00:00:00Z',
  })),
});
const { db } = world.ctx;

/** Every trigger of the battery, with the id under which it is evaluated for arriving usage. */
const TRIGGERS = batteryOf(false).map(({ document }) => {
  const { triggerId, ...pricePlanTrigger } = document as { triggerId: string };
  return { triggerId, pricePlanTrigger };
});

async function startOver(): Promise<void> {
  await db.exec(sql`truncate usage_record, usage_device_month, usage_account_day, usage_bill_day`);
  await db.exec(sql`truncate firing`);
  await db.exec(sql`delete from price_plan_trigger`);
  await world.import({
    pricePlanTriggers: TRIGGERS.map((trigger, n) => ({
      ...trigger,
      triggerName: `t${n}`,
      ecpdId: ECPD,
      notification,
    })),
  });
}

const Batches = fc.array(
  fc.record({
    /** The time since the previous batch. */
    afterHours: fc.integer({ min: 0, max: 24 * 6 }),
    usage: fc.array(
      fc.record({
        imei: fc.constantFrom(...IMEIS),
        /** How long before its batch. */
        agoHours: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 24 * 35 })),
        bytes: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.constantFrom(0, 1, KB, 3 * KB)),
        repeats: fc.boolean(),
      }),
      { minLength: 1, maxLength: 25 },
    ),
  }),
  { minLength: 1, maxLength: 6 },
);

interface Comparable {
  readonly subject: string;
  readonly levelKind: string;
  readonly level: number;
  readonly from: string;
  readonly before: number;
  readonly after: number;
  readonly usageRecordId: string;
  readonly late: boolean;
}

async function firedBy(triggerId: string): Promise<Comparable[]> {
  const rows = await db.many<Comparable & { cycleFrom: Date }>(sql`
    select subject, level_kind as "levelKind", level::float8 as level, cycle_from as "cycleFrom",
      counted_before::float8 as before, counted_after::float8 as after, usage_record_id as "usageRecordId", late
    from firing where trigger_id = ${triggerId}`);
  return rows.map(({ cycleFrom, ...row }) => ({ ...row, from: cycleFrom.toISOString() }));
}
const sorted = (list: readonly Comparable[]) =>
  list
    .map(({ subject, levelKind, level, from, before, after, usageRecordId, late }) =>
      [subject, levelKind, level, from, before, after, usageRecordId, late].join(' '),
    )
    .sort();

describe('a backtest', () => {
  // proves price-plan-triggers/back-test
  it('returns what the existing trigger fired, for any usage in any order', async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 60 }), Batches, async (startDay, batches) => {
        const startMs = Date.UTC(2026, 0, 20 + startDay);
        world.clock.holdAt(new Date(startMs));
        await startOver();
        made++;
        for (const { afterHours, usage } of batches) {
          world.pass(afterHours * HOUR_MS);
          const nowMs = world.clock.now().getTime();
          const records = usage.map(({ imei, agoHours, bytes, repeats }) => {
            if (!repeats) made++;
            const at = new Date(nowMs - agoHours * HOUR_MS).toISOString();
            return { id: String(made).padStart(9, '0'), kind: 'imei', device: imei, at, bytes };
          });
          assert.equal((await world.operator('POST', '/usage', records)).statusCode, 200);
        }
        const { call } = await asUser(world, OWNER);
        const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
        const period = {
          from: dayOf(startMs - 37 * DAY_MS),
          to: dayOf(world.clock.now().getTime() + DAY_MS),
        };
        for (const { triggerId, pricePlanTrigger } of TRIGGERS) {
          const answer = await call('POST', '/m2m/v2/triggers/actions/backtest', {
            pricePlanTrigger,
            period,
          });
          assert.equal(answer.statusCode, 200, answer.body);
          const { firings, truncated } = answer.json();
          assert.equal(truncated, false);
          const replayed = firings.map((firing: Comparable & { cycle: { from: string } }) => ({
            ...firing,
            from: firing.cycle.from,
          }));
          assert.deepEqual(sorted(replayed), sorted(await firedBy(triggerId)));
        }
      }),
      { numRuns: casesOf({ everyday: 3, all: 12 }), endOnFailure: true },
    );
  });
});
