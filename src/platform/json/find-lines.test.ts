import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findLines } from './find-lines.ts';

describe('lines of a JSON text', () => {
  const text = '{\n  "a/b": [\n    1,\n    { "x": "\\u007b,\\n" }\n  ],\n  "c": {}\n}\n';

  it('are found by pointer, and for an absent member by its parent', () => {
    const pointers = ['', '/a~1b', '/a~1b/1', '/a~1b/1/x', '/a~1b/1/missing/deep', '/c', '/nowhere'];
    const { of, broken } = findLines(text, pointers);
    assert.deepEqual(pointers.map(of), [1, 2, 4, 4, 4, 6, 1]);
    assert.equal(broken, undefined);
  });

  it('are counted correctly with characters that JSON allows in strings and editors may not show', () => {
    const { of, broken } = findLines('["\u007f\u0085",\n1]', ['/1']);
    assert.deepEqual([of('/1'), broken], [2, undefined]);
  });

  for (const [name, wrong, line] of [
    ['a missing comma', '{\n"a": 1\n"b": 2}', 3],
    ['an extra comma', '{"a": [1,\n\n]}', 3],
    ['a name without quotes', '{\n\na: 1}', 3],
    ['a missing end', '{"a": [\n1\n', 3],
    ['text after the end', '{}\n{}', 2],
    ['an invalid number', '[\n01]', 2],
    ['text over two lines', '[\n"a\nb"]', 2],
    ['nothing at all', '', 1],
  ] as const)
    it(`show where ${name} is`, () => assert.equal(findLines(wrong, []).broken, line));
});
