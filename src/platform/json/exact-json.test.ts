import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exactInteger, hasInfinity, parseExactly, textOf } from './exact-json.ts';

describe('numbers with more digits than a JavaScript number holds', () => {
  for (const text of [
    '[12345678901234567890,-9223372036854775808]',
    '{"a":{"b":[0.12345678901234567890,"12345678901234567890",9007199254740993]}}',
    '{"imei":990000000000011,"x":1.5,"y":null}',
  ])
    it(`are written as they were read: ${text}`, () =>
      assert.equal(JSON.stringify(parseExactly(text)), text));

  it('are JavaScript numbers if these hold them', () =>
    assert.deepEqual(
      parseExactly('[9007199254740991,1234567890123456]'),
      [9007199254740991, 1234567890123456],
    ));

  it('are JavaScript numbers even with trailing zeros, whatever else is in the text', () =>
    assert.deepEqual(parseExactly('[10.0,-1.50,100,990000000000011.0,"12345678901234567890"]'), [
      10,
      -1.5,
      100,
      990000000000011,
      '12345678901234567890',
    ]));

  it('are distinguished from those beyond the range of numbers', () => {
    for (const text of ['{"a":[1e400]}', `[-1${'0'.repeat(400)}]`, `[1${'0'.repeat(249)}e99]`])
      assert.equal(hasInfinity(text), true);
    for (const text of ['["1e400"]', '[1e300,1e-400]']) assert.equal(hasInfinity(text), false);
  });

  it('are left to JSON.parse if no database could store them', () => {
    const long = `1${'0'.repeat(2_000)}`;
    assert.deepEqual(parseExactly(`[${long},12345678901234567890e99999]`), [Infinity, Infinity]);
  });

  it('are written without leading zeros, and read as text', () => {
    assert.equal(JSON.stringify(exactInteger('0018446744073709551615')), '18446744073709551615');
    assert.deepEqual([exactInteger('7'), 7, '07', true, {}, null].map(textOf), [
      '7',
      '7',
      '07',
      'true',
      undefined,
      undefined,
    ]);
  });
});
