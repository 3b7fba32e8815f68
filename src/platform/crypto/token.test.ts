import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { trueChance } from '../chance/chance.ts';
import { randomPassword } from './token.ts';

describe('a generated password', () => {
  it('has sixteen letters and digits that are easy to tell apart, all equally likely', () => {
    const counts = new Map<string, number>();
    for (let n = 0; n < 5_000; n++) {
      const password = randomPassword(trueChance);
      assert.match(password, /^[A-HJ-NP-Za-km-z2-9]{16}$/);
      for (const letter of password) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
    // In 80,000 draws of 57 fair characters, the least and the most frequent stay within a fifth of the mean.
    const middle = 80_000 / counts.size;
    assert.equal(counts.size, 57);
    for (const [letter, count] of counts)
      assert.ok(Math.abs(count - middle) < middle / 5, `${letter}: ${count}`);
  });
});
