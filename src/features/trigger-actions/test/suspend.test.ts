import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nobodyEvaluates } from '../../../../test/support/nobody-evaluates.ts';
import { makeWorld, START } from '../../../../test/support/world.ts';
import { composeCarrier } from '../../../app/compose/compose-carrier.ts';
import { sql } from '../../../platform/db/sql.ts';
import { MB, makeActingWorld, outcomesOf, SUSPEND_30, share } from './scene.ts';

const DAY_MS = 86_400_000;
const nextScene = await makeActingWorld();

describe('a trigger that suspends', () => {
  // proves 2.2.1-action/suspend price-plan-triggers/suspension
  it('suspends the line that exceeded the level, notifies, and restores it after its days', async () => {
    const scene = await nextScene();
    const id = await scene.create(scene.suspending());
    await scene.use({ 0: 2 * MB, 1: MB });
    assert.deepEqual(await scene.statesOf(0, 1), ['suspend', 'active']);
    const [firing] = await scene.firingsOf(id);
    const { requestIds, params, ...action } = firing!.actions[0]!;
    assert.deepEqual(action, {
      accountName: scene.a,
      kind: 'suspend',
      state: 'done',
      deviceCount: 1,
      succeeded: 1,
      failed: 0,
    });
    assert.equal(requestIds.length, 1);
    assert.deepEqual(params, { planCodes: ['P'], duration: 30, withBilling: false });
    const [callback] = await scene.callbacks();
    assert.deepEqual([callback.requestId, callback.status], [requestIds[0], 'Success']);
    const advanced = await scene.world.operator('POST', '/clock', { advance: 'P31D' });
    assert.equal(advanced.statusCode, 200, advanced.body);
    assert.deepEqual(await scene.statesOf(0), ['active']);
  });

  // proves 2.2.1-action/suspendDetails price-plan-triggers/suspension
  it('suspends until the account’s next bill cycle, in the account’s zone', async () => {
    const scene = await nextScene();
    await scene.create(scene.suspending({ suspendDuration: 'NextBillCycle', suspendOption: 'WithBilling' }));
    await scene.use({ 0: 2 * MB });
    const kept = await scene.db.one<{ resumesAt: Date; withBilling: boolean }>(
      sql`select resumes_at as "resumesAt", with_billing as "withBilling" from device_suspension
          where ecpd_id = ${scene.ecpdId}`,
    );
    assert.deepEqual(kept, { resumesAt: new Date('2026-01-20T06:00:00Z'), withBilling: true });
  });

  // proves 2.2.1-action/suspendDetails price-plan-triggers/suspend-option
  it('uses its own billing option: the plan’s applies only to suspensions without one', async () => {
    const scene = await nextScene();
    const on = (carrierServicePlanCode: string, suspendOption: string) => {
      const { payAsYouGo } = scene.suspending({ suspendOption });
      const filterCriteria = { carrierServicePlanCode, accountNameList: [scene.a] };
      return scene.create({ payAsYouGo: { ...payAsYouGo, filterCriteria } });
    };
    await scene.change(1, 'Q');
    await on('CARRIER-P', 'WithBilling');
    await on('CARRIER-Q', 'WithoutBilling');
    await scene.use({ 0: 2 * MB, 1: 2 * MB });
    const kept = await scene.db.many<{ imei: string; withBilling: boolean }>(sql`
      select d.imei, s.with_billing as "withBilling" from device_suspension s join device d using (ecpd_id, device_id)
      where s.ecpd_id = ${scene.ecpdId} order by 1`);
    assert.deepEqual(kept, [
      { imei: scene.imei(0), withBilling: true },
      { imei: scene.imei(1), withBilling: false },
    ]);
  });

  it('does not affect lines of accounts that it does not name', async () => {
    const scene = await nextScene();
    const id = await scene.create(scene.suspending({ suspendFromAccounts: [scene.b] }));
    await scene.use({ 0: 2 * MB, 500: 2 * MB });
    assert.deepEqual(await scene.statesOf(0, 500), ['active', 'suspend']);
    const firings = await scene.firingsOf(id);
    assert.deepEqual(firings.map(({ accountName, actions }) => [accountName, actions.length]).sort(), [
      [scene.a, 0],
      [scene.b, 1],
    ]);
  });

  // proves price-plan-triggers/failed-actions
  it('keeps the firing and says why when the line has no days left to be suspended', async () => {
    const scene = await nextScene();
    const id = await scene.create(scene.suspending());
    const device = await scene.deviceOf(0);
    await scene.db.exec(sql`
      insert into device_suspension (ecpd_id, account_name, device_id, suspended_at, resumes_at, resumed_at, notice_at,
        with_billing, reason, resumes_to)
      select ${scene.ecpdId}, ${scene.a}, ${device.id}, ${new Date(START.getTime() - 91 * DAY_MS)}, ${START}, ${new Date(START.getTime() - 3_600_000)},
        ${START}, false, 'test', 'active'`);
    await scene.use({ 0: 2 * MB, 1: 2 * MB });
    assert.deepEqual(await scene.statesOf(0, 1), ['active', 'suspend']);
    const firings = await scene.firingsOf(id);
    const actionOf = (isOf: boolean) =>
      firings.find(({ subject }) => (subject === device.id) === isOf)!.actions[0]!;
    const failed = actionOf(true);
    assert.deepEqual([failed.state, failed.succeeded, failed.failed], ['failed', 0, 1]);
    assert.match(failed.reason ?? '', /days/);
    const done = actionOf(false);
    assert.deepEqual([done.state, done.succeeded, done.reason], ['done', 1, undefined]);
    const fault = (await scene.callbacks()).find(({ status }) => status === 'Failed');
    assert.equal(fault.deviceIds[0].id, scene.imei(0));
  });

  it('makes one request for all lines of an account that cross the level in a batch', async () => {
    const scene = await nextScene();
    await scene.addLines(5, 400);
    const id = await scene.create(scene.suspending());
    await scene.use(Object.fromEntries([...Array(400).keys(), 500].map((n) => [n, 2 * MB])));
    assert.equal(await scene.requests(), 2);
    const { n } = await scene.db.one<{ n: number }>(sql`
      select count(*)::int as n from device where ecpd_id = ${scene.ecpdId} and state = 'suspend'`);
    assert.equal(n, 401);
    const firings = await scene.firingsOf(id, '?limit=1000');
    assert.equal(firings.length, 401);
    for (const { actions } of firings)
      assert.deepEqual([actions[0]?.state, actions[0]?.deviceCount], ['done', 1]);
  });

  // proves 2.2.1-action/suspendDetails price-plan-triggers/suspension price-plan-triggers/suspended-accounts
  it('of an account suspends its lines on the plan at its own level, and those of all accounts if they are combined', async () => {
    const scene = await nextScene({ pool: [{ n: 900, servicePlan: 'S' }] });
    const accountLevel = (separateOrCombined: string) =>
      scene.individual(
        {
          suspend: true,
          suspendDetails: {
            ...SUSPEND_30,
            suspendFromAccounts: [scene.a, scene.b],
            threshold: 3,
            thresholdUnit: 'MB',
          },
        },
        { conditionType: 'AccountLevel', separateOrCombined },
      );
    const separate = await scene.create(accountLevel('Separate'));
    await scene.use({ 0: 2 * MB });
    assert.deepEqual(await scene.statesOf(0, 1), ['active', 'active'], 'the threshold itself only notifies');
    await scene.use({ 0: 2 * MB });
    assert.deepEqual(await scene.statesOf(0, 1, 2, 500, 900), [
      'suspend',
      'suspend',
      'suspend',
      'active',
      'active',
    ]);
    const suspendingFiring = async (id: string) =>
      (await scene.firingsOf(id)).find(({ levelKind }) => levelKind === 'suspendBytes');
    assert.equal((await suspendingFiring(separate))?.actions[0]?.deviceCount, 5);
    const combined = await scene.create(accountLevel('Combined'));
    await scene.use({ 500: 100 });
    assert.deepEqual(await scene.statesOf(500, 501), ['suspend', 'suspend']);
    const both = await suspendingFiring(combined);
    assert.deepEqual(
      both?.actions.map(({ accountName, state }) => [accountName, state]),
      [
        [scene.a, 'skipped'],
        [scene.b, 'done'],
      ],
    );
  });

  // proves 2.2.2/individual-suspend
  it('of a group share suspends each line only at the percentage of its own plan', async () => {
    const scene = await nextScene({
      pool: [
        { n: 900, servicePlan: 'S' },
        { n: 901, servicePlan: 'L' },
        { n: 902, servicePlan: 'S', of: 'b' },
      ],
    });
    const suspend = {
      suspendDuration: 'NextBillCycle',
      suspendOption: 'withoutBilling',
      alertType: 'individualpriceplan',
      threshold: [
        { carrierCode: 'CARRIER-S', usagePercentage: 90 },
        { carrierCode: 'CARRIER-L', usagePercentage: 50 },
      ],
    };
    const id = await scene.create(share('accountGroupShareIndividual', 'suspend', { suspend }));
    await scene.use({ 900: 0.89 * MB, 901: 1.49 * MB, 902: 0.95 * MB });
    assert.deepEqual(await scene.statesOf(900, 901, 902), ['active', 'active', 'suspend']);
    await scene.use({ 900: 0.02 * MB, 901: 0.02 * MB, 902: MB });
    assert.deepEqual(await scene.statesOf(900, 901, 902), ['suspend', 'suspend', 'suspend']);
    const firings = await scene.firingsOf(id);
    assert.deepEqual(
      firings.map(({ actions }) => actions.map(({ state, deviceCount }) => [state, deviceCount])),
      Array(3).fill([['done', 1]]),
    );
    assert.equal(await scene.count(sql`device_suspension`), 3);
    const alerts = await scene.alerts();
    assert.deepEqual(
      alerts
        .flatMap(({ accountGroupShare }) => accountGroupShare.deviceIds.map(({ id }: { id: string }) => id))
        .sort(),
      [900, 901, 902].map(scene.imei),
    );
    assert.match(
      alerts[0].message,
      /The line will be suspended until the next bill cycle, without billing\.$/,
    );
  });

  // proves price-plan-triggers/bounds
  it('with the threshold 0 suspends at the first byte, and not before', async () => {
    const scene = await nextScene();
    await scene.create(scene.individual({ suspend: true, suspendDetails: SUSPEND_30 }, { threshold: 0 }));
    await scene.use({ 0: 1, 1: 0 });
    assert.deepEqual(await scene.statesOf(0, 1), ['suspend', 'active']);
    assert.equal((await scene.alerts()).length, 1);
  });

  // proves price-plan-triggers/late-usage
  it('notifies of late usage and does nothing else', async () => {
    const scene = await nextScene();
    const id = await scene.create(scene.suspending());
    scene.world.clock.holdAt(new Date('2026-01-21T00:00:00Z'));
    await scene.use({ 0: 2 * MB }, new Date('2026-01-19T00:00:00Z'));
    assert.deepEqual(await scene.statesOf(0), ['active']);
    const [firing] = await scene.firingsOf(id);
    const action = firing?.actions[0];
    assert.deepEqual([firing?.late, action?.state, action?.requestIds], [true, 'skipped', []]);
    assert.match(action?.reason ?? '', /late/);
  });

  // proves price-plan-triggers/pauses
  it('only notifies while actions are paused, and does not catch up later', async () => {
    const scene = await nextScene();
    const id = await scene.create(scene.suspending());
    await scene.feed({ 0: 2 * MB });
    const paused = await scene.world.operator('POST', '/actions/pause');
    assert.equal(paused.statusCode < 300, true, paused.body);
    await scene.use({ 1: 2 * MB });
    await scene.world.operator('POST', '/actions/resume');
    await scene.use({ 1: MB });
    assert.deepEqual(await scene.statesOf(0, 1), ['suspend', 'active'], 'a running action continues');
    assert.deepEqual(outcomesOf(await scene.firingsOf(id)).sort(), [
      ['done', undefined],
      ['skipped', 'Actions of triggers were paused by the operator'],
    ]);
  });

  // proves price-plan-triggers/once
  it('suspends each line once despite two workers and a crash', async () => {
    const scene = await nextScene();
    await scene.addLines(5, 50);
    const id = await scene.create(scene.suspending());
    const usage = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [n, 2 * MB]));
    await scene.feed(usage);
    const other = await makeWorld({ databaseUrl: scene.world.databaseUrl });
    other.clock.holdAt(scene.world.clock.now());
    await Promise.all([scene.world.engine.settle(), other.engine.settle()]);
    const { workJob } = composeCarrier(nobodyEvaluates.evaluateMove);
    const [firing] = await scene.firingsOf(id);
    await workJob.run(
      scene.world.ctx,
      { accountName: scene.a, requestId: firing!.actions[0]!.requestIds[0]! },
      {
        ecpdId: scene.ecpdId,
        signal: new AbortController().signal,
      } as never,
    );
    assert.equal(await scene.count(sql`device_suspension`), 50);
    assert.equal((await scene.callbacks()).length, 50);
    const { succeeded } = await scene.db.one<{ succeeded: number }>(
      sql`select succeeded from trigger_action where ecpd_id = ${scene.ecpdId}`,
    );
    assert.equal(succeeded, 50);
  });
});
