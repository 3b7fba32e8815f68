import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SendBudget } from './send-budget.ts';

/** This many lanes have messages under way, in a process as busy as the test says. */
function open(lanes: number) {
  let [busy, nowMs] = [0, 0];
  const budget = new SendBudget(
    () => busy,
    () => nowMs,
  );
  for (let n = 0; n < lanes; n++) budget.count(1);
  /** The share of a lane after this many measurements at this load. */
  const after = (times: number, howBusy: number) => {
    busy = howBusy;
    for (let n = 0; n < times; n++) {
      nowMs += 100;
      void budget.share;
    }
    return budget.share;
  };
  return { budget, after };
}

describe('the messages one listener may have under way', () => {
  it('are few for each of many listeners while the process is busy, and never fewer than two', () => {
    assert.equal(open(1_000).after(20, 1), 2);
    assert.equal(open(100).after(20, 1), 5);
  });

  it('are unlimited while listeners are few, however busy the process is', () => {
    assert.ok(open(8).after(20, 1) >= 64);
  });

  it('grow step by step while the process is calm, and are halved when it is busy', () => {
    const { after } = open(100);
    const shares = [1, 5, 10, 20].map((times) => after(times, 0.1));
    assert.deepEqual(
      shares,
      shares.toSorted((a, b) => a - b),
    );
    assert.ok(shares[0]! < 10 && shares.at(-1)! >= 64, String(shares));
    const [before, less] = [after(0, 1), after(1, 1)];
    assert.equal(less, Math.floor(before / 2));
  });

  it('stay the same while the process is neither', () => {
    const { after } = open(100);
    assert.equal(after(10, 0.5), after(0, 0.5));
  });

  it('grow once others have nothing under way', () => {
    const { budget, after } = open(1_000);
    after(1, 1);
    for (let n = 0; n < 990; n++) budget.count(-1);
    assert.equal(budget.share, 51);
  });
});
