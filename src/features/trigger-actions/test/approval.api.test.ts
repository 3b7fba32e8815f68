import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import type { WireAction } from '../schemas.ts';
import { type ListedFiring, MB, makeActingWorld, NO_ID, SUSPEND_30 } from './scene.ts';

const nextScene = await makeActingWorld({ env: { LINEKEEPER_ACTION_DEVICES_MAX: '4' }, customers: 2 });
const scene = await nextScene();
const { a: A, b: B } = scene;
/** For both accounts together, which have five and two lines; four lines may be affected without approval. */
const trigger = await scene.create(
  scene.individual(
    { suspend: true, suspendDetails: { ...SUSPEND_30, threshold: 1, thresholdUnit: 'MB' } },
    { conditionType: 'AccountLevel', separateOrCombined: 'Combined', threshold: 1, cycleType: 'Daily' },
  ),
);

/** A firing that waits for approval, on a day on which nothing has fired. */
async function waiting(): Promise<ListedFiring> {
  scene.world.pass(86_400_000);
  await scene.db.exec(sql`update device set state = 'active' where state = 'suspend'`);
  await scene.db.exec(sql`delete from device_suspension`);
  await scene.use({ 0: 2 * MB });
  const firings = await scene.firingsOf(trigger, '?limit=2');
  return firings.find(({ levelKind }) => levelKind === 'suspendBytes')!;
}
const decide = (firingId: string, word: string, user?: string) =>
  scene.call('POST', `/firings/${firingId}/${word}`, user);

// proves price-plan-triggers/approval
describe('POST /m2m/v2/triggers/firings/{firingId}/approve', () => {
  it('200: carries out the waiting actions once, even if it is called twice', async () => {
    const { firingId, actions } = await waiting();
    assert.deepEqual(
      actions.map(({ state, reason }) => [state, reason]),
      Array(2).fill(['awaitingApproval', 'It would affect 7 devices, more than 4']),
    );
    assert.deepEqual(await scene.statesOf(0, 500), ['active', 'active']);
    const requests = await scene.requests();
    const [answer, second] = await Promise.all([
      decide(firingId, 'approve'),
      decide(firingId.toUpperCase(), 'approve'),
    ]);
    assert.deepEqual([answer.statusCode, second.statusCode], [200, 200], answer.body);
    assert.deepEqual(
      answer.json().actions.map(({ accountName, state }: WireAction) => [accountName, state]),
      [
        [A, 'running'],
        [B, 'running'],
      ],
    );
    await scene.world.engine.settle();
    assert.equal((await scene.requests()) - requests, 2);
    assert.deepEqual(await scene.statesOf(0, 1, 2, 3, 4, 500, 501), Array(7).fill('suspend'));
    const again = await decide(firingId, 'approve');
    assert.deepEqual(
      again.json().actions.map(({ state }: WireAction) => state),
      ['done', 'done'],
    );
    const audited = await scene.db.many(
      sql`select actor, target from audit_entry where action = 'approveFiring'`,
    );
    assert.deepEqual(audited, [{ actor: 'owner', target: firingId }]);
  });

  it('404: for users who may not see the trigger, and for unknown firings', async () => {
    const { firingId } = await waiting();
    for (const [id, user] of [
      [firingId, 'stranger'],
      [NO_ID, 'owner'],
      ['x', 'owner'],
    ] as const) {
      const answer = await decide(id, 'approve', user);
      assert.deepEqual([answer.statusCode, answer.json().error], [404, 'firing_not_found'], answer.body);
    }
  });

  // proves price-plan-triggers/approval
  it('409: while actions are paused, and after the cycle in which it fired', async () => {
    const { firingId } = await waiting();
    await scene.world.operator('POST', '/actions/pause');
    assert.equal((await decide(firingId, 'approve')).json().error, 'actions_paused');
    await scene.world.operator('POST', '/actions/resume');
    scene.world.pass(86_400_000);
    const answer = await decide(firingId, 'approve');
    assert.deepEqual([answer.statusCode, answer.json().error], [409, 'cycle_closed']);
    await scene.world.engine.addRecurring();
    scene.world.pass(60_000);
    await scene.world.engine.settle();
    const ended = (await scene.firingsOf(trigger)).find((firing) => firing.firingId === firingId);
    assert.deepEqual(
      ended?.actions.map(({ state, reason }) => [state, reason]),
      Array(2).fill(['skipped', 'The cycle ended before anyone approved it']),
    );
    assert.equal((await decide(firingId, 'approve')).json().error, 'cycle_closed', 'as before');
  });

  it('404: for a firing without an action', async () => {
    await waiting();
    const [other] = (await scene.firingsOf(trigger, '?limit=2')).filter(
      ({ levelKind }) => levelKind === 'bytes',
    );
    const answer = await decide(other!.firingId, 'approve');
    assert.deepEqual([answer.statusCode, answer.json().error], [404, 'firing_not_found']);
  });
});

