import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gatherByProfile } from './gather.ts';

function open(ask: (ecpdId: string, items: readonly number[]) => Promise<readonly string[]>) {
  const asked: [string, readonly number[]][] = [];
  const find = gatherByProfile((ecpdId, items: readonly number[]) => {
    asked.push([ecpdId, items]);
    return ask(ecpdId, items);
  });
  return { asked, find };
}

const named = async (ecpdId: string, items: readonly number[]) => items.map((item) => `${ecpdId}/${item}`);

describe('gathered questions', () => {
  it('are asked once for each profile, and each caller gets its own answer', async () => {
    const { asked, find } = open(named);
    const answers = await Promise.all([find('a', 1), find('b', 2), find('a', 3), find('a', 1)]);
    assert.deepEqual(answers, ['a/1', 'b/2', 'a/3', 'a/1']);
    assert.deepEqual(asked, [
      ['a', [1, 3, 1]],
      ['b', [2]],
    ]);
  });

  it('do not wait for questions of a later tick', async () => {
    const { asked, find } = open(named);
    assert.equal(await find('a', 1), 'a/1');
    assert.equal(await find('a', 2), 'a/2');
    assert.equal(asked.length, 2);
  });

  it('fail for all callers of the profile whose question fails, and for no others', async () => {
    const { find } = open((ecpdId, items) =>
      ecpdId === 'a' ? Promise.reject(new Error('away')) : named(ecpdId, items),
    );
    const settled = await Promise.allSettled([find('a', 1), find('b', 2), find('a', 3)]);
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['rejected', 'fulfilled', 'rejected'],
    );
  });
});
