import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseMailAddresses, parsePhoneNumbers } from './contact-list.ts';
import { isMailAddress } from './mail-address.ts';

describe('mail addresses', () => {
  for (const address of ['a@b.example', "o'neil+iot@mail.b-c.example", 'ops@localhost', 'A.B@X1.example'])
    it(`include ${address}`, () => assert.ok(isMailAddress(address)));

  for (const [name, text] of Object.entries({
    'without an at sign': 'nobody',
    'with two': 'a@b@c.example',
    'with a line break, which would begin a header': 'a@b.example\r\nBcc: x@y.example',
    'with a line break at the end': 'a@b.example\n',
    'with a space': 'a b@c.example',
    'with a comma': 'a,b@c.example',
    'with brackets, which would end the command': 'a@b.example> SIZE=1',
    'with a name': 'Ann <a@b.example>',
    'with quotes': '"a b"@c.example',
    'with letters beyond ASCII': 'jürgen@b.example',
    'with an empty label': 'a@b..example',
    'with a dash at the end of a label': 'a@b-.example',
    'with a local part of 65 characters': `${'a'.repeat(65)}@b.example`,
    'with more than 254 characters': `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(20)}`,
    'that are empty': '',
  }))
    it(`do not include text ${name}`, () => assert.ok(!isMailAddress(text)));
});

describe('a list separated by commas', () => {
  it('keeps its order, has each address once whatever its letter case, and skips empty entries', () =>
    assert.deepEqual(parseMailAddresses(' b@x.example,, a@x.example ,B@X.example,'), {
      valid: ['b@x.example', 'a@x.example'],
      wrong: [],
    }));

  it('names invalid addresses', () =>
    assert.deepEqual(parseMailAddresses('a@x.example;b@x.example, c@x.example'), {
      valid: ['c@x.example'],
      wrong: ['a@x.example;b@x.example'],
    }));

  it('of phone numbers accepts only ten to fifteen digits', () =>
    assert.deepEqual(parsePhoneNumbers('5551234567,+15551234567, 555-123-4567,123,15551234567'), {
      valid: ['5551234567', '15551234567'],
      wrong: ['+15551234567', '555-123-4567', '123'],
    }));

  it('has no entries if it is empty', () =>
    assert.deepEqual(parseMailAddresses(''), { valid: [], wrong: [] }));
});
