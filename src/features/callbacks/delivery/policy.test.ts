import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SendWindow } from './policy.ts';

const after = (outcomes: readonly Parameters<SendWindow['note']>[0][]) => {
  const window = new SendWindow();
  for (const outcome of outcomes) window.note(outcome);
  return window.size;
};
const many = <T>(outcome: T) => Array.from({ length: 100 }, () => outcome);

describe('the number of messages that may be under way to a listener', () => {
  it('grows with every answer, whatever its status, up to a limit', () => {
    assert.equal(after([{ status: 200 }, { status: 503 }]), 4);
    assert.equal(after(many({ status: 200 })), 64);
  });

  it('falls to one if there are no answers, or none is complete', () => {
    for (const bad of [{ status: null }, { status: 200, isCut: true }, { status: 503, isCut: true }]) {
      assert.equal(after([...many({ status: 200 }), bad]), 32);
      assert.equal(after([...many({ status: 200 }), ...many(bad)]), 1);
    }
  });
});
