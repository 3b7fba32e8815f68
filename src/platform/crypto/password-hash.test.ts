import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSettings } from '../config/settings.ts';
import { COST_MIN, hashPassword, verifyPassword } from './password-hash.ts';

describe('the hash of a password', () => {
  it('takes 32 MiB to guess unless a setting says otherwise', async () => {
    const hash = await hashPassword('correct horse', parseSettings({}).passwordCost);
    assert.match(hash, /^\$scrypt\$ln=15,r=8,p=1\$/);
    assert.deepEqual(
      [await verifyPassword('correct horse', hash), await verifyPassword('wrong horse', hash)],
      [true, false],
    );
  });

  it('is another one each time, and is compared by what it cost itself', async () => {
    const hashes = await Promise.all([COST_MIN, COST_MIN, 11].map((cost) => hashPassword('same', cost)));
    assert.equal(new Set(hashes).size, 3);
    for (const hash of hashes) assert.equal(await verifyPassword('same', hash), true);
  });

  it('fits no password when it costs too much to compare, or is none', async () => {
    for (const hash of ['$scrypt$ln=21,r=8,p=1$AAAA$AAAA', 'same', ''])
      assert.equal(await verifyPassword('same', hash), false);
  });
});
