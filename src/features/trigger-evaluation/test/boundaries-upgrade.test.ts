import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createEmptyDatabase, openTestDatabase } from '../../../../test/support/database.ts';
import type { Ctx } from '../../../platform/context/context.ts';
import { migrate, readMigrations } from '../../../platform/db/migrate.ts';
import { sql } from '../../../platform/db/sql.ts';
import { type Firing, recordFirings } from '../../firings/index.ts';
import { findLeaders } from '../levels/leaders.ts';

const all = await readMigrations('migrations/');
const before = all.filter(({ name }) => name < '0054_accounts__boundaries');
const TRIGGER = '7a6d0f5e-9f0a-4c55-8f0e-000000000001';

const rows = [
  sql`insert into profile (ecpd_id, foreign_id) values ('1', gen_random_uuid())`,
  sql`insert into account_directory (account_name, ecpd_id) values ('a', '1')`,
  sql`insert into account (ecpd_id, account_name, time_zone, bill_cycle_day, real_time_rating, aggregated_billing,
      location_registered, created_at) values ('1', 'a', 'America/Chicago', 5, false, false, false, '2025-01-01')`,
  sql`insert into price_plan_trigger (ecpd_id, trigger_id, trigger_name, active, version, body, created_at, updated_at)
      values ('1', ${TRIGGER}, 't', true, 1, '{}', '2025-01-01', '2025-01-01')`,
  sql`insert into price_plan_sum (ecpd_id, account_name, plan_code, cycle, trigger_id, subject, cycle_account)
      values ('1', 'a', 'P', 'Monthly', ${TRIGGER}, 'combined', 'a')`,
  sql`insert into price_plan_closing (ecpd_id, trigger_id, account_name, cycle, from_day, to_day, closes_at)
      values ('1', ${TRIGGER}, 'a', 'Monthly', '2026-01-05', '2026-02-05', '2026-02-05T06:00Z')`,
  sql`insert into firing (ecpd_id, trigger_id, subject, line_of, level_kind, level, cycle_from, cycle_to, firing_id, kind,
      account_name, counted_before, counted_after, threshold, rule_version, fired_at, late)
      values ('1', ${TRIGGER}, 'line', 'a', 'bytes', 5, '2026-01-01T06:00Z', '2026-02-01T06:00Z', gen_random_uuid(), 'pricePlan',
      'a', 0, 9, 5, 1, '2026-01-10T12:00Z', false)`,
];

const firing = (from: string, to: string): Firing => ({
  firingId: crypto.randomUUID(),
  triggerId: TRIGGER,
  kind: 'pricePlan',
  accountName: 'a',
  subject: 'line',
  lineOf: 'a',
  levelKind: 'bytes',
  level: 5,
  cycle: { from: new Date(from), to: new Date(to) },
  before: 9,
  after: 10,
  threshold: 5,
  usageRecordId: null,
  ruleVersion: 1,
  firedAt: new Date('2026-01-11T12:00Z'),
  late: false,
});

describe('a database from before boundaries had a history', () => {
  // proves price-plan-triggers/moved-boundaries
  it('fires nothing again in the open cycle, and keeps its closings and the accounts that its sums follow', async () => {
    const { url, drop } = await createEmptyDatabase();
    await migrate(url, before);
    const db = openTestDatabase(url);
    try {
      await db.tx(async (tx) => {
        await tx.exec(sql`set local session_replication_role = replica`);
        for (const row of rows) await tx.exec(row);
      });
      await migrate(url, all);
      const ctx = { db, requestId: 'upgrade' } as unknown as Ctx;
      const fire = async (from: string, to: string) =>
        (await recordFirings(ctx, '1', [firing(from, to)])).length;
      assert.equal(await fire('2026-01-05T06:00Z', '2026-02-05T06:00Z'), 0, 'the cycle in which it fired');
      assert.equal(await fire('2026-01-10T06:00Z', '2026-01-11T06:00Z'), 1, 'a cycle of another kind');
      assert.equal(await fire('2026-02-05T06:00Z', '2026-03-05T06:00Z'), 1, 'the next cycle');
      const closings = await db.many(sql`select opens_at as at from price_plan_closing`);
      assert.deepEqual(closings, [{ at: new Date('2026-01-05T06:00Z') }]);
      const sum = { triggerId: TRIGGER, subject: 'combined', cycle: 'Monthly' } as const;
      const leaders = (await findLeaders(db, '1', [sum]))(sum);
      assert.deepEqual(
        leaders.map(({ accountName, from }) => [accountName, from]),
        [['a', null]],
      );
    } finally {
      await db.close();
      await drop();
    }
  });
});
