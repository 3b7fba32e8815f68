import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { freshDatabase } from '../../../../test/support/database.ts';
import { arrayText } from '../array-text.ts';
import { sql } from '../sql.ts';

const { db, drop } = await freshDatabase();
after(drop);

describe('a list as array text', () => {
  it('arrives unchanged, whatever text it contains', async () => {
    const texts = [
      '',
      'a',
      'NULL',
      'null',
      '{x,y}',
      'quote " and \\ backslash',
      '\\"',
      ' space ',
      "it's",
      'ü€😀',
      ',',
    ];
    const { found } = await db.one<{ found: string[] }>(sql`select ${arrayText(texts)}::text[] as found`);
    assert.deepEqual(found, texts);
    const mixed = await db.one(sql`
      select ${arrayText(['a', undefined])}::text[] as texts, ${arrayText([1, undefined, -5])}::bigint[] as numbers,
        ${arrayText([true, false])}::boolean[] as switches, ${arrayText([])}::text[] as none`);
    assert.deepEqual(mixed, {
      texts: ['a', null],
      numbers: ['1', null, '-5'],
      switches: [true, false],
      none: [],
    });
  });
});
