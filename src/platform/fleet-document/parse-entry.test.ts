import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseEntry } from './parse-entry.ts';

const LONG = '12345678901234567890';
const read = (text: string) => parseEntry(text, ['customdata']);

describe('an entry of a fleet document', () => {
  it('keeps all digits inside its documents', () => {
    const text = `{"n":1,"customdata":{"a":${LONG},"b":[${LONG}]}}`;
    assert.equal(JSON.stringify(read(text)), text);
  });

  it('has JavaScript numbers elsewhere', () => assert.deepEqual(read(`{"n":${LONG}}`), { n: Number(LONG) }));
});
