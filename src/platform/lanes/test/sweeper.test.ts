import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { unreportedLoop } from '../../health/health.ts';
import { createSweeper } from '../sweeper.ts';

const LONG_MS = 3_600_000;

/** A sweeper whose looks end only when the test says so. */
function makeSweeper(everyMs = LONG_MS) {
  const looks: PromiseWithResolvers<number>[] = [];
  const errors: unknown[] = [];
  const begun: (() => void)[] = [];
  const sweeper = createSweeper({
    everyMs,
    loop: unreportedLoop,
    onError: (error) => errors.push(error),
    find: () => {
      const look = Promise.withResolvers<number>();
      looks.push(look);
      begun.shift()?.();
      return look.promise;
    },
  });
  return {
    ...sweeper,
    looks,
    errors,
    begins: () => new Promise<void>((resolve) => begun.push(resolve)),
  };
}

const aWhile = async () => {
  for (let i = 0; i < 20; i++) await nextTurn();
};

describe('a sweeper', () => {
  it('looks at once when it is started, and again after its time', async (t) => {
    const { start, stop, looks, begins } = makeSweeper(1);
    t.after(stop);
    const first = begins();
    start();
    await first;
    const second = begins();
    looks[0]!.resolve(0);
    await second;
    looks[1]!.resolve(0);
  });

  it('looks soon on a notice, and once for any number of notices', async (t) => {
    const { start, soon, stop, looks, begins } = makeSweeper();
    t.after(stop);
    let begun = begins();
    start();
    await begun;
    looks[0]!.resolve(0);
    await aWhile();
    begun = begins();
    for (let i = 0; i < 10; i++) soon();
    await begun;
    looks[1]!.resolve(0);
    await aWhile();
    assert.equal(looks.length, 2);
  });

  it('looks again after a look during which it was told of something', async (t) => {
    const { start, soon, stop, looks, begins } = makeSweeper();
    t.after(stop);
    let begun = begins();
    start();
    await begun;
    soon();
    await aWhile();
    assert.equal(looks.length, 1, 'one at a time');
    begun = begins();
    looks[0]!.resolve(1);
    await begun;
    looks[1]!.resolve(0);
  });

  it('answers what the look of a caller found, after those before it', async () => {
    const { look, looks } = makeSweeper();
    const answers = Promise.all([look(), look()]);
    await aWhile();
    assert.equal(looks.length, 1);
    looks[0]!.resolve(3);
    await aWhile();
    looks[1]!.resolve(4);
    assert.deepEqual(await answers, [3, 4]);
  });

  it('tells of a look that failed, and goes on', async (t) => {
    const { start, stop, looks, errors, begins } = makeSweeper(1);
    t.after(stop);
    const first = begins();
    start();
    await first;
    const second = begins();
    looks[0]!.reject(new Error('no database'));
    await second;
    looks[1]!.resolve(0);
    assert.deepEqual(
      errors.map((error) => (error as Error).message),
      ['no database'],
    );
  });

  it('is stopped when the look under way has ended, and hears no notice then', async () => {
    const { start, stop, soon, looks, begins } = makeSweeper(1);
    const begun = begins();
    start();
    await begun;
    let stopped = false;
    const stopping = stop().then(() => {
      stopped = true;
    });
    await aWhile();
    assert.equal(stopped, false);
    looks[0]!.resolve(0);
    await stopping;
    soon();
    await aWhile();
    assert.equal(looks.length, 1);
  });
});

describe('a sweeper that is needed only at times', () => {
  /** Looks that end only when the test says so. */
  const makeNeeded = () => {
    const turns: PromiseWithResolvers<number>[] = [];
    const errors: unknown[] = [];
    let begun = Promise.withResolvers<void>();
    const state = { isNeeded: true };
    const sweeper = createSweeper({
      ...{ everyMs: 1, firstMs: 1 },
      loop: unreportedLoop,
      isNeeded: () => state.isNeeded,
      onError: (error) => errors.push(error),
      find() {
        const turn = Promise.withResolvers<number>();
        turns.push(turn);
        begun.resolve();
        begun = Promise.withResolvers();
        return turn.promise;
      },
    });
    return { begin: sweeper.start, stop: sweeper.stop, state, turns, errors, begins: () => begun.promise };
  };

  it('goes on for as long as it is needed, one look at a time, also after one that failed', async (t) => {
    const { begin, stop, state, turns, errors, begins } = makeNeeded();
    t.after(stop);
    begin();
    await begins();
    begin();
    await sleep(10);
    assert.equal(turns.length, 1);
    turns[0]!.reject(new Error('no database'));
    await begins();
    assert.equal(errors.length, 1);
    state.isNeeded = false;
    turns[1]!.resolve(0);
    await sleep(10);
    assert.equal(turns.length, 2);
    state.isNeeded = true;
    begin();
    await begins();
    turns[2]!.resolve(0);
  });

  it('ends with a stop, also with one during a look', async () => {
    const { begin, stop, turns, begins } = makeNeeded();
    begin();
    await begins();
    void stop();
    turns[0]!.resolve(0);
    await sleep(10);
    begin();
    await sleep(10);
    assert.equal(turns.length, 1);
  });
});