describe('POST /m2m/v2/triggers/firings/{firingId}/reject', () => {
  it('200: rejects the waiting actions, and a later approval is refused', async () => {
    const { firingId } = await waiting();
    const answer = await decide(firingId, 'reject');
    assert.deepEqual(
      answer.json().actions.map(({ state, reason }: WireAction) => [state, reason]),
      Array(2).fill(['skipped', 'Rejected by owner']),
    );
    assert.equal((await decide(firingId, 'reject')).statusCode, 200);
    const late = await decide(firingId, 'approve');
    assert.deepEqual([late.statusCode, late.json().error], [409, 'nothing_to_approve']);
    assert.deepEqual(await scene.statesOf(0), ['active']);
  });
});

describe('the operator', () => {
  it('sees the actions of firings, and approves and rejects them like their owner', async () => {
    const { firingId } = await waiting();
    const listed = await scene.world.operator('GET', `/firings?triggerId=${trigger}&limit=2`);
    const found = listed.json().find((firing: ListedFiring) => firing.firingId === firingId);
    assert.equal(found.actions[0].state, 'awaitingApproval', listed.body);
    const answer = await scene.world.operator('POST', `/firings/${firingId}/approve`);
    assert.deepEqual([answer.statusCode, answer.json().actions[0]?.state], [200, 'running'], answer.body);
    await scene.world.engine.settle();
    assert.deepEqual(await scene.statesOf(0, 500), ['suspend', 'suspend']);
    assert.equal((await scene.world.operator('POST', `/firings/${firingId}/reject`)).statusCode, 409);
    assert.equal((await scene.world.operator('POST', '/firings/x/approve')).statusCode, 404);
  });
});

describe('GET /m2m/v2/triggers/{id}/firings', () => {
  // proves price-plan-triggers/why-it-fired
  it('200: says why each fired, newest first, and continues after the last one', async () => {
    const id = await scene.create(scene.individual({}));
    await scene.use({ 1: MB, 2: MB });
    scene.world.pass(1_000);
    await scene.use({ 1: 1 });
    scene.world.pass(1_000);
    await scene.use({ 2: 2 });
    const [newest, oldest] = await scene.firingsOf(id);
    const { firingId, firedAt: _, cycle, subject, usageRecordId, deviceName, ...why } = newest!;
    assert.deepEqual(why, {
      triggerId: id,
      kind: 'pricePlan',
      accountName: A,
      level: MB,
      levelKind: 'bytes',
      before: MB,
      after: MB + 2,
      threshold: MB,
      ruleVersion: 1,
      late: false,
      actions: [],
    });
    assert.deepEqual(await scene.firingsOf(id, '?limit=1'), [newest]);
    assert.deepEqual(await scene.firingsOf(id, `?before=${firingId}`), [oldest]);
    assert.deepEqual(cycle, { from: '2025-12-20T06:00:00.000Z', to: '2026-01-20T06:00:00.000Z' });
    assert.deepEqual([subject, typeof usageRecordId], [(await scene.deviceOf(2)).id, 'string']);
    assert.equal(deviceName, scene.imei(2));
    assert.equal((await scene.call('GET', `/${id}/firings?before=${NO_ID}`)).statusCode, 400);
  });

  it('200: also after the trigger was deleted, but its actions can no longer be approved', async () => {
    const { firingId } = await waiting();
    assert.equal((await scene.call('DELETE', `/${trigger}`)).statusCode, 200);
    assert.ok((await scene.firingsOf(trigger)).length > 0);
    const answer = await decide(firingId, 'approve');
    assert.deepEqual([answer.statusCode, answer.json().error], [409, 'trigger_deleted']);
    assert.equal((await decide(firingId, 'reject')).json().error, 'nothing_to_approve');
  });

  it('404: for users who may not see the trigger, and for an unknown trigger', async () => {
    assert.equal((await scene.call('GET', `/${trigger}/firings`, 'stranger')).statusCode, 404);
    assert.equal((await scene.call('GET', `/${NO_ID}/firings`)).statusCode, 404);
  });
});
