import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeWorld, START } from '../../../../../test/support/world.ts';
import { composeCarrier } from '../../../../app/compose-carrier.ts';
import { sql } from '../../../../platform/db/sql.ts';
import { A, B, imei, individual, MB, makeActingScene, outcomesOf, SUSPEND_30, suspending } from './scene.ts';

const DAY_MS = 86_400_000;

describe('a trigger that suspends', () => {
  it('suspends the line that went beyond, tells of it, and lets it return after its days', async () => {
    const scene = await makeActingScene();
    const id = await scene.create(suspending());
    await scene.use({ 0: 2 * MB, 1: MB });
    assert.deepEqual(await scene.statesOf(0, 1), ['suspend', 'active']);
    const [firing] = await scene.firingsOf(id);
    const { requestIds, params, ...action } = firing!.actions[0]!;
    assert.deepEqual(action, {
      accountName: A,
      kind: 'suspend',
      state: 'done',
      deviceCount: 1,
      succeeded: 1,
      failed: 0,
    });
    assert.equal(requestIds.length, 1);
    assert.deepEqual(params, { planCodes: ['P'], duration: 30, withBilling: false });
    const [told] = await scene.told();
    assert.deepEqual([told.requestId, told.status], [requestIds[0], 'Success']);
    const advanced = await scene.world.operator('POST', '/clock', { advance: 'P31D' });
    assert.equal(advanced.statusCode, 200, advanced.body);
    assert.deepEqual(await scene.statesOf(0), ['active']);
  });

  it('suspends until the next bill cycle of the account, where the account is', async () => {
    const scene = await makeActingScene();
    await scene.create(suspending({ suspendDuration: 'NextBillCycle', suspendOption: 'WithBilling' }));
    await scene.use({ 0: 2 * MB });
    const kept = await scene.db.one<{ resumesAt: Date; withBilling: boolean }>(
      sql`select resumes_at as "resumesAt", with_billing as "withBilling" from device_suspension`,
    );
    assert.deepEqual(kept, { resumesAt: new Date('2026-01-20T06:00:00Z'), withBilling: true });
  });

  it('leaves lines of accounts alone that it does not name', async () => {
    const scene = await makeActingScene();
    const id = await scene.create(suspending({ suspendFromAccounts: [B] }));
    await scene.use({ 0: 2 * MB, 500: 2 * MB });
    assert.deepEqual(await scene.statesOf(0, 500), ['active', 'suspend']);
    const firings = await scene.firingsOf(id);
    assert.deepEqual(firings.map(({ accountName, actions }) => [accountName, actions.length]).sort(), [
      [A, 0],
      [B, 1],
    ]);
  });

  it('keeps the firing and says why when the line has no days left to be suspended', async () => {
    const scene = await makeActingScene();
    const id = await scene.create(suspending());
    const device = await scene.deviceOf(0);
    await scene.db.exec(sql`
      insert into device_suspension (ecpd_id, account_name, device_id, suspended_at, resumes_at, resumed_at, notice_at,
        with_billing, reason, resumes_to)
      select '9000001', ${A}, ${device.id}, ${new Date(START.getTime() - 91 * DAY_MS)}, ${START}, ${new Date(START.getTime() - 3_600_000)},
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
    const fault = (await scene.told()).find(({ status }) => status === 'Failed');
    assert.equal(fault.deviceIds[0].id, imei(0));
  });

  it('makes one request of all lines of an account that cross in a batch', async () => {
    const scene = await makeActingScene({ lines: 400 });
    const id = await scene.create(suspending());
    await scene.use(Object.fromEntries([...Array(400).keys(), 500].map((n) => [n, 2 * MB])));
    assert.equal(await scene.requests(), 2);
    const { n } = await scene.db.one<{ n: number }>(
      sql`select count(*)::int as n from device where state = 'suspend'`,
    );
    assert.equal(n, 401);
    const firings = await scene.firingsOf(id, '?limit=1000');
    assert.equal(firings.length, 401);
    for (const { actions } of firings)
      assert.deepEqual([actions[0]?.state, actions[0]?.deviceCount], ['done', 1]);
  });

  it('of an account suspends its lines on the plan at the level of its own, and those of all where it is combined', async () => {
    const scene = await makeActingScene({ pool: [{ n: 900, servicePlan: 'S' }] });
    const accountLevel = (separateOrCombined: string) =>
      individual(
        {
          suspend: true,
          suspendDetails: { ...SUSPEND_30, suspendFromAccounts: [A, B], threshold: 3, thresholdUnit: 'MB' },
        },
        { conditionType: 'AccountLevel', separateOrCombined },
      );
    const separate = await scene.create(accountLevel('Separate'));
    await scene.use({ 0: 2 * MB });
    assert.deepEqual(await scene.statesOf(0, 1), ['active', 'active'], 'the threshold itself only tells');
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
        [A, 'skipped'],
        [B, 'done'],
      ],
    );
  });

  it('tells of late usage and does nothing', async () => {
    const scene = await makeActingScene();
    const id = await scene.create(suspending());
    scene.world.clock.holdAt(new Date('2026-01-21T00:00:00Z'));
    await scene.use({ 0: 2 * MB }, new Date('2026-01-19T00:00:00Z'));
    assert.deepEqual(await scene.statesOf(0), ['active']);
    const [firing] = await scene.firingsOf(id);
    const action = firing?.actions[0];
    assert.deepEqual([firing?.late, action?.state, action?.requestIds], [true, 'skipped', []]);
    assert.match(action?.reason ?? '', /late/);
  });

  it('alerts and does nothing while actions are paused, and what it left undone stays so', async () => {
    const scene = await makeActingScene();
    const id = await scene.create(suspending());
    await scene.feed({ 0: 2 * MB });
    const paused = await scene.world.operator('POST', '/actions/pause');
    assert.equal(paused.statusCode < 300, true, paused.body);
    await scene.use({ 1: 2 * MB });
    await scene.world.operator('POST', '/actions/resume');
    await scene.use({ 1: MB });
    assert.deepEqual(await scene.statesOf(0, 1), ['suspend', 'active'], 'what was under way goes on');
    assert.deepEqual(outcomesOf(await scene.firingsOf(id)).sort(), [
      ['done', undefined],
      ['skipped', 'Actions of triggers were paused by the operator'],
    ]);
  });

  it('suspends no line twice though two workers and a crash come at it', async () => {
    const scene = await makeActingScene({ lines: 50 });
    const id = await scene.create(suspending());
    const usage = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [n, 2 * MB]));
    await scene.feed(usage);
    const other = await makeWorld({ databaseUrl: scene.world.databaseUrl });
    other.clock.holdAt(scene.world.clock.now());
    await Promise.all([scene.world.engine.settle(), other.engine.settle()]);
    const { workJob } = composeCarrier();
    const [firing] = await scene.firingsOf(id);
    await workJob.run(scene.world.ctx, { accountName: A, requestId: firing!.actions[0]!.requestIds[0]! }, {
      ecpdId: '9000001',
      signal: new AbortController().signal,
    } as never);
    const { n } = await scene.db.one<{ n: number }>(sql`select count(*)::int as n from device_suspension`);
    assert.equal(n, 50);
    assert.equal((await scene.told()).length, 50);
    const { succeeded } = await scene.db.one<{ succeeded: number }>(
      sql`select succeeded from trigger_action`,
    );
    assert.equal(succeeded, 50);
  });
});
