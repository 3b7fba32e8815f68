import assert from 'node:assert/strict';
import { ACCOUNT, asUser, MANAGED, SMALL_FLEET, STRANGER, USER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import type { AccountName, EcpdId } from '../../../kernel/account-name.ts';
import { sql } from '../../../platform/db/sql.ts';

/** A device with all identifiers of the location area, one with each alone, and one that the area cannot name. */
export const TRUCK = { imei: '990000000000111', meid: 'A0000012345671', esn: '80ABCDEF', mdn: '5550100111' };
export const BY_IMEI = { imei: '990000000000112', mdn: '5550100112' };
export const BY_MEID = { meid: 'A0000012345673' };
export const BY_ESN = { esn: '80ABCDE1' };
export const SENSOR = { mac: '00:11:22:33:44:55', kind: 'sensor' };
export const FOREIGN_IMEI = '990000000000029';
export const UNKNOWN_IMEI = '990000000000999';

export const TENANT = { ecpdId: '9000001' as EcpdId, accountName: ACCOUNT as AccountName };

export async function makeScene() {
  const world = await makeWorld();
  const ours = [TRUCK, BY_IMEI, BY_MEID, BY_ESN, SENSOR].map((ids) => ({ accountName: ACCOUNT, ...ids }));
  await world.import({
    ...SMALL_FLEET,
    users: [{ ...USER, accounts: [ACCOUNT, MANAGED] }, ...SMALL_FLEET.users.slice(1)],
    devices: [...ours, ...SMALL_FLEET.devices.filter(({ accountName }) => accountName === STRANGER)],
  });
  const { call } = await asUser(world);
  const { db } = world.ctx;

  const deviceIdOf = async (kind: string, value: string) =>
    (
      await db.one<{ id: string }>(
        sql`select device_id as id from device_identifier where kind = ${kind} and value = ${value}`,
      )
    ).id;
  /** Everything that the feature stores except dates: a refused call must not change it. */
  const readAll = async () =>
    (
      await db.one<{ all: unknown }>(sql`
        select json_build_array(
          (select json_agg(t order by t.account_name) from exclusion_list t),
          (select json_agg(t order by t.identifier) from exclusion t),
          (select json_agg(t order by t.account_name) from consent t),
          (select json_agg(t order by t.device_id) from device_consent t),
          (select json_agg(t order by t.entry_id) from consent_ledger t),
          (select count(*) from job where kind like 'consents.%'),
          (select count(*) from audit_entry where actor_kind = 'user')) as all`)
    ).all;
  /** Checks that a call is refused with exactly this, and that nothing changed. */
  const refused = async (
    answer: ReturnType<typeof call>,
    [status, errorCode, errorMessage]: readonly [number, string, string],
    before: unknown,
  ) => {
    const { statusCode, body } = await answer;
    assert.deepEqual([statusCode, JSON.parse(body)], [status, { errorCode, errorMessage }]);
    assert.deepEqual(await readAll(), before);
  };
  const readLedger = () =>
    db.many<{ change: string; actor: string; identifier: string | null; level: number | null }>(
      sql`select change, actor, identifier, level from consent_ledger where account_name = ${ACCOUNT} order by entry_id`,
    );
  return { ...world, call, db, deviceIdOf, readAll, refused, readLedger };
}
