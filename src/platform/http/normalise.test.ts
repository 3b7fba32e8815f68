import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { compileNormaliser } from './normalise.ts';

const schema = Type.Object({
  type: Type.Optional(Type.Enum(['append', 'replace'])),
  allDevice: Type.Optional(Type.Boolean()),
  devices: Type.Optional(Type.Array(Type.String(), { selects: true })),
  active: Type.Optional(Type.Boolean({ lenient: true })),
  name: Type.String(),
  note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  list: Type.Optional(
    Type.Array(Type.Object({ kind: Type.Union([Type.Literal('imei'), Type.Literal('meid')]) })),
  ),
});
const read = (body: unknown) => compileNormaliser(schema as never)?.(body);

describe('normalising a body', () => {
  // proves requests/null
  it('treats null for an optional field as absent, and never as false', () =>
    assert.deepEqual(read({ allDevice: null, name: 'a' }), { name: 'a' }));

  it('keeps null in a field that selects objects, so that it is refused and does not mean everything', () =>
    assert.deepEqual(read({ devices: null, name: 'a' }), { devices: null, name: 'a' }));

  it('keeps null if it is a valid value, or if the field is required and must be refused', () =>
    assert.deepEqual(read({ note: null, name: null }), { note: null, name: null }));

  // proves requests/letter-case
  it('accepts enumerations in any letter case, even inside lists', () =>
    assert.deepEqual(read({ type: 'APPEND', list: [{ kind: 'Imei' }] }), {
      type: 'append',
      list: [{ kind: 'imei' }],
    }));

  it('leaves an unknown enumeration value to validation', () =>
    assert.deepEqual(read({ type: 'merge' }), { type: 'merge' }));

  // proves requests/letter-case requests/booleans-as-text
  it('converts "true" and "false" to booleans only if the field is lenient', () =>
    assert.deepEqual(read({ active: 'False', allDevice: 'true' }), { active: false, allDevice: 'true' }));

  it('converts text of digits to an integer only if the field is lenient', () => {
    const counts = Type.Object({
      lenient: Type.Optional(Type.Integer({ lenient: true })),
      strict: Type.Optional(Type.Integer()),
    });
    const readCounts = compileNormaliser(counts as never)!;
    assert.deepEqual(readCounts({ lenient: '020', strict: '20' }), { lenient: 20, strict: '20' });
    for (const lenient of ['', ' ', '-1', '1.0', '1e3', '0x1', '٣', true, [], {}])
      assert.deepEqual(readCounts({ lenient }), { lenient });
  });

  it('treats a number with kept digits as a number where the schema has an object, and keeps the digits inside an object', () => {
    const documents = Type.Object({ open: Type.Object({}), closed: Type.Object({ a: Type.Unknown() }) });
    const long = JSON.rawJSON('12345678901234567890');
    const readDocuments = compileNormaliser(documents as never)!;
    assert.deepEqual(readDocuments({ open: long, closed: long }), {
      open: Number(long.rawJSON),
      closed: Number(long.rawJSON),
    });
    assert.deepEqual(readDocuments({ open: { a: long }, closed: { a: long } }), {
      open: { a: long },
      closed: { a: long },
    });
  });

  it('leaves a body of another shape to validation', () =>
    assert.deepEqual([read('text'), read([1]), read(null)], ['text', [1], null]));
});
