import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openTestDatabase } from '../../../../test/support/database.ts';
import { ACCOUNT, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { untilWaiting } from '../../../../test/support/lock-waits.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { type Ctx, inTx } from '../../../platform/context/context.ts';
import { sql } from '../../../platform/db/sql.ts';
import { deleteDevices, setStates } from '../index.ts';

const imei = (n: number) => `9977000000${String(n).padStart(5, '0')}`;
const device = (n: number) => ({ accountName: ACCOUNT, imei: imei(n), servicePlan: 'P-5MB' });
const TENANT = { ecpdId: '9000001', accountName: ACCOUNT } as never;

const world = await makeWorld();
const { db } = world.ctx;
// The world's own connections serve the import and the deletion.
const other = openTestDatabase(world.databaseUrl, { connections: 4 });
after(() => other.close());
await world.import({ ...SMALL_FLEET, devices: [device(0), device(1)] });

const until = (count: number) => untilWaiting(db, { count });
const find = (n: number) =>
  db.maybe<{ id: string; state: string; name: string | null; known: boolean }>(sql`
    select device_id as id, state, record->>'name' as name, exists (
      select from device_identifier di where di.kind = 'imei' and di.value = d.imei and di.device_id = d.device_id) as known
    from device d where imei = ${imei(n)}`);
const idOf = async (n: number) => (await find(n))!.id;

/** Starts an import while another transaction has locked the device; that one continues when the import waits for it. */
async function importDuring(work: (tx: Ctx) => Promise<unknown>, document: object) {
  const { importing } = await inTx(world.ctx, async (tx) => {
    await work(tx);
    const started = world.import(document);
    await until(1);
    return { importing: started };
  });
  await importing;
}

describe('an import of devices', () => {
  it('keeps what a request changed while it waited', async () => {
    const id = await idOf(0);
    await importDuring((tx) => setStates(tx, TENANT, [id], 'suspend'), {
      devices: [{ ...device(0), record: { name: 'meter' } }],
    });
    const { state, name } = (await find(0))!;
    assert.deepEqual([state, name], ['suspend', 'meter']);
  });

  it('restores a device, with its identifiers, that was deleted while it waited', async () => {
    const id = await idOf(1);
    await importDuring((tx) => deleteDevices(tx, TENANT, [id], async () => {}), { devices: [device(1)] });
    assert.deepEqual([(await find(1))?.known, (await find(1))?.state], [true, 'active']);
  });

  it('does not deadlock with a deletion of its account', async () => {
    const { importing, deleting } = await other.tx(async (tx) => {
      // The import has its devices by then, and needs this table next.
      await tx.exec(sql`lock table license in exclusive mode`);
      const statusOf = async (call: ReturnType<typeof world.operator>) => (await call).statusCode;
      const licenses = [{ accountName: ACCOUNT, skuNumber: 'SOME', purchased: 1 }];
      const started = statusOf(world.operator('POST', '/import', { devices: [device(0)], licenses }));
      await until(1);
      const deletion = statusOf(world.operator('DELETE', `/accounts/${ACCOUNT}`));
      await until(2);
      return { importing: started, deleting: deletion };
    });
    assert.deepEqual([await importing, await deleting], [200, 200]);
    assert.equal(await find(0), undefined);
  });
});
