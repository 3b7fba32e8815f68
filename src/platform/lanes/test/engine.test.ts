import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeLanes } from './lanes-in-memory.ts';

describe('the lane engine', () => {
  it('gives no profile more than its places, and what is free to whoever is due next', async (t) => {
    const { engine, add, until, working } = makeLanes({ places: 3, placesPerProfile: 2 });
    t.after(() => engine.stop(0));
    add('p1', 'a', 'b', 'c');
    add('p2', 'd', 'e');
    engine.start();
    await until(() => working.size === 3);
    assert.deepEqual([...working.keys()], ['a', 'b', 'd']);
    working.get('a')!.resolve();
    await until(() => working.size === 4);
    assert.ok(working.has('c'), 'its profile has a place again');
  });

  it('is crowded for a lane whose pool or profile has no place left, and for no other', async (t) => {
    const { engine, add, until, working } = makeLanes({ places: 3, placesPerProfile: 2 });
    t.after(() => engine.stop(0));
    const [a, d] = [
      { ecpdId: 'p1', name: 'a' },
      { ecpdId: 'p2', name: 'd' },
    ];
    add('p1', 'a');
    add('p2', 'd');
    engine.start();
    await until(() => working.size === 2);
    assert.deepEqual([engine.isCrowded(a), engine.isCrowded(d)], [false, false]);
    add('p2', 'e');
    engine.soon();
    await until(() => working.size === 3);
    assert.deepEqual([engine.isCrowded(a), engine.isCrowded(d)], [true, true]);
    working.get('a')!.resolve();
    await until(() => engine.size === 2);
    assert.deepEqual([engine.isCrowded(a), engine.isCrowded(d)], [false, true]);
  });

  it('gives the place of a lane that is quiet to one that waits, and none of a lane that is not', async (t) => {
    const { engine, add, until, working } = makeLanes({ places: 2, placesPerProfile: 2 });
    t.after(() => engine.stop(0));
    add('p1', 'quiet', 'busy');
    engine.start();
    await until(() => working.size === 2);
    add('p2', 'waits');
    engine.soon();
    await until(() => working.has('waits'));
    assert.deepEqual([working.get('quiet')!.told, working.get('busy')!.told], [['gave way'], []]);
  });

  it('claims what a look has found for later without another, in its order, and looks where that is not enough', async (t) => {
    // What was found is old after a second.
    t.mock.method(performance, 'now', () => 0);
    const pool = { places: 2, placesPerProfile: 2 };
    const { engine, add, until, working, looks } = makeLanes(pool, { aheadMax: 3 });
    t.after(() => engine.stop(0));
    add('p1', 'a', 'b', 'c', 'd', 'e');
    engine.start();
    await until(() => working.size === 2);
    for (const [ends, next] of [
      ['a', 'c'],
      ['b', 'd'],
    ] as const) {
      working.get(ends)!.resolve();
      await until(() => working.has(next));
    }
    assert.deepEqual(looks, [['a', 'b', 'c', 'd', 'e']]);
    add('p2', 'f');
    for (const ends of ['c', 'd']) working.get(ends)!.resolve();
    await until(() => working.has('e') && working.has('f'));
    assert.deepEqual(looks.at(-1)?.includes('f'), true);
  });

  it('releases what ends at once by few statements, and what another has taken over by none', {
    timeout: 30_000,
  }, async (t) => {
    const { engine, add, until, working, released, lostByUs } = makeLanes({ places: 9, placesPerProfile: 9 });
    t.after(() => engine.stop(0));
    add('p1', 'a', 'b', 'c', 'd');
    add('p2', 'taken');
    lostByUs.add('taken');
    engine.start();
    await until(() => working.size === 5);
    for (const name of ['a', 'b', 'c', 'd']) working.get(name)!.resolve();
    await until(() => working.get('taken')!.told.length > 0 && engine.size === 0);
    assert.deepEqual([working.get('taken')!.told, released], [['lost'], [['a'], ['b', 'c', 'd']]]);
  });

  it('stops with a hurry for what has not ended in its time, and releases nothing that goes on', async () => {
    const { engine, add, until, working, released } = makeLanes({ places: 9, placesPerProfile: 9 });
    add('p1', 'slow', 'deaf');
    engine.start();
    await until(() => working.size === 2);
    await engine.stop(5);
    assert.deepEqual([working.get('slow')!.told, released, engine.size], [['hurry'], [['slow']], 1]);
    add('p1', 'late');
    engine.soon();
    await sleep(20);
    assert.ok(!working.has('late'));
  });

  it('settles when all that is due has ended, and says how much of the move that was', async () => {
    const { engine, add, until, working } = makeLanes({ places: 1, placesPerProfile: 1 });
    add('p1', 'a', 'b');
    const settled = engine.settle();
    await until(() => working.has('a'));
    engine.ended([1, 2]);
    working.get('a')!.resolve();
    await until(() => working.has('b'));
    working.get('b')!.resolve();
    assert.equal(await settled, 2);
  });

  it('asks again at once when work ends while it asks what is left of a move', {
    timeout: 30_000,
  }, async (t) => {
    let asks = 0;
    const { engine, add, until, working } = makeLanes(
      { places: 1, placesPerProfile: 1 },
      {
        askMs: 3_600_000,
        async isDue() {
          if (++asks === 1) engine.ended([1]);
          return asks === 1;
        },
      },
    );
    t.after(() => engine.stop(0));
    add('p1', 'a');
    engine.start();
    await until(() => working.has('a'));
    const step = { nr: 1, until: new Date(), signal: new AbortController().signal };
    assert.equal(await engine.settle(step), 1);
  });
});
