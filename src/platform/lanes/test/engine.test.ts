import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeLanes } from './lanes-in-memory.ts';

describe('the lane engine', () => {
  it('gives no profile more than its places, and gives free places to the next lane due', async (t) => {
    const { engine, add, until, working } = makeLanes({ places: 3, placesPerProfile: 2 });
    t.after(() => engine.stop(0));
    add('p1', 'a', 'b', 'c');
    add('p2', 'd', 'e');
    engine.start();
    await until(() => working.size === 3);
    assert.deepEqual([...working.keys()], ['a', 'b', 'd']);
    working.get('a')!.resolve();
    await until(() => working.size === 4);
    assert.ok(working.has('c'), 'a place of its profile is free again');
  });

  it('is crowded for a lane whose pool or profile has no place left, and only for such a lane', async (t) => {
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

  it('gives the place of a quiet lane to a waiting one, and keeps the place of a busy lane', async (t) => {
    const { engine, add, until, working } = makeLanes({ places: 2, placesPerProfile: 2 });
    t.after(() => engine.stop(0));
    add('p1', 'quiet', 'busy');
    engine.start();
    await until(() => working.size === 2);
    add('p2', 'waits');
    engine.soon();
    await until(() => working.has('waits'));
    assert.deepEqual([working.get('quiet')!.calls, working.get('busy')!.calls], [['gave way'], []]);
  });

  it('claims lanes of one query in order, without another query until they run out', async (t) => {
    // Query results expire after a second.
    t.mock.method(performance, 'now', () => 0);
    const pool = { places: 2, placesPerProfile: 2 };
    const { engine, add, until, working, queries } = makeLanes(pool, { aheadMax: 3 });
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
    assert.deepEqual(queries, [['a', 'b', 'c', 'd', 'e']]);
    add('p2', 'f');
    for (const ends of ['c', 'd']) working.get(ends)!.resolve();
    await until(() => working.has('e') && working.has('f'));
    assert.deepEqual(queries.at(-1)?.includes('f'), true);
  });

  it('gives free places to lanes that it knows to be all, until it is told of more or knows them too long', async (t) => {
    let nowMs = 0;
    t.mock.method(performance, 'now', () => nowMs);
    const pool = { places: 3, placesPerProfile: 1 };
    const { engine, add, until, working, queries } = makeLanes(pool, { listsAll: true, notifiesAll: true });
    t.after(() => engine.stop(0));
    add('p1', 'a', 'b', 'c', 'd', 'e');
    engine.start();
    for (const [ends, next] of [
      ['a', 'b'],
      ['b', 'c'],
    ] as const) {
      await until(() => working.has(ends));
      working.get(ends)!.resolve();
      await until(() => working.has(next));
    }
    assert.deepEqual(queries, [['a', 'b', 'c', 'd', 'e']]);
    add('p2', 'new');
    engine.soon();
    await until(() => working.has('new'));
    assert.deepEqual(queries.slice(1), [['d', 'e', 'new']]);
    nowMs = 250;
    working.get('c')!.resolve();
    await until(() => working.has('d'));
    assert.deepEqual(queries.slice(2), [['d', 'e']]);
  });

  it('releases lanes that end at once in few statements, and does not release a lane that another worker holds', {
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
    await until(() => working.get('taken')!.calls.length > 0 && engine.size === 0);
    assert.deepEqual([working.get('taken')!.calls, released], [['lost'], [['a'], ['b', 'c', 'd']]]);
  });

  it('hurries work that exceeds the grace time at a stop, and does not release lanes that keep running', async () => {
    const { engine, add, until, working, released } = makeLanes({ places: 9, placesPerProfile: 9 });
    add('p1', 'slow', 'deaf');
    engine.start();
    await until(() => working.size === 2);
    await engine.stop(5);
    assert.deepEqual([working.get('slow')!.calls, released, engine.size], [['hurry'], [['slow']], 1]);
    add('p1', 'late');
    engine.soon();
    await sleep(20);
    assert.ok(!working.has('late'));
  });

  it('settles when all due work has ended, and returns how much of it belongs to the move', async () => {
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

  it('does not ask what is left of a move while it works on a part of it', async (t) => {
    let asks = 0;
    const { engine, add, until, working } = makeLanes(
      { places: 2, placesPerProfile: 2 },
      {
        isAwaited: ({ name }, { nr }) => name === `of move ${nr}`,
        async isDue() {
          asks++;
          return false;
        },
      },
    );
    t.after(() => engine.stop(0));
    add('p1', 'of move 1', 'of move 2');
    engine.start();
    await until(() => working.size === 2);
    const step = { nr: 1, until: new Date(), signal: new AbortController().signal };
    const settled = engine.settle(step);
    await sleep(50);
    assert.equal(asks, 0);
    working.get('of move 1')!.resolve();
    await settled;
    assert.equal(asks, 1);
  });

  it('asks again at once if work ends while it asks what is left of a move', {
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
