import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asUser } from '../../../../test/support/fleet.ts';
import { type ListedFiring, MB, makeActingWorld, PATH, SUSPEND_30 } from './scene.ts';

const DELAY_MS = 60_000;
const nextScene = await makeActingWorld({ env: { LINEKEEPER_ACTION_DEVICES_MAX: '4' }, customers: 8 });

/**
 * The lines are on a slow network: the actions of the first trigger are under way for them, and those of the second wait. The
 * second is the last one created.
 */
async function nextWaiting(lines = [0]) {
  const scene = await nextScene();
  const { world, a, imei, create, suspending, changing, feed, call } = scene;
  const devices = lines.map((n) => ({
    accountName: a,
    imei: imei(n),
    imsi: `311480${imei(n).slice(2, 5)}00000${n}`,
  }));
  await world.import({ devices });
  await world.operator('PATCH', '/network/simulation', { orders: { delayMs: DELAY_MS } });
  const settle = async () => {
    for (let n = 0; n < 4; n++) {
      await world.engine.settle();
      await world.orders?.settle();
    }
  };
  const first = await create(suspending());
  const second = await create(changing('CARRIER-Q'));
  const put = async (body: object) => {
    const user = await asUser(world, { username: 'owner', password: 'owner-password' });
    const answer = await user.call('PUT', PATH, { triggerId: second, ...body });
    assert.equal(answer.statusCode, 200, answer.body);
  };
  const actionOf = async (id: string) => {
    const action = (await scene.firingsOf(id))[0]?.actions[0];
    return [action?.state, action?.reason];
  };
  for (const n of lines) await feed({ [n]: 2 * MB });
  await settle();
  assert.deepEqual(
    [await actionOf(first), await actionOf(second)],
    [
      ['running', undefined],
      ['waiting', undefined],
    ],
  );
  const end = async () => {
    world.pass(DELAY_MS);
    await settle();
    await world.operator('PATCH', '/network/simulation', { orders: {} });
  };
  return { ...scene, first, second, settle, put, actionOf, end, remove: () => call('DELETE', `/${second}`) };
}

const OFF = 'The trigger was switched off before the action began';
const DELETED = 'The trigger was deleted before the action began';
const EDITED = 'The action of the trigger was changed before it began';

// proves price-plan-triggers/dropped-actions
describe('a waiting action of a trigger', () => {
  for (const [what, reason, change] of [
    ['that is switched off', OFF, ({ put }) => put({ active: false })],
    ['that is deleted', DELETED, ({ remove }) => remove()],
    [
      'whose action is changed',
      EDITED,
      ({ put, individual }) =>
        put({ pricePlanTrigger: individual({ suspend: true, suspendDetails: SUSPEND_30 }) }),
    ],
  ] as readonly [string, string, (scene: Awaited<ReturnType<typeof nextWaiting>>) => Promise<unknown>][])
    it(`${what} is dropped, its callback says why, and what is under way ends`, async () => {
      const scene = await nextWaiting();
      await change(scene);
      await scene.settle();
      assert.deepEqual(await scene.actionOf(scene.second), ['dropped', reason]);
      const [callback, ...others] = await scene.callbacks();
      assert.deepEqual(others, []);
      assert.equal(callback.status, 'Failed');
      assert.match(callback.comment, new RegExp(reason));
      assert.ok(callback.deviceIds.some(({ id }: { id: string }) => id === scene.imei(0)));
      await scene.end();
      assert.deepEqual([await scene.statesOf(0), await scene.plansOf(0)], [['suspend'], ['P']]);
      assert.deepEqual(await scene.actionOf(scene.first), ['done', undefined]);
    });

  it('stays when something else about the trigger is changed, and other actions wait no longer than for those that stay', async () => {
    const scene = await nextWaiting();
    await scene.put({ triggerName: 'another name' });
    await scene.settle();
    assert.deepEqual(await scene.actionOf(scene.second), ['waiting', undefined]);
    const third = await scene.create(scene.changing('CARRIER-S'));
    await scene.feed({ 0: MB });
    await scene.put({ active: false });
    await scene.settle();
    assert.deepEqual(await scene.actionOf(third), ['waiting', undefined]);
    await scene.end();
    assert.deepEqual(await scene.actionOf(third), ['skipped', 'The line was no longer active on the plan']);
  });
});

