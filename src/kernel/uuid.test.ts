import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { isUuid, NIL_UUID } from './uuid.ts';

describe('a UUID', () => {
  it('is valid in any letter case', () => {
    const id = randomUUID();
    assert.deepEqual([id, id.toUpperCase(), NIL_UUID].map(isUuid), [true, true, true]);
  });

  it('is nothing else', () =>
    assert.deepEqual(
      [
        '',
        `${NIL_UUID}0`,
        ` ${NIL_UUID}`,
        `${NIL_UUID}\n`,
        NIL_UUID.slice(1),
        NIL_UUID.replaceAll('-', ''),
        `g${NIL_UUID.slice(1)}`,
      ].filter(isUuid),
      [],
    ));
});
