import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MB, makeActingWorld, outcomesOf, share } from './scene.ts';

const nextScene = await makeActingWorld();

describe('a trigger that changes plans', () => {
  // proves 2.2.1-action/changePlan 2.2.1-action/changePlanDetails plans/usage-and-plan-changes
  it('moves the line to the other plan, where it starts at zero', async () => {
    const scene = await nextScene();
    const id = await scene.create(scene.changing('CARRIER-Q'));
    await scene.use({ 0: 2 * MB });
    assert.deepEqual(await scene.plansOf(0, 1), ['Q', 'P']);
    await scene.use({ 0: 2 * MB });
    const firings = await scene.firingsOf(id);
    assert.deepEqual(outcomesOf(firings), [['done', undefined]]);
  });

  // proves price-plan-triggers/failed-actions price-plan-triggers/plan-changes
  it('keeps the firing and says why when the line was changed four times this month', async () => {
    const scene = await nextScene();
    const id = await scene.create(scene.changing('CARRIER-Q'));
    for (const servicePlan of ['Q', 'P', 'Q', 'P']) {
      scene.world.pass(1_000);
      await scene.change(0, servicePlan);
    }
    await scene.use({ 0: 2 * MB });
    assert.deepEqual(await scene.plansOf(0), ['P']);
    const [[state, reason] = []] = outcomesOf(await scene.firingsOf(id));
    assert.equal(state, 'failed');
    assert.match(reason ?? '', /four times/);
  });

  // proves price-plan-triggers/plan-changes price-plan-triggers/order-of-triggers
  it('skips suspended lines, whoever suspended them', async () => {
    const scene = await nextScene();
    const first = await scene.create(scene.suspending());
    const second = await scene.create(scene.changing('CARRIER-Q'));
    await scene.use({ 0: 2 * MB });
    assert.deepEqual([...(await scene.statesOf(0)), ...(await scene.plansOf(0))], ['suspend', 'P']);
    assert.deepEqual(outcomesOf(await scene.firingsOf(first)), [['done', undefined]]);
    const [[state, reason] = []] = outcomesOf(await scene.firingsOf(second));
    assert.deepEqual([state, reason], ['skipped', 'The line was no longer active on the plan']);
  });

  // proves price-plan-triggers/order-of-triggers
  it('takes effect for later triggers: a line that left the plan is not suspended', async () => {
    const scene = await nextScene();
    await scene.create(scene.changing('CARRIER-Q'));
    const second = await scene.create(scene.suspending());
    await scene.use({ 0: 2 * MB, 500: 2 * MB });
    assert.deepEqual(await scene.plansOf(0, 500), ['Q', 'Q']);
    assert.deepEqual(await scene.statesOf(0, 500), ['active', 'active']);
    for (const [state] of outcomesOf(await scene.firingsOf(second))) assert.equal(state, 'skipped');
  });

  // proves 2.2.2/individual-change-plan price-plan-triggers/pool-moves
  it('moves each line of a group by its own plan’s entry, from the beginning of the cycle', async () => {
    const scene = await nextScene({
      pool: [
        { n: 900, servicePlan: 'S' },
        { n: 901, servicePlan: 'L' },
      ],
    });
    const sharePlan = [
      { fromCarrierCode: 'CARRIER-S', toCarrierCode: 'CARRIER-L', criteriaPercentage: 90 },
      { fromCarrierCode: 'CARRIER-L', toCarrierCode: 'CARRIER-S', criteriaPercentage: 50 },
    ];
    const changePlan = { sharePlan, triggerDate: 'BackDate' };
    await scene.create(share('accountGroupShareIndividual', 'changePricePlan', { changePlan }));
    await scene.use({ 900: 0.95 * MB, 901: MB });
    assert.deepEqual(await scene.plansOf(900, 901), ['L', 'L']);
    const { since } = await scene.deviceOf(900);
    assert.deepEqual(since, new Date('2025-12-20T06:00:00Z'));
  });

  const poolMoves = (fromCarrierCode: string, toCarrierCode: string) => ({
    changePlan: [{ fromCarrierCode, toCarrierCode }],
    dataPoolOverageBuffer: 50,
    triggerDate: 'CurrentDate',
  });
  const upAndDown = share('accountGroupSharePool', 'changePricePlan', {
    automation: 'customerAutomation',
    changePlan: {
      changePlanGT: poolMoves('CARRIER-S', 'CARRIER-L'),
      changePlanLT: poolMoves('CARRIER-L', 'CARRIER-S'),
    },
  });
  const smallPool = [
    { n: 900, servicePlan: 'S' },
    { n: 901, servicePlan: 'S', of: 'b' },
    { n: 902, servicePlan: 'S' },
    { n: 903, servicePlan: 'S' },
  ] as const;
  const large = { toCarrierServicePlanCode: 'CARRIER-L', toServicePlanDescription: 'Large' };
  const small = { fromCarrierServicePlanCode: 'CARRIER-S', fromServicePlanDescription: 'Small' };

  // proves 2.2.2/pool-change-plan price-plan-triggers/pool-moves price-plan-triggers/group-share-alerts
  it('of a pool moves the lines with the largest overage until the buffer is restored, in all accounts', async () => {
    const scene = await nextScene({ pool: smallPool });
    const id = await scene.create(upAndDown);
    await scene.use({ 900: MB, 901: 2.5 * MB, 902: 1.25 * MB, 903: 100 });
    assert.deepEqual(await scene.plansOf(900, 901, 902, 903), ['S', 'L', 'L', 'S']);
    const [firing] = await scene.firingsOf(id);
    assert.deepEqual(
      firing?.actions.map(({ accountName, state, deviceCount }) => [accountName, state, deviceCount]).sort(),
      [
        [scene.a, 'done', 1],
        [scene.b, 'done', 1],
      ],
    );
    const [alert] = await scene.alerts();
    assert.deepEqual(alert.accountGroupShare.action, {
      changePlan: {
        changePlanAutomation: 'customerAutomation',
        moreThan100Percentage: {
          effectiveDate: firing?.firedAt,
          bufferReduced: 4 * MB,
          devicePerPricePlan: [{ deviceCount: 2, ...small, ...large }],
        },
      },
    });
    await scene.world.operator('POST', '/actions/pause');
    scene.world.clock.holdAt(new Date('2026-01-25T00:00:00Z'));
    await scene.use({ 903: 100 * MB });
    const [paused] = await scene.firingsOf(id);
    assert.deepEqual(
      paused?.actions.map(({ state, reason, deviceCount }) => [state, reason, deviceCount]),
      [['skipped', 'Actions of triggers were paused by the operator', 0]],
    );
    await scene.world.operator('POST', '/actions/resume');
    const [, late] = await scene.alerts();
    assert.equal(late.accountGroupShare.action, undefined);
    assert.match(late.message, /Actions are paused/);
  });

  // proves 2.2.2/pool-change-plan price-plan-triggers/group-share-alerts
  it('of a pool that was not used up moves lines to smaller plans, and the daily summary says so', async () => {
    const scene = await nextScene({
      pool: [
        { n: 900, servicePlan: 'L' },
        { n: 901, servicePlan: 'L', of: 'b' },
        { n: 902, servicePlan: 'L' },
      ],
    });
    await scene.create(upAndDown, 'DailySummary');
    await scene.use({ 900: 2 * MB, 901: MB });
    const advanced = await scene.world.operator('POST', '/clock', { advance: 'P17D' });
    assert.equal(advanced.statusCode, 200, advanced.body);
    assert.deepEqual(await scene.plansOf(900, 901, 902), ['L', 'S', 'S']);
    const [summary, ...others] = await scene.alerts();
    assert.deepEqual(others, []);
    assert.match(summary.message, /^Summary of 2026-01-20/);
    assert.deepEqual(summary.accountGroupShare.action.changePlan, {
      changePlanAutomation: 'customerAutomation',
      lessThan100Percentage: {
        effectiveDate: '2026-01-20T06:00:00.000Z',
        bufferReduced: 4 * MB,
        devicePerPricePlan: [
          {
            deviceCount: 2,
            fromCarrierServicePlanCode: 'CARRIER-L',
            fromServicePlanDescription: 'Large',
            toCarrierServicePlanCode: 'CARRIER-S',
            toServicePlanDescription: 'Small',
          },
        ],
      },
    });
  });

  it('of a pool in which no line can be moved says so, and why', async () => {
    const scene = await nextScene({ pool: [{ n: 900, servicePlan: 'L' }] });
    const id = await scene.create(upAndDown);
    await scene.use({ 900: 4 * MB });
    const [alert] = await scene.alerts();
    assert.equal(alert.accountGroupShare.action, undefined);
    assert.match(alert.message, /There was no line to act on\.$/);
    assert.deepEqual(outcomesOf(await scene.firingsOf(id)), [['skipped', 'There was no line to act on']]);
  });
});
