import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { makeLanes } from './lanes-in-memory.ts';

const POOL = { places: 2, placesPerProfile: 2 };
const named = (name: string) => ({ ecpdId: 'p1', name });

/** An engine that is told of whatever becomes due, and has looked once. What is told of is found by no look of these lanes. */
async function open(pool = POOL) {
  const lanes = makeLanes(pool, { isToldOfAll: true });
  lanes.engine.start();
  await lanes.until(() => lanes.looks.length > 0);
  return { ...lanes, tell: (name: string) => lanes.engine.told(pool, named(name)) };
}

describe('a lane that something is told of', () => {
  it('is claimed without a look', async (t) => {
    const { engine, until, working, tell } = await open();
    t.after(() => engine.stop(0));
    tell('a');
    tell('b');
    await until(() => working.size === 2);
    assert.deepEqual([...working.keys()], ['a', 'b']);
  });

  it('is claimed in the order of a look where there are not places for all', async (t) => {
    const { engine, add, until, working, tell } = await open();
    t.after(() => engine.stop(0));
    add('p1', 'first', 'second', 'third');
    for (const name of ['second', 'third', 'first']) tell(name);
    await until(() => working.size === 2);
    assert.deepEqual([...working.keys()], ['first', 'second']);
  });

  it('is claimed again when it is let go, where that was under way', async (t) => {
    const { engine, until, working, released, holdReleases, tell } = await open();
    t.after(() => engine.stop(0));
    tell('a');
    await until(() => working.has('a'));
    const release = holdReleases();
    working.get('a')!.resolve();
    working.delete('a');
    await until(() => engine.size === 0);
    tell('a');
    release();
    await until(() => working.has('a'));
    assert.deepEqual(released, [['a']]);
  });

  it('is no reason to leave others waiting: it is looked for them all the same', async (t) => {
    const { engine, add, until, working, tell } = await open({ places: 9, placesPerProfile: 9 });
    t.after(() => engine.stop(0));
    add('p2', 'untold');
    while (!working.has('untold')) {
      tell('a');
      await until(() => working.has('a') || working.has('untold'));
      working.get('a')?.resolve();
      working.delete('a');
      await until(() => engine.size === (working.has('untold') ? 1 : 0));
    }
  });
});

describe('the end of work on a lane', () => {
  const ROUNDS = 20;
  /** How many looks there are in so many rounds, without those that come by themselves, twice a second. */
  async function countLooks(
    pool: typeof POOL,
    round: (lanes: Awaited<ReturnType<typeof open>>) => Promise<void>,
  ) {
    const lanes = await open(pool);
    const [before, startedAt] = [lanes.looks.length, performance.now()];
    for (let nth = 0; nth < ROUNDS; nth++) await round(lanes);
    const byThemselves = Math.ceil((performance.now() - startedAt) / 500);
    await lanes.engine.stop(0);
    return lanes.looks.length - before - byThemselves;
  }

  const work = async ({ engine, until, working }: Awaited<ReturnType<typeof open>>, name: string) => {
    await until(() => working.has(name));
    working.get(name)!.resolve();
    working.delete(name);
    await until(() => engine.workerOf(named(name)) === undefined);
  };

  it('makes room for the next lane of a profile with few places, sooner than the look that comes by itself', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { engine, add, working } = makeLanes({ places: 9, placesPerProfile: 2 }, { isToldOfAll: true });
    const names = Array.from({ length: 40 }, (_, n) => `quiet-${n}`);
    add('p1', ...names);
    engine.start();
    for (let ms = 0; ms < 400 && working.size < names.length; ms++) {
      t.mock.timers.tick(1);
      await nextTurn();
    }
    t.mock.timers.reset();
    await engine.stop(0);
    assert.equal(working.size, names.length);
  });

  it('is no reason for a look where nothing waits for a place, and all is told of', async () => {
    const looks = await countLooks(POOL, async (lanes) => {
      lanes.tell('a');
      await work(lanes, 'a');
    });
    assert.ok(looks <= 1, String(looks));
  });

  it('is a reason for a look where the lane is due again', async () => {
    const looks = await countLooks(POOL, async (lanes) => {
      lanes.tell('again');
      await work(lanes, 'again');
    });
    assert.ok(looks > 1, String(looks));
  });

  it('is a reason for a look where its profile had no place for another, though some are free', async () => {
    const looks = await countLooks({ places: 9, placesPerProfile: 1 }, async (lanes) => {
      lanes.add('p1', 'a', 'b');
      lanes.engine.soon();
      await work(lanes, 'a');
      await work(lanes, 'b');
    });
    assert.ok(looks > ROUNDS + 1, String(looks));
  });
});
