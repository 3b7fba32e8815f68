import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readRecordKey, recordKey } from './record-key.ts';

const IDS = ['1', 'a\u001f1', '\u001f1', '\u001fa\u001f1', 'a'];
const SOURCES = [undefined, 'a', 'b', 'a.1'];

it('the key of a record gives back its source and id, and no two records have the same', () => {
  const all = SOURCES.flatMap((source) => IDS.map((id) => ({ source, id })));
  const keys = all.map(({ source, id }) => recordKey(source, id));
  assert.deepEqual(keys.map(readRecordKey), all);
  assert.equal(new Set(keys).size, all.length);
});

it('the key of a record without a source is its id', () => {
  assert.equal(recordKey(undefined, 'r 1:2'), 'r 1:2');
});
