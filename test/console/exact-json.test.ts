import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  isExactNumber,
  NotAnObject,
  parseExactly,
  parseObject,
} from '../../clients/console/src/api/exact-json.ts';

describe('records in the console', () => {
  it('keep every digit of a number, and are written as they came', () => {
    const text =
      '{"a":12345678901234567890,"b":[1,-9007199254740993],"c":0.1,"d":1.5,"e":"12345678901234567890"}';
    const parsed = parseExactly(text) as Record<string, unknown>;
    assert.equal(JSON.stringify(parsed), text);
    assert.ok(isExactNumber(parsed['a']));
    assert.deepEqual([parsed['c'], parsed['d']], [0.1, 1.5]);
  });

  it('are rounded as everywhere in JavaScript where a browser cannot keep more digits', (t) => {
    t.mock.property(JSON as { rawJSON?: unknown }, 'rawJSON', undefined);
    assert.deepEqual(parseExactly('{"a":12345678901234567890}'), { a: 12345678901234567000 });
  });

  it('take no text that is no JSON object', () => {
    for (const text of ['', '{', '[1]', '1', '"text"', 'null', '12345678901234567890'])
      assert.throws(() => parseObject(text), NotAnObject, text);
    assert.deepEqual(parseObject('{"a":[1]}'), { a: [1] });
  });
});
