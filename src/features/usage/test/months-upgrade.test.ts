import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createEmptyDatabase, openTestDatabase } from '../../../../test/support/database.ts';
import { migrate, readMigrations } from '../../../platform/db/migrate.ts';
import { sql } from '../../../platform/db/sql.ts';
import { addMonth, listParts } from '../sql-months.ts';

const all = await readMigrations('migrations/');
const before = all.filter(({ name }) => name < '0028');

const ROWS = sql`
  insert into usage_record (ecpd_id, record_id, account_name, device_id, at, day, bytes, delayed, taken_at, batch_no, nth)
  values ('1', 'kept', 'a', gen_random_uuid(), '2026-01-05T12:00Z', '2026-01-05', 1, false, now(), 7, 3),
    ('1', 'first', 'a', gen_random_uuid(), '2025-11-05T12:00Z', '2025-11-05', 2, false, now(), null, null),
    ('1', 'second', 'a', gen_random_uuid(), '2025-11-05T12:00Z', '2025-11-05', 3, false, now(), null, null)`;

describe('a ledger from before monthly tables', () => {
  it('stays unchanged, with all its ids, and monthly tables begin after it', async () => {
    const { url, drop } = await createEmptyDatabase();
    await migrate(url, before);
    const db = openTestDatabase(url);
    try {
      await db.exec(ROWS);
      await migrate(url, all);
      const records = await db.many(sql`
        select r.tableoid::regclass::text as table, r.record_id as id, i.day = r.day and i.batch_no = r.batch_no as "hasId",
          case when r.batch_no < 0 then 'none' else r.batch_no || '/' || r.nth end as place
        from usage_record r join usage_record_id i using (ecpd_id, record_id) order by id`);
      const own = { table: 'usage_record_before', hasId: true };
      assert.deepEqual(records, [
        { ...own, id: 'first', place: 'none' },
        { ...own, id: 'kept', place: '7/3' },
        { ...own, id: 'second', place: 'none' },
      ]);
      for (const day of ['2026-01-20', '2026-02-20']) await addMonth(db, day);
      assert.deepEqual(
        (await listParts(db)).map(({ table, endsOn }) => [table.text, endsOn]),
        [
          ['usage_record_2026_02', '2026-03-01'],
          ['usage_record_before', undefined],
          ['usage_record_rest', undefined],
        ],
      );
    } finally {
      await db.close();
      await drop();
    }
  });
});
