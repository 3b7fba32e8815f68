import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eachApart } from './each-apart.ts';

const work = async (n: number) => {
  if (n < 0) throw new Error(`no ${n}`);
  return n;
};

describe('doing each by itself', () => {
  it('goes on after one that fails, tells of it, and adds up the others', async () => {
    const errors: unknown[] = [];
    assert.equal(await eachApart([1, -2, 3], work, (error) => errors.push(error)), 4);
    assert.deepEqual(errors, [new Error('no -2')]);
  });

  it('fails where none succeeds, and tells of each once', async () => {
    const errors: unknown[] = [];
    await assert.rejects(
      eachApart([-1, -2], work, (error) => errors.push(error)),
      /no -1/,
    );
    assert.deepEqual(errors, [new Error('no -2')]);
  });

  it('succeeds where there is nothing to do', async () => {
    assert.equal(await eachApart([], work, (error) => assert.fail(String(error))), 0);
  });
});
