import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { roundToCents } from './wire.ts';

// proves billing/amounts
describe('an amount', () => {
  for (const [amount, cents] of [
    ['0', 0],
    ['0.005', 0.01],
    ['0.00499999999999999999', 0],
    ['1.005', 1.01],
    ['1.015000', 1.02],
    ['2.5', 2.5],
    ['12345678901.235', 12345678901.24],
    ['0.994999', 0.99],
    ['0.995', 1],
    ['10', 10],
  ] as const)
    it(`of ${amount} is rounded half up to ${cents}, from its decimal digits rather than a double`, () =>
      assert.equal(Number(roundToCents(amount)), cents));
});
