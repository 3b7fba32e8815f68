import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generateSecretKey, openSecretBox } from './secret-box.ts';

const oldKey = generateSecretKey().replace('k1', 'old');
const newKey = generateSecretKey().replace('k1', 'new');

describe('the secret box', () => {
  it('gives back what was put in, and never the same text twice', () => {
    const box = openSecretBox(newKey);
    const [a, b] = [box.seal('pässword', 'listener 1'), box.seal('pässword', 'listener 1')];
    assert.notEqual(a, b);
    assert.deepEqual([box.open(a, 'listener 1'), box.open(b, 'listener 1')], ['pässword', 'pässword']);
  });

  it('still opens what an older key sealed while that key is configured, and seals with the first', () => {
    const sealed = openSecretBox(oldKey).seal('x', 'c');
    const box = openSecretBox(`${newKey},${oldKey}`);
    assert.equal(box.open(sealed, 'c'), 'x');
    assert.match(box.seal('x', 'c'), /^new\./);
    assert.deepEqual(
      [box.keyIds, box.keyIdOf(sealed), box.keyIdOf(box.seal('x', 'c'))],
      [['new', 'old'], 'old', 'new'],
    );
    assert.throws(() => openSecretBox(newKey).open(sealed, 'c'), /old is not among/);
  });

  it('refuses a sealed text that was moved to another place or changed', () => {
    const box = openSecretBox(newKey);
    const sealed = box.seal('x', 'listener 1');
    assert.throws(() => box.open(sealed, 'listener 2'));
    assert.throws(() => box.open(`${sealed.slice(0, -2)}AA`, 'listener 1'));
  });

  for (const [name, setting] of Object.entries({
    'no id': 'c2hvcnQ=',
    'a short key': 'k1:c2hvcnQ=',
    'the same id twice': `${newKey},${newKey}`,
    nothing: '',
  })) {
    it(`refuses a setting with ${name}`, () => assert.throws(() => openSecretBox(setting)));
  }
});
