import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hideMembers } from './hide-members.ts';

const hide = (text: string) => hideMembers(text, (name) => name === 'secret', '-');

describe('members that are hidden', () => {
  const cases: readonly [name: string, text: string, expected: string][] = [
    ['a text', '{"a":1,"secret":"x","b":2}', '{"a":1,"secret":"-","b":2}'],
    ['a text with quotes', String.raw`{"secret":"x\"y","b":"z"}`, '{"secret":"-","b":"z"}'],
    ['a number', '{"secret": 12 , "b":2}', '{"secret": "-" , "b":2}'],
    [
      'an object and a list',
      '{"secret":{"a":["}"]},"b":[{"secret":[1,[2]]}]}',
      '{"secret":"-","b":[{"secret":"-"}]}',
    ],
    ['a name with escapes', String.raw`{"secr\u0065t":"x"}`, String.raw`{"secr\u0065t":"-"}`],
    ['a value that is cut', '{"a":1,"secret":"xyz', '{"a":1,"secret":"-"'],
    ['an object that is cut', '{"secret":{"a":["x', '{"secret":"-"'],
  ];
  for (const [name, text, expected] of cases)
    it(`leave out ${name}`, () => assert.equal(hide(text), expected));

  it('keep the values true, false and null, which reveal nothing', () =>
    assert.equal(hide('{"secret":true,"a":{"secret":null}}'), '{"secret":true,"a":{"secret":null}}'));

  it('do not include texts that look like members', () => {
    const text = String.raw`{"a":"secret","b":"\"secret\":\"x\"","c":["secret"]}`;
    assert.equal(hide(text), text);
  });
});
