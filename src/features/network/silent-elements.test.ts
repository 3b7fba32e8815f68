import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SilentElements } from './silent-elements.ts';

describe('elements that do not answer a check', () => {
  it('are skipped for the rest of the account, and by other accounts of that check for a while', () => {
    let nowMs = 0;
    const silent = new SilentElements(() => nowMs);
    const [first, second, other] = ['a', 'a', 'b'].map((check) => silent.begin(check));
    first!.add('hlr', 15_000);
    assert.deepEqual(
      [first, second, other].map((one) => one!.has('hlr')),
      [true, true, false],
    );
    assert.equal(first!.has('bss'), false);
    nowMs = 10_000;
    assert.deepEqual([first!.has('hlr'), silent.begin('a').has('hlr')], [true, false]);
    assert.deepEqual([first!.names(), other!.names()], [['hlr'], []]);
  });

  it('are still asked by other accounts if the failure was quick', () => {
    const silent = new SilentElements(() => 0);
    const first = silent.begin('a');
    first.add('hlr', 3);
    assert.deepEqual([first.has('hlr'), silent.begin('a').has('hlr')], [true, false]);
  });
});
