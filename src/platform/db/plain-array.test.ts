import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestDatabase } from '../../../test/support/database.ts';
import { openDatabase } from './db.ts';
import { plainArray } from './plain-array.ts';
import { sql } from './sql.ts';

const { url, drop } = await createTestDatabase();
const db = openDatabase(url, { connections: 4 });

describe('a plain array', () => {
  it('reaches the server as the same numbers, ids and times, nulls included', async () => {
    const id = '0190a0b0-0000-7000-8000-000000000001';
    const at = new Date('2026-01-05T01:02:03.456Z');
    const rows = await db.many(sql`
      select * from unnest(${plainArray([1.5, null])}::float8[], ${plainArray([null, id])}::uuid[],
        ${plainArray([at, null])}::timestamptz[], ${plainArray([null, null])}::int[]) as u (n, id, at, nothing)`);
    assert.deepEqual(rows, [
      { n: 1.5, id: null, at, nothing: null },
      { n: null, id, at: null, nothing: null },
    ]);
    await db.close();
    await drop();
  });
});
