import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { casesOf } from '../../../../test/support/cases.ts';
import { randomFor } from '../../../../test/support/seeded-random.ts';
import type { Ctx } from '../../../platform/context/context.ts';
import { sql } from '../../../platform/db/sql.ts';
import { at, makeSessionWorld, report } from './scene.ts';
import { delivered, drawHistory } from './slow-model.ts';

const world = await makeSessionWorld();
const random = randomFor('sessions');

const doubtsOf = async (nas: string): Promise<Map<string, number>> => {
  const rows = await world.ctx.db.many<{ name: string; bytes: number }>(sql`
    select nas || ' ' || session_id as name, sum(bytes)::float8 as bytes from doubtful_usage where nas = ${nas} group by 1`);
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
};

describe('what sessions count', () => {
  // proves usage/doubtful-usage
  for (const naming of ['all', 'some', 'none'] as const)
    it(`never loses a byte that devices have used, and lists what it may count twice: ${naming} of the reports have charging ids`, async () => {
      const taker = world.taker();
      for (let round = 0; round < casesOf({ everyday: 3, all: 18 }); round++) {
        const nas = `${naming}-${round}`;
        const order = (['kept', 'late', 'any'] as const)[round % 3]!;
        const draw = random.fork(nas);
        const { trueBytes, said, isPlain } = drawHistory(draw, {
          nas,
          naming,
          sameSecond: draw.next() < 0.5,
          sessionsMax: 4,
          lines: world.lines,
        });
        const messages = delivered(draw, said, order);
        while (messages.length > 0) {
          // The taker handles the restarts of a batch first, so one of them would overtake the reports before it.
          const next = messages.findIndex(({ kind }) => kind === 'restart');
          const batch = messages.splice(0, next === 0 ? 1 : Math.min(40, next < 0 ? 40 : next));
          const outcomes = await Promise.all(batch.map((message) => taker.take(message)));
          assert.ok(
            outcomes.every((one) => ['counted', 'doubtful', 'nothing', 'restart'].includes(one as string)),
            JSON.stringify(outcomes),
          );
        }
        await taker.closed();
        const [counted, doubtful] = [await world.counted(), await doubtsOf(nas)];
        for (const [name, bytes] of trueBytes) {
          const above = (counted.get(name) ?? 0) - bytes;
          const doubt = doubtful.get(name) ?? 0;
          const about = `${name}, ${order}: ${above} bytes above the truth, of which ${doubt} are doubtful`;
          assert.ok(above >= 0 && above <= doubt, about);
          if (naming === 'all' || (isPlain && order === 'kept'))
            assert.deepEqual([above, doubt], [0, 0], about);
        }
      }
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
    for (let round = 0; round < casesOf({ everyday: 4, all: 30 }); round++)
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
