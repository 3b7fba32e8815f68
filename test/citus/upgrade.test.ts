import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { readOwnMigrations } from '../../src/app/own-migrations.ts';
import { findDistributing, isSharded } from '../../src/app/sharding.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { isOnCluster, shardTables } from '../support/citus.ts';
import { createUnshardedDatabase } from '../support/database.ts';
import { withClient } from '../support/with-client.ts';

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [TRIGGER, ACTION, LINE, GONE] = [1, 2, 3, 4].map(uuid);

/** A trigger with an open cycle and a waiting action, and a line that left the account. */
const BEFORE = [
  `insert into profile (ecpd_id, foreign_id) values ('p', '${uuid(9)}')`,
  `insert into account_directory (account_name, ecpd_id) values ('a', 'p')`,
  `insert into account (ecpd_id, account_name, time_zone, bill_cycle_day, real_time_rating, aggregated_billing,
    location_registered, created_at) values ('p', 'a', 'UTC', 1, false, false, false, now())`,
  `insert into price_plan_trigger (ecpd_id, trigger_id, trigger_name, active, version, body, created_at, updated_at)
    values ('p', '${TRIGGER}', 't', true, 1, '{}', now(), now())`,
  `insert into price_plan_sum (ecpd_id, account_name, plan_code, cycle, trigger_id, subject, cycle_account)
    values ('p', 'a', 'P', 'Monthly', '${TRIGGER}', 'combined', 'a')`,
  `insert into price_plan_closing (ecpd_id, trigger_id, account_name, cycle, from_day, to_day, closes_at)
    values ('p', '${TRIGGER}', 'a', 'Monthly', '2026-01-01', '2026-02-01', '2026-02-01T00:00Z')`,
  `insert into trigger_action (ecpd_id, action_id, account_name, trigger_id, kind, params, device_count, device_ids, state,
    request_ids, open_requests, approvable_to, created_at)
    values ('p', '${ACTION}', 'a', '${TRIGGER}', 'suspend', '{}', 1, '{${LINE}}', 'waiting', '{}', 0, now(), now())`,
  `insert into earlier_owner (kind, value, from_at, to_at, ecpd_id, account_name, device_id)
    values ('imei', '990000000000001', '2025-01-01', '2025-06-01', 'p', 'a', '${GONE}')`,
];

const skip = !isOnCluster() && 'only a cluster has workers';

describe('an upgrade of a distributed database', { skip }, () => {
  it('places the tables that it creates and fills, so that no command has to follow', async () => {
    const { url, drop } = await createUnshardedDatabase('0029');
    after(drop);
    await shardTables(new URL(url).pathname.slice(1));
    await withClient(url, async (client) => {
      for (const row of BEFORE) await client.query(row);
    });
    await migrate(url, await readOwnMigrations(), { findDistributing });
    await withClient(url, async (client) => {
      const found = await client.query({
        rowMode: 'array',
        text: `select (select account_name from price_plan_leader), (select device_id from trigger_action_line),
          (select identifiers ->> 'imei' from left_line)`,
      });
      assert.deepEqual(found.rows, [['a', LINE, '990000000000001']]);
    });
    assert.equal(await isSharded(url), true);
  });
});
