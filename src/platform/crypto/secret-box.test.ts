import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generateSecretKey, openSecretBox } from './secret-box.ts';

const oldKey = generateSecretKey().replace('k1', 'old');
const newKey = generateSecretKey().replace('k1', 'new');

describe('the secret box', () => {
  it('opens what it sealed, and never seals to the same text twice', () => {
    const box = openSecretBox(newKey);
    const [a, b] = [box.seal('pässword', 'listener 1'), box.seal('pässword', 'listener 1')];
    assert.notEqual(a, b);
    assert.deepEqual([box.open(a, 'listener 1'), box.open(b, 'listener 1')], ['pässword', 'pässword']);
  });

  it('opens texts sealed with an older key while that key is configured, and seals with the first', () => {
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

  it('refuses a sealed text that was moved to another context or changed', () => {
    const box = openSecretBox(newKey);
    const sealed = box.seal('x', 'listener 1');
    assert.throws(() => box.open(sealed, 'listener 2'));
    assert.throws(() => box.open(`${sealed.slice(0, -2)}AA`, 'listener 1'));
  });

  it('with a seed makes the same digests as every box with that seed, and seals as without one', () => {
    const [one, other] = [openSecretBox(oldKey, '7'), openSecretBox(newKey, '7')];
    assert.equal(one.macKeyId, other.macKeyId);
    const digest = one.mac(one.macKeyId, 'x');
    assert.equal(other.mac(one.macKeyId, 'x'), digest);
    assert.notEqual(openSecretBox(newKey, '8').mac('seed~8', 'x'), digest);
    assert.equal(openSecretBox(newKey).mac(one.macKeyId, 'x'), undefined);
    const plain = openSecretBox(newKey);
    assert.equal(other.mac('new', 'x'), plain.mac(plain.macKeyId, 'x'));
    assert.equal(plain.open(other.seal('x', 'c'), 'c'), 'x');
    assert.throws(() => other.open(one.seal('x', 'c'), 'c'), /old is not among/);
  });

  it('seals texts shown to callers the same way each time with a seed, and differently each time without one', () => {
    const [one, other, plain] = [
      openSecretBox(oldKey, '7'),
      openSecretBox(newKey, '7'),
      openSecretBox(newKey),
    ];
    const shown = one.sealShown('x', 'c');
    assert.equal(other.sealShown('x', 'c'), shown);
    assert.equal(other.open(shown, 'c'), 'x');
    assert.equal(new Set([shown, one.sealShown('y', 'c'), one.sealShown('x', 'd')]).size, 3);
    assert.throws(() => one.open(shown, 'd'));
    assert.throws(() => plain.open(shown, 'c'));
    assert.notEqual(plain.sealShown('x', 'c'), plain.sealShown('x', 'c'));
    assert.equal(plain.open(plain.sealShown('x', 'c'), 'c'), 'x');
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
