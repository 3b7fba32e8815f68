import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { freshDatabase } from '../../../../test/support/database.ts';
import { cycleOf } from '../../../kernel/bill-cycle.ts';
import { daysIn } from '../../../kernel/calendar.ts';
import { sql } from '../../../platform/db/sql.ts';

const { db, drop } = await freshDatabase();
after(drop);

const ZONES = [
  'UTC',
  'America/Chicago',
  'Africa/Cairo',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
];

describe('days and cycles', () => {
  // proves usage/day-and-cycle
  it('match those of the database, through every change of the clocks', async () => {
    for (const zone of ZONES) {
      const rows = await db.many<{ ms: number; day: string }>(sql`
        select (extract(epoch from t) * 1000)::float8 as ms, (t at time zone ${zone})::date as day
        from generate_series('2024-01-01'::timestamptz, '2027-12-31', interval '7 hours 13 minutes') as t`);
      const { dayAt } = daysIn(zone);
      assert.deepEqual(
        rows.filter(({ ms, day }) => dayAt(ms) !== day),
        [],
      );
    }
  });

  // proves usage/day-and-cycle
  it('of weeks and months match those of the database', async () => {
    for (const billCycleDay of [1, 10, 28, 29, 30, 31]) {
      const rows = await db.many<{ day: string; week: string; month: string }>(sql`
        with days as (select d::date as day, date_trunc('month', d)::date as first
          from generate_series('2023-12-01'::date, '2028-04-01', interval '1 day') as d),
        starts as (
          select day, first + least(${billCycleDay}, extract(day from first + interval '1 month - 1 day')::int) - 1 as this,
            (first - interval '1 month')::date
              + least(${billCycleDay}, extract(day from first - interval '1 day')::int) - 1 as last
          from days)
        select day, date_trunc('week', day)::date as week, case when day < this then last else this end as month from starts`);
      const wrong = rows.filter(
        ({ day, week, month }) =>
          cycleOf('Weekly', day, billCycleDay).from !== week ||
          cycleOf('Monthly', day, billCycleDay).from !== month,
      );
      assert.deepEqual(wrong, []);
    }
  });
});