// proves price-plan-triggers/actions-given-up
describe('an action of a trigger that fails however often', () => {
  /** As long as a failed job is tried again. */
  async function giveUp({ world }: Awaited<ReturnType<typeof nextScene>>) {
    for (let n = 0; n < 60; n++) {
      await world.engine.settle();
      await world.orders?.settle();
      world.pass(5 * 60_000);
    }
  }
  /** Rows of which the condition is true cannot be written any more; without one, all can. */
  const refuse = async (
    db: Awaited<ReturnType<typeof nextScene>>['db'],
    table: string,
    condition?: string,
  ) => {
    await db.exec({ text: `alter table ${table} drop constraint if exists refuse_it`, values: [] });
    if (condition === undefined) return;
    await db.exec({
      text: `alter table ${table} add constraint refuse_it check (not (${condition})) not valid`,
      values: [],
    });
  };

  it('frees its lines if it was dropped, and those dropped with it are reported', async () => {
    const scene = await nextWaiting([0, 1]);
    const { db, imei, create, changing, feed, put, firingsOf, second } = scene;
    const third = await create(changing('CARRIER-S'));
    await feed({ 0: MB });
    await refuse(db, 'callback_message', `payload like '%${imei(0)}%' and payload like '%${OFF}%'`);
    await put({ active: false });
    await giveUp(scene);
    assert.deepEqual(
      (await firingsOf(second)).map(({ actions: [action] }) => [action?.state, action?.reason]),
      [
        ['dropped', OFF],
        ['dropped', OFF],
      ],
    );
    const told = (await scene.callbacks()).filter(({ comment }) => comment?.includes(OFF));
    assert.deepEqual(
      told.map(({ deviceIds }) => deviceIds.some(({ id }: { id: string }) => id === imei(1))),
      [true],
    );
    assert.deepEqual(await scene.actionOf(third), ['skipped', 'The line was no longer active on the plan']);
    await refuse(db, 'callback_message');
  });

  it('fails and frees its lines if it cannot start', async () => {
    const scene = await nextWaiting();
    const { world, db, create, changing, feed, put } = scene;
    await world.operator('PATCH', '/network/simulation', { orders: { refusal: 'barred' } });
    const third = await create(changing('CARRIER-S'));
    const fourth = await create(changing('CARRIER-Q'));
    await feed({ 0: MB });
    await refuse(db, 'callback_message', `payload like '%${OFF}%'`);
    await refuse(db, 'carrier_request', `created_by like '%${third}%'`);
    await put({ active: false });
    await giveUp(scene);
    assert.deepEqual(await scene.actionOf(third), [
      'failed',
      'It could not be carried out because of an unexpected error',
    ]);
    assert.match((await scene.actionOf(fourth)).join(), /^failed,.*barred/);
    await refuse(db, 'callback_message');
    await refuse(db, 'carrier_request');
    await world.operator('PATCH', '/network/simulation', { orders: {} });
  });
});

describe('an action that waits for approval', () => {
  // proves price-plan-triggers/dropped-actions
  it('is dropped with its trigger’s action, reported for each line, and cannot be approved', async () => {
    const scene = await nextScene();
    const trigger = (days: string) =>
      scene.individual(
        {
          suspend: true,
          suspendDetails: { ...SUSPEND_30, suspendDuration: days, threshold: 1, thresholdUnit: 'MB' },
        },
        { conditionType: 'AccountLevel', separateOrCombined: 'Separate' },
      );
    const triggerId = await scene.create(trigger('30'));
    await scene.use({ 0: 2 * MB });
    const suspending = async () =>
      (await scene.firingsOf(triggerId)).find(({ levelKind }: ListedFiring) => levelKind === 'suspendBytes')!;
    const { firingId, actions } = await suspending();
    assert.equal(actions[0]?.state, 'awaitingApproval');
    const user = await asUser(scene.world, { username: 'owner', password: 'owner-password' });
    await user.call('PUT', PATH, { triggerId, pricePlanTrigger: trigger('60') });
    const answer = await scene.call('POST', `/firings/${firingId}/approve`);
    assert.deepEqual([answer.statusCode, answer.json().error], [409, 'action_dropped']);
    await scene.world.engine.settle();
    assert.deepEqual(
      (await suspending()).actions.map(({ state, reason }) => [state, reason]),
      [['dropped', EDITED]],
    );
    const callbacks = await scene.callbacks();
    assert.deepEqual(
      callbacks.map(({ status }) => status),
      Array(5).fill('Failed'),
    );
    assert.equal(new Set(callbacks.map(({ deviceIds: [first] }) => first.id)).size, 5);
    assert.deepEqual(await scene.statesOf(0), ['active']);
  });
});
