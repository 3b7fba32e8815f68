import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
