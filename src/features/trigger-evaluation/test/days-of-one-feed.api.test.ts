import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MB, makeActingWorld, SUSPEND_30 } from '../../trigger-actions/test/scene.ts';

const nextScene = await makeActingWorld({ customers: 8 });

/** A Wednesday in the cycle that began on the 20th in the zone of account a. */
const NOW = new Date('2026-01-28T18:00:00Z');
const MONDAY = '2026-01-26T18:00:00Z';
const TUESDAY = '2026-01-27T18:00:00Z';
const WEDNESDAY = '2026-01-28T17:00:00Z';

const SUSPENDING = { suspend: true, suspendDetails: SUSPEND_30 };

async function sceneOfOneTrigger(condition: object, action: object = SUSPENDING) {
  const scene = await nextScene();
  scene.world.clock.holdAt(NOW);
  const trigger = await scene.create(scene.individual(action, { threshold: 4, ...condition }));
  let fed = 0;
  const feed = async (usage: readonly (readonly [line: number, at: string, bytes: number])[]) => {
    const answer = await scene.world.operator(
      'POST',
      '/usage',
      usage.map(([line, at, bytes]) => ({
        id: `${scene.ecpdId} ${++fed}`,
        kind: 'imei',
        device: scene.imei(line),
        at,
        bytes,
      })),
    );
    assert.equal(answer.json().accepted, usage.length, answer.body);
    await scene.world.engine.settle();
  };
  /** The record with which each subject exceeded the level, and the counter before and after. */
  const crossings = async () =>
    (await scene.firingsOf(trigger)).map(({ usageRecordId, before, after }) => [
      usageRecordId?.split(' ')[1],
      before / MB,
      after / MB,
    ]);
  return { ...scene, trigger, feed, crossings };
}

describe('one feed with several days of a cycle, without a daily level', () => {
  const days = { Monthly: [MONDAY, TUESDAY], Weekly: [TUESDAY, WEDNESDAY] } as const;
  for (const cycleType of ['Monthly', 'Weekly'] as const)
    it(`passes a ${cycleType} level once, by the record that did it, and suspends the line`, async () => {
      const scene = await sceneOfOneTrigger({ cycleType });
      await scene.feed([
        [0, days[cycleType][0], 5 * MB],
        [0, days[cycleType][1], 5 * MB],
      ]);
      assert.deepEqual(await scene.crossings(), [['1', 0, 5]]);
      assert.deepEqual(await scene.statesOf(0), ['suspend']);
    });

  it('adds the days up in feed order, not each day separately', async () => {
    const scene = await sceneOfOneTrigger({});
    await scene.feed([
      [0, TUESDAY, 5 * MB],
      [1, TUESDAY, MB],
      [0, WEDNESDAY, 3 * MB],
      [0, MONDAY, MB],
    ]);
    assert.deepEqual(await scene.crossings(), [['1', 0, 5]]);
    assert.deepEqual(await scene.statesOf(0, 1), ['suspend', 'active']);
  });

  it('passes a level of an account once', async () => {
    const scene = await sceneOfOneTrigger(
      { conditionType: 'AccountLevel', separateOrCombined: 'Separate' },
      {},
    );
    await scene.feed([
      [0, TUESDAY, 5 * MB],
      [1, MONDAY, MB],
      [2, WEDNESDAY, 3 * MB],
    ]);
    assert.deepEqual(await scene.crossings(), [['1', 0, 5]]);
  });
});
