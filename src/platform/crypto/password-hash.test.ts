import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSettings } from '../config/settings.ts';
import { COST_MIN, hashPassword, verifyPassword } from './password-hash.ts';

describe('the hash of a password', () => {
  it('costs 32 MiB per guess unless a setting changes that', async () => {
    const hash = await hashPassword('correct horse', parseSettings({}).passwordCost);
    assert.match(hash, /^\$scrypt\$ln=15,r=8,p=1\$/);
    assert.deepEqual(
      [await verifyPassword('correct horse', hash), await verifyPassword('wrong horse', hash)],
      [true, false],
    );
  });

  it('is different each time, and is compared at its own cost', async () => {
    const hashes = await Promise.all([COST_MIN, COST_MIN, 11].map((cost) => hashPassword('same', cost)));
    assert.equal(new Set(hashes).size, 3);
    for (const hash of hashes) assert.equal(await verifyPassword('same', hash), true);
  });

  it('matches no password if it is too costly to compare, or invalid', async () => {
    for (const hash of ['$scrypt$ln=21,r=8,p=1$AAAA$AAAA', 'same', ''])
      assert.equal(await verifyPassword('same', hash), false);
  });
});
