import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  A,
  B,
  makeScene,
  NO_TRIGGER,
  OURS,
  PATH,
  payAsYouGo,
  pool,
  THEIRS,
  TRIGGER,
  withDefaults,
} from './scene.ts';

const { world, as, created, update, read, versions, audited } = await makeScene();

const DENIED = 'UnifiedWebService.REQUEST_FAILED.AccountName';

describe('updating a price plan trigger', () => {
  // proves 4.2/update price-plan-triggers/updating
  it('200: changes what is sent and leaves the rest, with a new version', async () => {
    const triggerId = await created();
    world.pass(60_000);
    const answer = await update({ triggerId: triggerId.toUpperCase(), ecpdId: OURS, active: 'false' });
    assert.deepEqual([answer.statusCode, answer.json()], [200, { triggerId }]);
    const { active, pricePlanTrigger, notification, createdAt, modifiedAt } = await read(triggerId);
    assert.deepEqual(
      { active, pricePlanTrigger, notification },
      {
        active: false,
        pricePlanTrigger: withDefaults(TRIGGER.pricePlanTrigger),
        notification: TRIGGER.notification,
      },
    );
    assert.equal(Date.parse(modifiedAt) - Date.parse(createdAt), 60_000);
    assert.deepEqual(await audited(triggerId), {
      actorKind: 'user',
      actor: 'owner',
      action: 'updatePricePlanTrigger',
      ecpdId: OURS,
      before: { triggerName: 'over 5', active: true, version: 1 },
      after: { triggerName: 'over 5', active: false, version: 2 },
    });
  });

  // proves 4.2/update
  it('200: replaces the whole rule and notification, also with another kind', async () => {
    const triggerId = await created();
    const notification = { notificationType: 'DailySummary', callback: false };
    await update({ ...TRIGGER, triggerId, triggerName: 'pool', pricePlanTrigger: pool(), notification });
    const now = await read(triggerId);
    assert.deepEqual(
      [now.triggerName, now.pricePlanTrigger, now.notification],
      ['pool', pool(), notification],
    );
  });

  it('200: writes no version and no audit entry when nothing changes', async () => {
    const triggerId = await created();
    await update({ ...TRIGGER, triggerId });
    await update({ triggerId, pricePlanTrigger: null, notification: null, active: null });
    const blank = { triggerName: '', ecpdId: ' ', triggerCategory: '', active: '' };
    const answer = await update({ triggerId, ...blank, pricePlanTrigger: '', notification: '' });
    assert.equal(answer.statusCode, 200, answer.body);
    assert.equal((await versions(triggerId)).length, 1);
    assert.equal((await audited(triggerId))?.['action'], 'createPricePlanTrigger');
  });

  it('200: writes one version for each of many concurrent updates', async () => {
    const triggerId = await created();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => update({ triggerId, triggerName: `name ${i}` })),
    );
    assert.ok(answers.every(({ statusCode }) => statusCode === 200));
    const kept = (await versions(triggerId)).map(({ version }: { version: number }) => version);
    assert.deepEqual(kept, [9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it('200: loses neither of two concurrent updates of different fields', async () => {
    const triggerId = await created();
    await Promise.all([update({ triggerId, triggerName: 'other' }), update({ triggerId, active: false })]);
    const { triggerName, active } = await read(triggerId);
    assert.deepEqual([triggerName, active], ['other', false]);
  });

  it('400: an invalid rule or an unknown name, and changes nothing', async () => {
    const triggerId = await created();
    for (const change of [{ pricePlanTrigger: {} }, { notification: {} }, { pricePlanTrigger: pool(8) }]) {
      const answer = await update({ triggerId, active: false, ...change });
      assert.deepEqual([answer.statusCode, answer.json().error], [400, 'invalid_trigger'], answer.body);
    }
    assert.equal((await read(triggerId)).active, true);
    for (const id of [{}, { triggerId: '' }])
      assert.equal((await update({ ...id, active: false })).json().error, 'invalid');
  });

  it('401: to accounts that the caller may not use, or in a profile that is not the caller’s', async () => {
    const triggerId = await created();
    for (const change of [
      { pricePlanTrigger: payAsYouGo([A, B]) },
      { pricePlanTrigger: pool() },
      { ecpdId: THEIRS },
    ]) {
      const answer = await update({ triggerId, ...change }, 'part');
      assert.deepEqual([answer.statusCode, answer.json().error], [401, DENIED], answer.body);
    }
  });

  // proves 2.2/triggerId refusals/not-found price-plan-triggers/access
  it('404: a trigger of another customer, one that names other accounts too, an unknown or deleted one, or an invalid id', async () => {
    const shared = await created({ pricePlanTrigger: payAsYouGo([A, B]) });
    const deleted = await created();
    await as.owner('DELETE', `${PATH}/${deleted}`);
    for (const [user, triggerId] of [
      ['stranger', shared],
      ['part', shared],
      ['part', await created({ pricePlanTrigger: pool() })],
      ['owner', NO_TRIGGER],
      ['owner', deleted],
      ['owner', 'x'],
    ] as const) {
      const answer = await update({ triggerId, active: false }, user);
      assert.deepEqual(
        [answer.statusCode, answer.json()],
        [404, { error: 'trigger_not_found', error_description: 'Trigger not found.' }],
      );
    }
    assert.equal((await read(shared)).active, true);
  });
});

describe('deleting a price plan trigger', () => {
  it('200: returns the id of the deleted trigger', async () => {
    const triggerId = await created();
    const answer = await as.owner('DELETE', `${PATH}/${triggerId}`);
    assert.deepEqual([answer.statusCode, answer.json()], [200, { triggerId }]);
    assert.equal((await as.owner('GET', `${PATH}/${triggerId}`)).statusCode, 404);
    assert.deepEqual((await audited(triggerId))?.['before'], {
      triggerName: 'over 5',
      active: true,
      version: 1,
    });
  });

  it('404: a trigger of another customer, one that names other accounts too, an unknown one, or a second deletion', async () => {
    const shared = await created({ pricePlanTrigger: payAsYouGo([A, B]) });
    for (const [user, id] of [
      ['stranger', shared],
      ['part', shared],
      ['owner', NO_TRIGGER],
    ] as const)
      assert.equal((await as[user]('DELETE', `${PATH}/${id}`)).statusCode, 404);
    assert.equal((await as.owner('DELETE', `${PATH}/${shared}`)).statusCode, 200);
    assert.equal((await as.owner('DELETE', `${PATH}/${shared}`)).statusCode, 404);
  });
});
