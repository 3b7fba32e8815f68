import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import { unreportedLoop } from '../../health/health.ts';
import { createSweeper } from '../sweeper.ts';

const LONG_MS = 3_600_000;

/** A sweeper whose sweeps end only when the test resolves them. */
function makeSweeper(everyMs = LONG_MS) {
  const sweeps: PromiseWithResolvers<number>[] = [];
  const errors: unknown[] = [];
  const begun: (() => void)[] = [];
  const sweeper = createSweeper({
    everyMs,
    loop: unreportedLoop,
    onError: (error) => errors.push(error),
    find: () => {
      const sweep = Promise.withResolvers<number>();
      sweeps.push(sweep);
      begun.shift()?.();
      return sweep.promise;
    },
  });
  return {
    ...sweeper,
    sweeps,
    errors,
    begins: () => new Promise<void>((resolve) => begun.push(resolve)),
  };
}

const aWhile = async () => {
  for (let i = 0; i < 20; i++) await nextTick();
};

describe('a sweeper', () => {
  it('sweeps at once when it is started, and again after its interval', async (t) => {
    const { start, stop, sweeps, begins } = makeSweeper(1);
    t.after(stop);
    const first = begins();
    start();
    await first;
    const second = begins();
    sweeps[0]!.resolve(0);
    await second;
    sweeps[1]!.resolve(0);
  });

  it('sweeps soon after a notice, and once for any number of notices', async (t) => {
    const { start, soon, stop, sweeps, begins } = makeSweeper();
    t.after(stop);
    let begun = begins();
    start();
    await begun;
    sweeps[0]!.resolve(0);
    await aWhile();
    begun = begins();
    for (let i = 0; i < 10; i++) soon();
    await begun;
    sweeps[1]!.resolve(0);
    await aWhile();
    assert.equal(sweeps.length, 2);
  });

  it('sweeps again if a notice arrived during a sweep', async (t) => {
    const { start, soon, stop, sweeps, begins } = makeSweeper();
    t.after(stop);
    let begun = begins();
    start();
    await begun;
    soon();
    await aWhile();
    assert.equal(sweeps.length, 1, 'one at a time');
    begun = begins();
    sweeps[0]!.resolve(1);
    await begun;
    sweeps[1]!.resolve(0);
  });

  it('returns what the sweep of a caller found, after earlier sweeps', async () => {
    const { sweep, sweeps } = makeSweeper();
    const answers = Promise.all([sweep(), sweep()]);
    await aWhile();
    assert.equal(sweeps.length, 1);
    sweeps[0]!.resolve(3);
    await aWhile();
    sweeps[1]!.resolve(4);
    assert.deepEqual(await answers, [3, 4]);
  });

  it('reports a sweep that failed, and continues', async (t) => {
    const { start, stop, sweeps, errors, begins } = makeSweeper(1);
    t.after(stop);
    const first = begins();
    start();
    await first;
    const second = begins();
    sweeps[0]!.reject(new Error('no database'));
    await second;
    sweeps[1]!.resolve(0);
    assert.deepEqual(
      errors.map((error) => (error as Error).message),
      ['no database'],
    );
  });

  it('stops when the sweep in progress has ended, and ignores notices after that', async () => {
    const { start, stop, soon, sweeps, begins } = makeSweeper(1);
    const begun = begins();
    start();
    await begun;
    let stopped = false;
    const stopping = stop().then(() => {
      stopped = true;
    });
    await aWhile();
    assert.equal(stopped, false);
    sweeps[0]!.resolve(0);
    await stopping;
    soon();
    await aWhile();
    assert.equal(sweeps.length, 1);
  });
});

describe('a sweeper that is needed only at times', () => {
  /** Sweeps that end only when the test resolves them. */
  const makeNeeded = () => {
    const sweeps: PromiseWithResolvers<number>[] = [];
    const errors: unknown[] = [];
    let begun = Promise.withResolvers<void>();
    const state = { isNeeded: true };
    const sweeper = createSweeper({
      ...{ everyMs: 1, firstMs: 1 },
      loop: unreportedLoop,
      isNeeded: () => state.isNeeded,
      onError: (error) => errors.push(error),
      find() {
        const current = Promise.withResolvers<number>();
        sweeps.push(current);
        begun.resolve();
        begun = Promise.withResolvers();
        return current.promise;
      },
    });
    return { begin: sweeper.start, stop: sweeper.stop, state, sweeps, errors, begins: () => begun.promise };
  };

  it('continues while it is needed, one sweep at a time, even after one that failed', async (t) => {
    const { begin, stop, state, sweeps, errors, begins } = makeNeeded();
    t.after(stop);
    begin();
    await begins();
    begin();
    await sleep(10);
    assert.equal(sweeps.length, 1);
    sweeps[0]!.reject(new Error('no database'));
    await begins();
    assert.equal(errors.length, 1);
    state.isNeeded = false;
    sweeps[1]!.resolve(0);
    await sleep(10);
    assert.equal(sweeps.length, 2);
    state.isNeeded = true;
    begin();
    await begins();
    sweeps[2]!.resolve(0);
  });

  it('ends with a stop, even during a sweep', async () => {
    const { begin, stop, sweeps, begins } = makeNeeded();
    begin();
    await begins();
    void stop();
    sweeps[0]!.resolve(0);
    await sleep(10);
    begin();
    await sleep(10);
    assert.equal(sweeps.length, 1);
  });
});
