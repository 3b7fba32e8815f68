import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { parseMoment } from '../db.ts';

const asDriver: (text: string) => Date = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ);

test('a moment is parsed from every text that PostgreSQL writes for one, as by the driver', async () => {
  const own = await createTestDatabase();
  const client = new pg.Client(own.url);
  await client.connect();
  const texts: string[] = [];
  for (const zone of ['UTC', 'America/St_Johns', 'Asia/Tokyo', 'Europe/London']) {
    await client.query(`set timezone = '${zone}'`);
    const { rows } = await client.query<{ text: string }>(`
      select t::text as text from unnest(array['infinity', '-infinity', '0044-03-15 BC', '0001-01-01', '9999-12-31 23:59:59.999999',
        '12026-01-01', '1969-12-31 23:59:59.999', '2026-02-28 00:00:00.1', '2026-11-01 05:30']::timestamptz[]) t
      union all
      select (timestamptz '1900-01-01' + n * interval '97 days 3 hours 7 minutes 11.0123457 seconds')::text
      from generate_series(0, 2000) n`);
    texts.push(...rows.map(({ text }) => text));
  }
  await client.end();
  await own.drop();
  for (const text of texts) assert.deepEqual(parseMoment(text), asDriver(text), text);
});

test('a moment is read exactly as it was written, to the millisecond', () =>
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      (at) => {
        const text = at.toISOString().replace('T', ' ').replace('Z', '+00');
        assert.deepEqual(parseMoment(text), at);
      },
    ),
  ));
