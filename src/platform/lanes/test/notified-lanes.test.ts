import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { makeLanes } from './lanes-in-memory.ts';

const POOL = { places: 2, placesPerProfile: 2 };
const named = (name: string) => ({ ecpdId: 'p1', name });

/** An engine that is notified of all due work, after its first query. Queries do not find lanes given to `notify`. */
async function open(pool = POOL) {
  const lanes = makeLanes(pool, { notifiesAll: true });
  lanes.engine.start();
  await lanes.until(() => lanes.queries.length > 0);
  return { ...lanes, notify: (name: string) => lanes.engine.notified(pool, named(name)) };
}

describe('a lane named in a notification', () => {
  it('is claimed without a query', async (t) => {
    const { engine, until, working, notify } = await open();
    t.after(() => engine.stop(0));
    notify('a');
    notify('b');
    await until(() => working.size === 2);
    assert.deepEqual([...working.keys()], ['a', 'b']);
  });

  it('is claimed in the order of a query if there are too few places for all', async (t) => {
    const { engine, add, until, working, notify } = await open();
    t.after(() => engine.stop(0));
    add('p1', 'first', 'second', 'third');
    for (const name of ['second', 'third', 'first']) notify(name);
    await until(() => working.size === 2);
    assert.deepEqual([...working.keys()], ['first', 'second']);
  });

  it('is claimed again after its release if the notification arrives during the release', async (t) => {
    const { engine, until, working, released, holdReleases, notify } = await open();
    t.after(() => engine.stop(0));
    notify('a');
    await until(() => working.has('a'));
    const release = holdReleases();
    working.get('a')!.resolve();
    working.delete('a');
    await until(() => engine.size === 0);
    notify('a');
    release();
    await until(() => working.has('a'));
    assert.deepEqual(released, [['a']]);
  });

  it('does not keep other lanes waiting: a query still finds them', async (t) => {
    const { engine, add, until, working, notify } = await open({ places: 9, placesPerProfile: 9 });
    t.after(() => engine.stop(0));
    add('p2', 'unnamed');
    while (!working.has('unnamed')) {
      notify('a');
      await until(() => working.has('a') || working.has('unnamed'));
      working.get('a')?.resolve();
      working.delete('a');
      await until(() => engine.size === (working.has('unnamed') ? 1 : 0));
    }
  });
});

describe('the end of work on a lane', () => {
  const ROUNDS = 20;
  /** Counts the queries in the rounds, without the regular ones, twice a second. */
  async function countQueries(
    pool: typeof POOL,
    round: (lanes: Awaited<ReturnType<typeof open>>) => Promise<void>,
  ) {
    const lanes = await open(pool);
    const [before, startedAt] = [lanes.queries.length, performance.now()];
    for (let nth = 0; nth < ROUNDS; nth++) await round(lanes);
    const regular = Math.ceil((performance.now() - startedAt) / 500);
    await lanes.engine.stop(0);
    return lanes.queries.length - before - regular;
  }

  const work = async ({ engine, until, working }: Awaited<ReturnType<typeof open>>, name: string) => {
    await until(() => working.has(name));
    working.get(name)!.resolve();
    working.delete(name);
    await until(() => engine.workerOf(named(name)) === undefined);
  };

  it('makes room for the next lane of a profile with few places before the next regular query', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { engine, add, working } = makeLanes({ places: 9, placesPerProfile: 2 }, { notifiesAll: true });
    const names = Array.from({ length: 40 }, (_, n) => `quiet-${n}`);
    add('p1', ...names);
    engine.start();
    for (let ms = 0; ms < 400 && working.size < names.length; ms++) {
      t.mock.timers.tick(1);
      await nextTick();
    }
    t.mock.timers.reset();
    await engine.stop(0);
    assert.equal(working.size, names.length);
  });

  it('causes no query if no lane waits for a place, and the engine is notified of everything', async () => {
    const queries = await countQueries(POOL, async (lanes) => {
      lanes.notify('a');
      await work(lanes, 'a');
    });
    assert.ok(queries <= 1, String(queries));
  });

  it('causes a query if the lane is due again', async () => {
    const queries = await countQueries(POOL, async (lanes) => {
      lanes.notify('again');
      await work(lanes, 'again');
    });
    assert.ok(queries > 1, String(queries));
  });

  it('causes a query if its profile had no place for another lane, even if the pool has', async () => {
    const queries = await countQueries({ places: 9, placesPerProfile: 1 }, async (lanes) => {
      lanes.add('p1', 'a', 'b');
      lanes.engine.soon();
      await work(lanes, 'a');
      await work(lanes, 'b');
    });
    assert.ok(queries > ROUNDS + 1, String(queries));
  });
});
