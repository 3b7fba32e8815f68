import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isAccountName } from './account-name.ts';

describe('an account name', () => {
  // proves 1/account-names requests/account-names
  it('is 1 to 32 digits and dashes, with leading zeros, of the usual shape or another', () => {
    for (const name of ['0000123456-00001', '0', '-', '00-00', '1'.repeat(32)])
      assert.ok(isAccountName(name), name);
  });

  // proves 1/account-names requests/account-names
  it('is nothing else', () => {
    for (const name of ['', '1'.repeat(33), 'A1', '1 2', '1\n', '１', 1, null, undefined, ['1']])
      assert.ok(!isAccountName(name), String(name));
  });
});
