import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ratiosOf, whatFell } from '../../bench/support/guard.ts';
import { alone, beside } from '../../bench/support/report.ts';

const rate = (ratio: number) =>
  beside({ what: 'Rate', ours: [ratio], against: [1], is: 'a peer', target: { atLeast: 1 } });
const cost = (ratio: number) =>
  beside({ what: 'Cost', ours: [ratio], against: [1], is: 'bare rows', target: { atMost: 2 } });
const other = beside({ what: 'Rate', ours: [3], against: [1], is: 'another peer', target: { atLeast: 1 } });

describe('the guard of the benchmarks', () => {
  it('keeps what was measured beside something and has a target, apart by what that is', () =>
    assert.deepEqual(
      ratiosOf([
        rate(1.23456),
        other,
        alone('Memory, MB', [100], { atMost: 130 }),
        beside({ what: 'Known', ours: [1], against: [1], is: 'a peer' }),
      ]),
      { 'Rate, beside a peer': 1.23, 'Rate, beside another peer': 3 },
    ));

  it('names what fell by more than 15 %, whichever way is worse, and nothing else', () => {
    const kept = ratiosOf([rate(1), cost(1), other]);
    assert.deepEqual(whatFell([rate(0.86), cost(1.17), other], kept), []);
    assert.deepEqual(whatFell([rate(0.84), cost(1.19), other], kept), [
      'Rate, beside a peer: 0.840, and it was 1.00',
      'Cost, beside bare rows: 1.19, and it was 1.00',
    ]);
    assert.deepEqual(whatFell([rate(2), cost(0.1)], kept), []);
  });

  it('has nothing to say of what was never kept', () => assert.deepEqual(whatFell([rate(0.1)], {}), []));
});
