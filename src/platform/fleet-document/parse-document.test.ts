import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findLines } from '../json/find-lines.ts';
import { DocumentError, parseDocument } from './parse-document.ts';
import { placeOf } from './problem-lines.ts';

async function* chunked(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size);
}

async function read(text: string, size = 7): Promise<Record<string, unknown[]>> {
  const found = new Map<string, unknown[]>();
  for await (const piece of parseDocument(chunked(text, size))) {
    if ('begins' in piece) {
      assert.ok(!found.has(piece.begins), 'each key is reported once');
      found.set(piece.begins, []);
      continue;
    }
    const entries = found.get(piece.section);
    assert.equal(piece.position, entries?.length);
    entries?.push(JSON.parse(piece.text));
  }
  return Object.fromEntries(found);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('parsing a fleet document in chunks', () => {
  it('finds the same entries as JSON.parse, whatever they contain and wherever the chunks are cut', async () => {
    const document = fc.dictionary(fc.stringMatching(/^[a-zA-Z]{1,12}$/), fc.array(fc.jsonValue()));
    const spaces = fc.constantFrom(undefined, 2);
    await fc.assert(
      fc.asyncProperty(document, spaces, fc.integer({ min: 1, max: 40 }), async (value, indent, size) => {
        assert.deepEqual(
          await read(JSON.stringify(value, null, indent), size),
          JSON.parse(JSON.stringify(value)),
        );
      }),
    );
  });

  it('gives the line of each entry, as in the whole text', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', ']', ',', '\u0085') });
    const entry = fc.oneof(fc.dictionary(text, fc.array(text)), text, fc.integer());
    const document = fc.dictionary(fc.stringMatching(/^[a-zA-Z]{1,12}$/), fc.array(entry));
    const written = fc.constantFrom(
      (value: unknown) => JSON.stringify(value),
      (value: unknown) => JSON.stringify(value, null, 2),
      (value: unknown) => `\n\n${JSON.stringify(value).replaceAll(/[[{]/g, '$&\r\n')}`,
      (value: unknown) => JSON.stringify(value, null, 1).replaceAll('\n', '\n\n'),
    );
    await fc.assert(
      fc.asyncProperty(document, written, fc.integer({ min: 1, max: 40 }), async (value, write, size) => {
        const text = write(value);
        // Brackets inside strings do not count.
        fc.pre(isJson(text));
        for await (const piece of parseDocument(chunked(text, size))) {
          if ('begins' in piece) continue;
          const pointer = `/${piece.section}/${piece.position}`;
          assert.equal(placeOf(piece).line, findLines(text, [pointer]).of(pointer));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('accepts an empty document and empty lists', async () => {
    assert.deepEqual(await read('{}'), {});
    assert.deepEqual(await read(' { "plans" : [ ] , "devices":[] } '), { plans: [], devices: [] });
    assert.deepEqual(await read('\ufeff{"plans":[1]}'), { plans: [1] });
  });

  for (const text of [
    '',
    '[]',
    '{"plans": {}}',
    '{"plans": [1',
    '{"plans": [1]',
    '{"plans": [1]} x',
    '{plans: []}',
    '{"a":[1],}',
    '"x"',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.rejects(read(text), DocumentError));
  }

  for (const [name, text, line] of [
    ['a missing comma between sections', '{\n"a": [1]\n"b": []}', 3],
    ['a section that is not a list', '{\n"a": [],\n"b": {}}', 3],
    ['text after the end', '{}\n\n{}', 3],
    ['a missing end', '{\n"a": [1]\n', 3],
    ['an entry that does not end', '{"a": [\n{"b": 1},\n{"b": [\n{"c": 2}\n}, {"b": 3}]\n}', 5],
  ] as const)
    it(`reports the line of ${name}`, () =>
      assert.rejects(read(text), (error: DocumentError) => {
        assert.equal(error.line, line, error.message);
        return true;
      }));

  // proves requests/body-limits
  it('refuses an entry over the size limit before it is in memory', async () => {
    const endless = (async function* () {
      yield Buffer.from('{"devices":["');
      for (let i = 0; i < 100; i++) yield Buffer.alloc(64 * 1024, 'a');
      assert.fail('it kept reading');
    })();
    await assert.rejects(async () => {
      for await (const piece of parseDocument(endless)) assert.ok('begins' in piece, 'no entry is complete');
    }, /over 1048576 bytes/);
  });
});
