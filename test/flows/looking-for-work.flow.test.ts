import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  findNextDue as findNextCallback,
  listLanes,
} from '../../src/features/callbacks/delivery/sql-lane.ts';
import { listProfilesWithRuleChanges } from '../../src/features/device-management/sql-rule-change.ts';
import {
  findNextDue as findNextNotification,
  listDueLanes,
} from '../../src/features/notifications/delivery/sql-lane.ts';
import type { Db } from '../../src/platform/db/db.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { listTurns } from '../../src/platform/jobs/sql.ts';
import { makeWorld, START } from '../support/world.ts';

const { ctx } = await makeWorld();
const { db } = ctx;
const PROFILES = ['p1', 'p2', 'p3', 'p4'];
const LATER = new Date(START.getTime() + 60_000);

await db.exec(
  sql`insert into profile (ecpd_id, foreign_id) select p, gen_random_uuid() from unnest(${PROFILES}::text[]) p`,
);
await db.exec(sql`
  insert into account_directory (ecpd_id, account_name) select p, 'a-' || p from unnest(${PROFILES}::text[]) p`);
await db.exec(sql`
  insert into account (ecpd_id, account_name, time_zone, bill_cycle_day, real_time_rating, aggregated_billing,
    location_registered, created_at)
  select p, 'a-' || p, 'UTC', 1, false, false, false, ${START} from unnest(${PROFILES}::text[]) p`);
await db.exec(sql`
  insert into job (ecpd_id, job_id, kind, payload, due_at, attempts_max, request_id, created_at)
  select p, gen_random_uuid(), kind, '{}', ${START}::timestamptz + make_interval(secs => n), 1, 'r', ${START}
  from unnest(${['', ...PROFILES.slice(0, 3)]}::text[]) p, generate_series(-2, 2) n, unnest('{wanted,other}'::text[]) kind`);
// The last profile has jobs, but none is due.
await db.exec(sql`
  insert into job (ecpd_id, job_id, kind, payload, due_at, attempts_max, request_id, created_at)
  values ('p4', gen_random_uuid(), 'wanted', '{}', ${LATER}, 1, 'r', ${START})`);
await db.exec(sql`
  insert into callback_listener (ecpd_id, account_name, service_name, url, secret_sealed, paused, created_at, updated_at)
  select p, 'a-' || p, s, 'http://127.0.0.1/', 'x', p = 'p2', ${START}, ${START}
  from unnest(${PROFILES}::text[]) p, unnest('{one,two}'::text[]) s`);
await db.exec(sql`
  insert into callback_pending (ecpd_id, account_name, service_name, due_at, message_id, series, attempts_made)
  select p, 'a-' || p, s, ${START}::timestamptz + make_interval(secs => n), gen_random_uuid(), 1, 0
  from unnest(${PROFILES}::text[]) p, unnest('{one,two}'::text[]) s, generate_series(-3, 3) n`);
await db.exec(sql`
  with posted as (
    insert into notification (ecpd_id, notification_id, account_name, channel, dedupe_key, body, created_at)
    select p, gen_random_uuid(), 'a-' || p, channel, n::text, 'text', ${START}
    from unnest('{p1,p4}'::text[]) p, unnest('{mail,sms}'::text[]) channel, generate_series(1, 3) n
    returning *)
  insert into notification_recipient (ecpd_id, notification_id, position, channel, recipient, state, attempts, posted_at, due_at)
  select ecpd_id, notification_id, 1, channel, 'somebody', 'waiting', 0, ${START},
    ${START}::timestamptz + make_interval(secs => dedupe_key::int) from posted`);
await db.exec(sql`
  insert into rule_change (ecpd_id, account_name, rule_id, device_id)
  select p, 'a-' || p, gen_random_uuid(), gen_random_uuid() from unnest('{p3,p1,p1}'::text[]) p`);

const distributed: Db = { ...db, sharded: true };
const both = <T>(ask: (on: Db) => Promise<T>) => Promise.all([ask(db), ask(distributed)]);

describe('a query for work over all profiles returns the same in a distributed database', () => {
  it('for the profiles in order, and the oldest due job of each', async () => {
    for (const [after, limit] of [
      [undefined, 100],
      [undefined, 2],
      ['p1', 100],
    ] as const) {
      const [walked, gathered] = await both((on) =>
        listTurns(on, { after, now: START, kinds: ['wanted'], limit }),
      );
      assert.deepEqual(gathered, walked);
      assert.ok(walked.some(({ jobId }) => jobId !== null));
    }
  });

  it('for listeners with due callbacks, and the time of the next one', async () => {
    const [walked, gathered] = await both((on) => listLanes(on, { dueBy: START, limit: 100 }));
    const names = (lanes: typeof walked) => lanes.map((lane) => Object.values(lane).join(' ')).sort();
    assert.deepEqual(names(gathered), names(walked));
    assert.equal(walked.length, 6);
    const [next, nextGathered] = await both(findNextCallback);
    assert.deepEqual(nextGathered, next);
    assert.ok(next !== undefined);
  });

  it('for channels with due notifications', async () => {
    const [walked, gathered] = await both((on) =>
      listDueLanes(on, { channel: 'mail', dueBy: LATER, limit: 100 }),
    );
    const profiles = (lanes: typeof walked) => lanes.map(({ ecpdId }) => ecpdId).sort();
    assert.deepEqual(profiles(gathered), profiles(walked));
    assert.deepEqual(profiles(walked), ['p1', 'p4']);
    const [next, nextGathered] = await both(findNextNotification);
    assert.deepEqual(nextGathered, next);
    assert.ok(next !== undefined);
  });

  it('for profiles with changed rules', async () => {
    const [walked, gathered] = await both(listProfilesWithRuleChanges);
    assert.deepEqual(gathered, walked);
    assert.deepEqual(walked, ['p1', 'p3']);
  });
});
