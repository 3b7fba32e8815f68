import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { demoFleet } from '../../../../demo/fleet.ts';
import { untilWaiting } from '../../../../test/support/lock-waits.ts';
import { makeWorld, START } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { deleteCustomer } from '../customers/delete-customer.ts';

const world = await makeWorld();
const { operator } = world;
const { db } = world.ctx;
const fleet = demoFleet(START);
await world.import(fleet);
const [ECPD, OTHER] = fleet.profiles.map(({ ecpdId }) => ecpdId) as [string, string];

/** The number of a customer's rows, by table. */
async function rowsOf(ecpdId: string): Promise<Record<string, number>> {
  const tables = await db.many<{ name: string }>(sql`
    select c.table_name as name from information_schema.columns c
    join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = 'public' and c.column_name = 'ecpd_id' and t.table_type = 'BASE TABLE' order by 1`);
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const { count } = await db.one<{ count: number }>({
      text: `select count(*)::int as count from ${name} where ecpd_id = $1`,
      values: [ecpdId],
    } as never);
    if (count > 0) found[name] = count;
  }
  return found;
}

const read = async (ecpdId: string) => (await operator('GET', `/customers/${ecpdId}`)).json();
const countOf = (name: 'devices' | 'listeners', accounts: ReadonlySet<string>) =>
  fleet[name].filter(({ accountName }) => accounts.has(accountName)).length;

async function useSomething(): Promise<void> {
  const lines = fleet.devices.filter((device) => device.state === 'active' && 'imei' in device).slice(0, 40);
  const records = lines.map((device, n) => ({
    ...{ id: `deleted-${n}`, kind: 'imei', device: (device as { imei: string }).imei },
    ...{ at: world.ctx.now(), bytes: 8 * 1024 ** 2 },
  }));
  assert.equal((await operator('POST', '/usage', records)).json().accepted, records.length);
  const positions = records.map(({ kind, device, at }) => ({
    kind,
    device,
    at,
    lat: 52,
    lon: 4,
    radius: 10,
  }));
  await operator('POST', '/positions', positions);
  await world.engine.settle();
  await world.watcher.settle();
}

describe('DELETE /operator/v1/customers/{ecpdId}', () => {
  it('is preceded by a read that counts what would be deleted, by kind', async () => {
    const accounts = new Set(
      fleet.accounts.filter((account) => account.ecpdId === ECPD).map(({ accountName }) => accountName),
    );
    const { accountCount, devices, listeners, users, deletion } = await read(ECPD);
    assert.deepEqual(
      { accountCount, devices, listeners, deletion },
      {
        accountCount: accounts.size,
        devices: countOf('devices', accounts),
        listeners: countOf('listeners', accounts),
        deletion: null,
      },
    );
    assert.ok(users > 0);
    const listed = (await operator('GET', '/customers')).json();
    assert.deepEqual(
      listed.find(({ ecpdId }: { ecpdId: string }) => ecpdId === ECPD),
      { ecpdId: ECPD, accountCount },
    );
  });

  it('404: an unknown customer', async () => {
    for (const method of ['GET', 'DELETE'])
      assert.equal((await operator(method, '/customers/9999999')).json().code, 'customer_unknown');
  });

  it('continues with the next account after an interruption, and leaves only the audit log', async () => {
    await useSomething();
    const others = await rowsOf(OTHER);
    const first = (await operator('DELETE', `/customers/${ECPD}`)).json();
    assert.equal((await read(ECPD)).deletion.state, 'waiting');
    assert.deepEqual((await operator('DELETE', `/customers/${ECPD}`)).json(), first);
    // Like a process that is stopped between two accounts.
    const before = (await read(ECPD)).accountCount;
    const stopping = new AbortController();
    const stopped = { ...world.ctx, actor: { kind: 'operator', name: 'first' } } as const;
    const { deleting } = await db.tx(async (holder) => {
      await holder.exec(
        sql`select from account where ecpd_id = ${ECPD} order by account_name offset 1 limit 1 for update`,
      );
      const deleting = deleteCustomer(stopped, ECPD, undefined, stopping.signal);
      await untilWaiting(db, { unless: deleting });
      stopping.abort();
      return { deleting };
    });
    await assert.rejects(deleting, { name: 'AbortError' });
    const left = (await read(ECPD)).accountCount;
    assert.ok(left > 0 && left < before, `${left} of ${before} accounts are left`);
    await world.engine.settle();
    await world.watcher.settle();
    assert.equal((await operator('GET', `/customers/${ECPD}`)).statusCode, 404);
    const tables = Object.keys(await rowsOf(ECPD)).filter((table) => !['audit_entry', 'job'].includes(table));
    assert.deepEqual(tables, []);
    const now = await rowsOf(OTHER);
    for (const volatile of ['audit_entry', 'job']) for (const rows of [now, others]) delete rows[volatile];
    assert.deepEqual(now, others);
  });

  it('leaves in the audit log who requested it and each account, but no former states', async () => {
    const entries = await db.many<{ action: string; actor: string; target: string; states: object }>(sql`
      select action, actor, target, jsonb_build_array(before, after) as states from audit_entry
      where ecpd_id = ${ECPD} order by entry_id`);
    assert.ok(
      entries.every(
        ({ states }) => JSON.stringify(states) === '[null, null]' || JSON.stringify(states) === '[null,null]',
      ),
    );
    const deleted = entries.filter(({ action }) => action === 'deleteAccount' || action === 'deleteCustomer');
    assert.deepEqual(
      deleted.map(({ action, actor }) => [action, actor]),
      [
        ...fleet.accounts.filter(({ ecpdId }) => ecpdId === ECPD).map(() => 'deleteAccount'),
        'deleteCustomer',
      ].map((action) => [action, 'first']),
    );
    const asked = (await operator('GET', '/audit?action=operatorDeleteCustomer')).json();
    assert.deepEqual([asked[0].target, asked[0].actor, asked[0].status], [ECPD, 'first', 202]);
  });

  it('allows a new customer with the same id, which has no data of the first', async () => {
    await world.import({ profiles: [{ ecpdId: ECPD }] });
    const { accountCount, devices, users, deletion } = await read(ECPD);
    assert.deepEqual(
      { accountCount, devices, users, deletion },
      { accountCount: 0, devices: 0, users: 0, deletion: null },
    );
    await operator('DELETE', `/customers/${ECPD}`);
    await world.engine.settle();
    assert.equal((await operator('GET', `/customers/${ECPD}`)).statusCode, 404);
  });
});
