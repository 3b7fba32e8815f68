import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomFor, type SeededRandom } from '../../../../test/support/seeded-random.ts';
import type { Ctx } from '../../../platform/context/context.ts';
import type { Restart, SessionReport } from '../index.ts';
import { at, makeSessionWorld, report } from './scene.ts';
import { SlowModel } from './slow-model.ts';

const world = await makeSessionWorld();
const random = randomFor('sessions');

type Message = SessionReport | Restart;

/** Any message an access server may send, in any order. Each session belongs to one line. */
function randomMessage(draw: SeededRandom, run: string): Message {
  const nas = `${run}-${draw.between(1, 2)}`;
  const atMs = at(draw.between(0, 300));
  if (draw.next() < 0.05) return { kind: 'restart', nas, atMs };
  const n = draw.between(0, world.lines - 1);
  return report({
    n,
    nas,
    kind: draw.pick(['start', 'interim', 'interim', 'interim', 'stop']),
    sessionId: `${n}-${draw.between(0, 1)}`,
    atMs,
    input: draw.between(0, 2_000),
    output: draw.between(0, 2_000),
  });
}

/** The taker handles the restarts of a batch first. */
const inOrderOfTaking = (batch: readonly Message[]): Message[] => [
  ...batch.filter(({ kind }) => kind === 'restart'),
  ...batch.filter(({ kind }) => kind !== 'restart'),
];

describe('what sessions count', () => {
  it('matches a slow model for the same reports: late, repeated, after restarts, and with reused ids', async () => {
    const [taker, model] = [world.taker(), new SlowModel()];
    for (let round = 0; round < 40; round++) {
      const fresh = Array.from({ length: random.between(1, 60) }, () => randomMessage(random, 'any'));
      const batch = random.shuffle([...fresh, ...fresh.filter(() => random.next() < 0.3)]);
      const outcomes = await Promise.all(batch.map((said) => taker.take(said)));
      assert.ok(
        outcomes.every((outcome) => ['counted', 'nothing', 'restart'].includes(outcome as string)),
        JSON.stringify(outcomes),
      );
      for (const said of inOrderOfTaking(batch)) model.hear(said);
    }
    assert.deepEqual([...(await world.counted())].sort(), [...model.counted()].sort());
    assert.deepEqual(await world.differences(), []);
  });

  it('equals the highest counters of each session, to the byte, when several processes take the same reports at once and are cut off', async () => {
    const before = await world.total();
    // Each transaction may be rolled back at its very end, or commit without the caller learning of it.
    const breaking = random.fork('breaking');
    const { ctx } = world;
    const unreliable: Ctx = {
      ...ctx,
      db: {
        ...ctx.db,
        async tx(work, options) {
          const draw = options?.ecpdId === undefined ? 1 : breaking.next();
          const result = await ctx.db.tx(async (db) => {
            const done = await work(db);
            if (draw < 0.2) throw new Error('cut off before the end');
            return done;
          }, options);
          if (draw < 0.3) throw new Error('cut off after the end');
          return result;
        },
      },
    };
    const highest = new Map<string, { input: number; output: number }>();
    const said = Array.from({ length: 600 }, () => {
      const n = random.between(0, world.lines - 1);
      const minute = random.between(1, 300);
      const [input, output] = [minute * 1_000 + n, minute * 77];
      const name = String(n);
      const high = highest.get(name) ?? { input: 0, output: 0 };
      highest.set(name, { input: Math.max(high.input, input), output: Math.max(high.output, output) });
      return report({ n, nas: 'both', sessionId: name, atMs: at(minute), input, output });
    });
    const takers = [world.taker(unreliable), world.taker(unreliable), world.taker(unreliable)];
    await Promise.all(
      takers.map(async (taker, place) => {
        let left = random.fork(`taker ${place}`).shuffle(said);
        for (let round = 0; left.length > 0; round++) {
          assert.ok(round < 500, 'never all were taken');
          const some = left.splice(0, 50);
          const outcomes = await Promise.all(some.map((each) => taker.take(each)));
          left = [...left, ...some.filter((_, n) => outcomes[n] === 'failed')];
        }
      }),
    );
    const expected = [...highest.values()].reduce((sum, { input, output }) => sum + input + output, 0);
    assert.equal((await world.total()) - before, expected);
    assert.ok(world.failures.some((reason) => reason.startsWith('cut off')));
    assert.deepEqual(await world.differences(), []);
  });

  it('equals the highest counters of each session, to the byte, when two processes take the first reports of the same sessions at once', async () => {
    const before = await world.total();
    const takers = [world.taker(), world.taker()];
    let expected = 0;
    for (let round = 0; round < 30; round++)
      for (const n of Array.from({ length: world.lines }, (_, each) => each)) {
        const inputs = random.shuffle([1_000, 3_000]);
        const said = (input: number) =>
          report({ n, nas: 'first', sessionId: `${n}-${round}`, atMs: at(round), input, output: 0 });
        await Promise.all(takers.map((taker, place) => taker.take(said(inputs[place]!))));
        expected += 3_000;
      }
    assert.equal((await world.total()) - before, expected);
    assert.deepEqual(await world.differences(), []);
  });
});
