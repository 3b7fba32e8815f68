import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openTestDatabase } from '../../../../test/support/database.ts';
import { ACCOUNT, asUser, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { untilWaiting } from '../../../../test/support/lock-waits.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { inTx } from '../../../platform/context/context.ts';
import { type Query, sql } from '../../../platform/db/sql.ts';
import { deleteDevices } from '../../devices/index.ts';
import { TENANT } from './scene.ts';

const world = await makeWorld();
const { db } = world.ctx;
// The world's own connections serve the competing calls.
const other = openTestDatabase(world.databaseUrl, { connections: 2 });
after(() => other.close());

const accountName = ACCOUNT;
// The two kinds of identifiers sort the pair in opposite orders.
const PAIR = [
  { imei: '990000000000601', meid: 'A0000012345602' },
  { imei: '990000000000602', meid: 'A0000012345601' },
] as const;
const THIRD = { imei: '990000000000603' };
const statusOf = async (call: PromiseLike<{ statusCode: number }>) => (await call).statusCode;

/** The fleet, with the pair listed under one kind of identifier. */
async function begin(kind: 'imei' | 'meid') {
  const devices = [...PAIR, THIRD].map((ids) => ({ accountName, ...ids }));
  await world.import({ ...SMALL_FLEET, devices });
  const { call } = await asUser(world);
  const listed = PAIR.map((ids) => ids[kind]);
  const list = (exclusion: readonly string[]) => call('POST', '/loc/v1/consents', { accountName, exclusion });
  assert.equal(await statusOf(list(listed)), 200);
  return {
    'a replaced list': () => list([THIRD.imei]),
    'a removal': () => call('DELETE', `/loc/v1/consents?accountName=${accountName}&deviceList=${listed}`),
    'an imported list': () =>
      world.operator('POST', '/import', { exclusions: [{ accountName, imeis: [THIRD.imei] }] }),
    'levels of single devices': () =>
      call('POST', '/loc/v1/devicelocations/action/consents', {
        accountName,
        deviceList: [{ id: THIRD.imei, kind: 'IMEI', consent: '3' }],
      }),
    'imported levels': () =>
      world.operator('POST', '/import', {
        consents: [{ accountName, level: 3, devices: [{ imei: THIRD.imei, level: 2 }] }],
      }),
  };
}
const CHANGES = ['a replaced list', 'a removal', 'an imported list'] as const;
const LEVELS = ['levels of single devices', 'imported levels'] as const;

/** Both start while another transaction has locked what the first one needs, and continue together. */
async function race(locking: Query, first: () => Promise<unknown>, second: () => Promise<unknown>) {
  const started = await other.tx(async (tx) => {
    await tx.exec(locking);
    const one = first();
    await untilWaiting(db, { count: 1, unless: one });
    const two = second();
    await untilWaiting(db, { count: 2, unless: Promise.any([one, two]) });
    return { one, two };
  });
  return Promise.all([started.one, started.two]);
}

describe('a deletion of an account', () => {
  for (const name of [...CHANGES, ...LEVELS])
    it(`and ${name} do not deadlock`, async () => {
      const changes = await begin('imei');
      const [changed, deleted] = await race(
        sql`select 1 from device where ecpd_id = ${TENANT.ecpdId} and account_name = ${accountName} for update`,
        () => statusOf(changes[name]()),
        () => statusOf(world.operator('DELETE', `/accounts/${accountName}`)),
      );
      assert.equal(deleted, 200);
      // A change that the deletion overtakes is refused like one of an unknown device.
      assert.ok(changed === 200 || changed === 400 || changed === 422, String(changed));
    });
});

describe('a deletion of many devices', () => {
  for (const name of CHANGES)
    for (const kind of ['imei', 'meid'] as const)
      it(`and ${name} do not deadlock, listed by ${kind}`, async () => {
        const changes = await begin(kind);
        const devices = await db.many<{ id: string }>(sql`
          select device_id as id from device where imei = any(${PAIR.map(({ imei }) => imei)}) order by device_id`);
        const ids = devices.map(({ id }) => id);
        const [changed] = await race(
          sql`select 1 from excluded_device where ecpd_id = ${TENANT.ecpdId} and account_name = ${accountName} for update`,
          () => statusOf(changes[name]()),
          () => inTx(world.ctx, (tx) => deleteDevices(tx, TENANT, ids, async () => {})),
        );
        assert.equal(changed, 200);
        assert.equal(
          (await db.many(sql`select 1 from device where device_id = any(${ids}::uuid[])`)).length,
          0,
        );
      });
});
