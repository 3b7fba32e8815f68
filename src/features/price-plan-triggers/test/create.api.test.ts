import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asUser } from '../../../../test/support/fleet.ts';
import { untilWaiting } from '../../../../test/support/lock-waits.ts';
import { deleteAccount } from '../../accounts/index.ts';
import {
  A,
  B,
  FOREIGN,
  makeScene,
  moves,
  OURS,
  PATH,
  payAsYouGo,
  pool,
  TRIGGER,
  UNKNOWN,
  type User,
  withDefaults,
} from './scene.ts';

const { world, as, create, created, read, versions, audited, fillUp } = await makeScene();

const UUID = /^[0-9a-f-]{36}$/;
const DENIED = 'UnifiedWebService.REQUEST_FAILED.AccountName';

describe('creating a price plan trigger', () => {
  // proves 2.2/triggerId 2.2/triggerName 2.2/pricePlanTrigger 2.2/notification price-plan-triggers/reading-back
  it('200: returns the id, and stores the trigger as it was sent, with its defaults', async () => {
    const answer = await create({ triggerName: 'kept', active: 'true', deviceGroupName: 'x' });
    assert.equal(answer.statusCode, 200, answer.body);
    assert.deepEqual(Object.keys(answer.json()), ['triggerId']);
    const { triggerId } = answer.json();
    assert.match(triggerId, UUID);
    assert.deepEqual(await read(triggerId), {
      ...TRIGGER,
      pricePlanTrigger: withDefaults(TRIGGER.pricePlanTrigger),
      triggerId,
      triggerName: 'kept',
      accountName: A,
      organizationName: 'Acme',
      triggerAttributes: [],
      createdAt: world.ctx.now().toISOString(),
      modifiedAt: world.ctx.now().toISOString(),
    });
    assert.deepEqual(await audited(triggerId), {
      actorKind: 'user',
      actor: 'owner',
      action: 'createPricePlanTrigger',
      ecpdId: OURS,
      before: null,
      after: { triggerName: 'kept', active: true, version: 1 },
    });
  });

  // proves 2.2/ecpdId 2.2/triggerCategory 2.2/active price-plan-triggers/updating price-plan-triggers/lists
  it('200: is active by default, and gets the caller’s only profile and the only category', async () => {
    const { triggerName, pricePlanTrigger, notification } = TRIGGER;
    const answer = await as.part('POST', PATH, { triggerName, pricePlanTrigger, notification });
    const { ecpdId, active, triggerCategory } = await read(answer.json().triggerId);
    assert.deepEqual([ecpdId, active, triggerCategory], [OURS, true, 'PricePlanDataUsage']);
  });

  // proves price-plan-triggers/trigger-spellings
  it('200: treats blank text as absent in all optional fields', async () => {
    const blank = { ecpdId: '', active: ' ', triggerCategory: '', deviceGroupName: '' };
    const answer = await create(blank, 'part');
    assert.equal(answer.statusCode, 200, answer.body);
    const { ecpdId, active, triggerCategory } = await read(answer.json().triggerId);
    assert.deepEqual([ecpdId, active, triggerCategory], [OURS, true, 'PricePlanDataUsage']);
  });

  // proves 2.2/triggerName
  it('200: accepts a name twice, and a slash at the end of the path', async () => {
    const answer = await as.owner('POST', `${PATH}/`, TRIGGER);
    assert.match(answer.json().triggerId, UUID);
    assert.notEqual(answer.json().triggerId, await created());
  });

  // proves 2.2/pricePlanTrigger 2.2.2/access price-plan-triggers/access
  it('200: accepts group shares from a user of all accounts of the profile', async () => {
    for (const pricePlanTrigger of [pool(), moves('CARRIER-S', 'CARRIER-L')])
      assert.deepEqual((await read(await created({ pricePlanTrigger }))).pricePlanTrigger, pricePlanTrigger);
  });

  it('200: stores nothing of an unknown kind, so that the fleet document can be imported again', async () => {
    const id = await created({ pricePlanTrigger: { ...payAsYouGo(), standAlone: {} } });
    assert.deepEqual((await read(id)).pricePlanTrigger, withDefaults(payAsYouGo()));
    const { pricePlanTriggers } = (await world.operator('GET', '/export')).json();
    await world.import({ pricePlanTriggers });
    assert.equal((await versions(id)).length, 1);
  });

  it('200: acts once for an Idempotency-Key', async () => {
    const [first, again] = [
      await create({}, 'owner', { 'idempotency-key': 'k1' }),
      await create({}, 'owner', { 'idempotency-key': 'k1' }),
    ];
    assert.equal(first.body, again.body);
  });

  it('200: accepts mail to a notification group of the profile, and any group name without mail and SMS', async () => {
    const notification = { notificationType: 'PerEvent', callback: true };
    await created({ notification: { ...notification, notificationGroupName: 'unknown' } });
    await created({
      notification: { ...notification, emailNotification: true, notificationGroupName: 'ours' },
    });
  });

  const invalid: Record<string, [object, string]> = {
    'a rule that cannot be read': [
      { pricePlanTrigger: payAsYouGo([A], { condition: { comparator: 'gt' } }) },
      'pricePlanTrigger.payAsYouGo.condition.threshold is required',
    ],
    'a notification that cannot be read': [
      { notification: { notificationType: 'PerEvent' } },
      'notification.callback is required',
    ],
    'a plan that does not exist': [
      {
        pricePlanTrigger: payAsYouGo([A], {
          filterCriteria: { carrierServicePlanCode: 'NONE', accountNameList: [A] },
        }),
      },
      'pricePlanTrigger.payAsYouGo.filterCriteria.carrierServicePlanCode names no plan',
    ],
    'a change to a plan that does not exist': [
      {
        pricePlanTrigger: payAsYouGo([A], {
          action: { changePlan: true, changePlanDetails: { toCarrierServicePlanCode: 'NONE' } },
        }),
      },
      'pricePlanTrigger.payAsYouGo.action.changePlanDetails.toCarrierServicePlanCode names no plan',
    ],
    'a group that does not exist': [
      { pricePlanTrigger: pool(8) },
      'pricePlanTrigger.accountGroupShare.accountGroupSharePool.filterCriteria.ratePlanGroupId names no rate plan group of this profile',
    ],
    'mail to a notification group that does not exist': [
      {
        notification: {
          notificationType: 'PerEvent',
          callback: true,
          emailNotification: true,
          notificationGroupName: 'theirs',
        },
      },
      'notification.notificationGroupName names no notification group of this profile',
    ],
    'a plan that is not of the group': [
      { pricePlanTrigger: moves('CARRIER-S', 'CARRIER-P') },
      'pricePlanTrigger.accountGroupShare.accountGroupShareIndividual.action.changePlan.sharePlan names CARRIER-P, which is no plan of the rate plan group',
    ],
  };
  for (const [name, [change, reason]] of Object.entries(invalid)) {
    // proves price-plan-triggers/group-share-defaults price-plan-triggers/unknown-groups
    it(`400: invalid_trigger, ${name}`, async () => {
      const answer = await create(change);
      assert.equal(answer.statusCode, 400);
      assert.deepEqual(answer.json(), {
        error: 'invalid_trigger',
        error_description: `The trigger cannot be used: ${reason}`,
      });
    });
  }

  // proves 2.2/triggerName 2.2/triggerCategory 2.2/notification
  it('400: invalid, without a required field, or of another category', async () => {
    for (const change of [
      { triggerName: undefined },
      { triggerName: '' },
      { triggerName: ' ' },
      { pricePlanTrigger: null },
      { pricePlanTrigger: '' },
      { notification: undefined },
      { triggerCategory: 'AccountUsage' },
      { active: 'perhaps' },
    ]) {
      const answer = await create(change);
      assert.deepEqual([answer.statusCode, answer.json().error], [400, 'invalid'], answer.body);
    }
  });

  // proves refusals/price-plan-triggers
  it('400: invalid_trigger, an account of another profile than the named one, both being the caller’s', async () => {
    const answer = await create({ pricePlanTrigger: payAsYouGo([FOREIGN]) }, 'agent');
    assert.equal(answer.statusCode, 400);
    assert.match(
      answer.json().error_description,
      /accountNameList names an account that is not of this profile$/,
    );
  });

  it('400: invalid_trigger, no profile from a caller with several', async () => {
    for (const ecpdId of [undefined, '']) {
      const answer = await create({ ecpdId }, 'agent');
      assert.equal(answer.statusCode, 400);
      assert.match(answer.json().error_description, /ecpdId is required/);
    }
  });

  const denied: Record<string, [User, object]> = {
    'in a profile that is not the caller’s': ['stranger', {}],
    'in a profile that does not exist': ['owner', { ecpdId: '1' }],
    'on an account that the caller may not use': ['part', { pricePlanTrigger: payAsYouGo([A, B]) }],
    'on an account of another customer': ['owner', { pricePlanTrigger: payAsYouGo([A, FOREIGN]) }],
    'on a group share, by a user of only some accounts': ['part', { pricePlanTrigger: pool() }],
    'on a group share that does not exist, by the same': ['part', { pricePlanTrigger: pool(8) }],
  };
  for (const [name, [user, change]] of Object.entries(denied)) {
    // proves 2.2/ecpdId 2.2.2/access price-plan-triggers/access
    it(`401: ${name}`, async () => {
      const answer = await create(change, user);
      assert.deepEqual([answer.statusCode, answer.json().error], [401, DENIED], answer.body);
    });
  }

  it('404: on an account that does not exist', async () => {
    const answer = await create({ pricePlanTrigger: payAsYouGo([A, UNKNOWN]) });
    assert.deepEqual(
      [answer.statusCode, answer.json().error],
      [404, 'UnifiedWebService.REQUEST_FAILED.AccountNotFound'],
    );
  });

  it('400: waits for the deletion of its account, and is then refused because it names none', async () => {
    const leaving = '0000123456-00007';
    await world.import({
      accounts: [{ accountName: leaving, ecpdId: OURS }],
      users: [{ username: 'leaver', password: 'leaver-password', accounts: [leaving] }],
    });
    const { call } = await asUser(world, { username: 'leaver', password: 'leaver-password' });
    const { db } = world.ctx;
    let creating: Promise<{ statusCode: number }> | undefined;
    await db.tx(async (tx) => {
      await deleteAccount(tx, { ecpdId: OURS, accountName: leaving } as never);
      creating = call('POST', PATH, { ...TRIGGER, pricePlanTrigger: payAsYouGo([leaving]) });
      await untilWaiting(db, { unless: creating });
    });
    assert.equal((await creating)?.statusCode, 400);
  });

  it('413: larger than the limit of an entry of the fleet document', async () => {
    const answer = await create({ notification: { ...TRIGGER.notification, more: 'x'.repeat(1024 * 1024) } });
    assert.deepEqual([answer.statusCode, answer.json().error], [413, 'too_large']);
  });

  it('400: too_many_triggers, above the limit of a profile', async () => {
    await fillUp();
    const answer = await create();
    assert.deepEqual([answer.statusCode, answer.json().error], [400, 'too_many_triggers']);
    const imported = await world.operator('POST', '/import', {
      pricePlanTriggers: [{ ...TRIGGER, triggerName: 'one more' }],
    });
    assert.deepEqual(imported.json().errors, [
      { pointer: '/pricePlanTriggers/0', detail: 'is one more than the 10000 that a profile may have' },
    ]);
  });
});
