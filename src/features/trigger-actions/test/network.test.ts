import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestDatabase } from '../../../../test/support/database.ts';
import { untilWaiting } from '../../../../test/support/lock-waits.ts';
import { sql } from '../../../platform/db/sql.ts';
import { makeElement } from '../../network/test/scene.ts';
import { MB, makeActingWorld } from './scene.ts';

const DELAY_MS = 60_000;
const nextScene = await makeActingWorld({ customers: 4 });

/** A scene whose first line is on a slow network. */
async function nextDelayed() {
  const scene = await nextScene();
  const { world, a, imei } = scene;
  const imsi = `311480${imei(0).slice(2, 5)}000000`;
  await world.import({ devices: [{ accountName: a, imei: imei(0), imsi }] });
  const set = await world.operator('PATCH', '/network/simulation', { orders: { delayMs: DELAY_MS } });
  assert.equal(set.statusCode, 200, set.body);
  const settle = async () => {
    for (let n = 0; n < 4; n++) {
      await world.engine.settle();
      await world.orders?.settle();
    }
  };
  const actionOf = async (id: string) => (await scene.firingsOf(id))[0]?.actions[0]?.state;
  return { ...scene, settle, actionOf };
}

describe('what a trigger does to a line', () => {
  it('takes effect when the network confirms the suspension, and is running until then', async () => {
    const { create, suspending, use, settle, statesOf, actionOf, callbacks, world } = await nextDelayed();
    const id = await create(suspending());
    await use({ 0: 2 * MB });
    await settle();
    assert.deepEqual([await statesOf(0), await actionOf(id)], [['active'], 'running']);
    assert.deepEqual(await callbacks(), []);
    world.pass(DELAY_MS);
    await settle();
    assert.deepEqual([await statesOf(0), await actionOf(id)], [['suspend'], 'done']);
    assert.deepEqual(
      (await callbacks()).map(({ status }) => status),
      ['Success'],
    );
  });

  it('takes effect when the network confirms the new plan, and is running until then', async () => {
    const { create, changing, use, settle, plansOf, actionOf, world } = await nextDelayed();
    const id = await create(changing('CARRIER-Q'));
    await use({ 0: 2 * MB });
    await settle();
    assert.deepEqual([await plansOf(0), await actionOf(id)], [['P'], 'running']);
    world.pass(DELAY_MS);
    await settle();
    assert.deepEqual([await plansOf(0), await actionOf(id)], [['Q'], 'done']);
  });

  it('fails if the network refuses it, and leaves the line unchanged', async () => {
    const { create, suspending, use, settle, statesOf, actionOf, world } = await nextDelayed();
    await world.operator('PATCH', '/network/simulation', { orders: { refusal: 'barred' } });
    const id = await create(suspending());
    await use({ 0: 2 * MB });
    await settle();
    assert.deepEqual([await statesOf(0), await actionOf(id)], [['active'], 'failed']);
  });

  // proves price-plan-triggers/expired-suspension
  it('is expired and reversed if the network confirms a suspension after the bill cycle until whose end it was meant', async () => {
    const scene = await nextDelayed();
    const { create, suspending, use, settle, statesOf, firingsOf, callbacks, world, ecpdId, a } = scene;
    const differences = async () => {
      const listed = await world.operator('GET', `/network/differences?accountName=${a}`);
      assert.equal(listed.statusCode, 200, listed.body);
      return (listed.json() as { here: string; there: string }[]).map(({ here, there }) => [here, there]);
    };
    world.clock.holdAt(new Date('2026-01-20T05:59:30Z'));
    const id = await create(suspending({ suspendDuration: 'NextBillCycle' }));
    await use({ 0: 2 * MB });
    await settle();
    world.pass(DELAY_MS);
    await settle();
    const [action] = (await firingsOf(id))[0]!.actions;
    assert.equal(action?.state, 'expired');
    assert.match(action?.reason ?? '', /would have ended before it began/);
    const [callback] = await callbacks();
    assert.deepEqual([callback.status, callback.comment], ['Failed', action?.reason]);
    assert.deepEqual([await statesOf(0), await differences()], [['active'], [['active', 'suspended']]]);
    world.pass(DELAY_MS);
    await settle();
    assert.deepEqual(await differences(), []);
    const last = await scene.db.one<{ wanted: string; state: string }>(sql`
      select wanted, state from network_order where ecpd_id = ${ecpdId} order by nr desc limit 1`);
    assert.deepEqual(last, { wanted: 'active', state: 'done' });
  });
});

// Triggers lock lanes last, so a job that locked one first and then the levels would wait in a circle with a feed.
it('lines of one action that the network confirms and refuses together lock the lane last', async () => {
  const register = makeElement('hlr');
  const served = { name: 'hlr', element: register.element, afterwards: false };
  const scene = await (await makeActingWorld({ customers: 1, elements: { served: [served], openMs: 1 } }))();
  const { world, db, ecpdId, a, imei, create, changing, use, plansOf, firingsOf } = scene;
  const imsi = (n: number) => `31148000000000${n}`;
  await world.import({ devices: [0, 1].map((n) => ({ accountName: a, imei: imei(n), imsi: imsi(n) })) });
  await world.engine.settle();
  await world.orders?.settle();
  register.answers((order) =>
    order.imsi === imsi(0) ? { outcome: 'done' } : { outcome: 'refused', reason: 'barred' },
  );
  const id = await create(changing('CARRIER-Q'));
  await use({ 0: 2 * MB, 1: 2 * MB });
  await world.orders?.settle();
  const other = openTestDatabase(world.databaseUrl);
  let settling: Promise<unknown> = Promise.resolve();
  await other.tx(async (tx) => {
    await tx.exec(sql`lock table device_plan in share mode`);
    settling = world.engine.settle();
    await untilWaiting(db, { unless: settling });
    const free = await tx.many(
      sql`select 1 from trigger_lane where ecpd_id = ${ecpdId} and account_name = ${a} for update skip locked`,
    );
    assert.equal(free.length, 1);
  });
  await settling;
  await other.close();
  assert.deepEqual(await plansOf(0, 1), ['Q', 'P']);
  assert.deepEqual((await firingsOf(id)).map(({ actions: [action] }) => action?.state).toSorted(), [
    'done',
    'failed',
  ]);
});
