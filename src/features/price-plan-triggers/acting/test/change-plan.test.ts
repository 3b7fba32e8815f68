import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { A, B, changing, GROUP, MB, makeActingScene, outcomesOf, suspending } from './scene.ts';

const share = (
  kind: 'accountGroupShareIndividual' | 'accountGroupSharePool',
  action: string,
  what: object,
) => ({
  accountGroupShare: {
    [kind]: { filterCriteria: { ratePlanGroupId: GROUP }, condition: { action }, action: what },
  },
});
describe('a trigger that changes plans', () => {
  it('puts the line on the other plan, where it starts at zero', async () => {
    const scene = await makeActingScene();
    const id = await scene.create(changing('CARRIER-Q'));
    await scene.use({ 0: 2 * MB });
    assert.deepEqual(await scene.plansOf(0, 1), ['Q', 'P']);
    await scene.use({ 0: 2 * MB });
    const firings = await scene.firingsOf(id);
    assert.deepEqual(outcomesOf(firings), [['done', undefined]]);
  });

  it('keeps the firing and says why when the line was changed four times this month', async () => {
    const scene = await makeActingScene();
    const id = await scene.create(changing('CARRIER-Q'));
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

  it('passes over lines that are suspended, whoever did it', async () => {
    const scene = await makeActingScene();
    const first = await scene.create(suspending());
    const second = await scene.create(changing('CARRIER-Q'));
    await scene.use({ 0: 2 * MB });
    assert.deepEqual([...(await scene.statesOf(0)), ...(await scene.plansOf(0))], ['suspend', 'P']);
    assert.deepEqual(outcomesOf(await scene.firingsOf(first)), [['done', undefined]]);
    const [[state, reason] = []] = outcomesOf(await scene.firingsOf(second));
    assert.deepEqual([state, reason], ['skipped', 'The line was no longer active on the plan']);
  });

  it('is seen by the triggers after it: a line that has left the plan is not suspended', async () => {
    const scene = await makeActingScene();
    await scene.create(changing('CARRIER-Q'));
    const second = await scene.create(suspending());
    await scene.use({ 0: 2 * MB, 500: 2 * MB });
    assert.deepEqual(await scene.plansOf(0, 500), ['Q', 'Q']);
    assert.deepEqual(await scene.statesOf(0, 500), ['active', 'active']);
    for (const [state] of outcomesOf(await scene.firingsOf(second))) assert.equal(state, 'skipped');
  });

  it('of lines in a group moves each as its own plan says, from the beginning of the cycle', async () => {
    const scene = await makeActingScene({
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

  it('of a pool moves the lines with the largest overage until the buffer is there, in all accounts', async () => {
    const scene = await makeActingScene({
      pool: [
        { n: 900, servicePlan: 'S' },
        { n: 901, servicePlan: 'S', accountName: B },
        { n: 902, servicePlan: 'S' },
        { n: 903, servicePlan: 'S' },
      ],
    });
    const moves = (fromCarrierCode: string, toCarrierCode: string) => ({
      changePlan: [{ fromCarrierCode, toCarrierCode }],
      dataPoolOverageBuffer: 50,
      triggerDate: 'CurrentDate',
    });
    const id = await scene.create(
      share('accountGroupSharePool', 'changePricePlan', {
        automation: 'customerAutomation',
        changePlan: {
          changePlanGT: moves('CARRIER-S', 'CARRIER-L'),
          changePlanLT: moves('CARRIER-L', 'CARRIER-S'),
        },
      }),
    );
    await scene.use({ 900: MB, 901: 2.5 * MB, 902: 1.25 * MB, 903: 100 });
    assert.deepEqual(await scene.plansOf(900, 901, 902, 903), ['S', 'L', 'L', 'S']);
    const [firing] = await scene.firingsOf(id);
    assert.deepEqual(
      firing?.actions.map(({ accountName, state, deviceCount }) => [accountName, state, deviceCount]).sort(),
      [
        [A, 'done', 1],
        [B, 'done', 1],
      ],
    );
    await scene.world.operator('POST', '/actions/pause');
    scene.world.clock.holdAt(new Date('2026-01-25T00:00:00Z'));
    await scene.use({ 903: 100 * MB });
    const [paused] = await scene.firingsOf(id);
    assert.deepEqual(
      paused?.actions.map(({ state, reason, deviceCount }) => [state, reason, deviceCount]),
      [['skipped', 'Actions of triggers were paused by the operator', 0]],
    );
  });
});
