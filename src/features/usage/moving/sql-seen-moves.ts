import type { Tenant } from '../../../platform/context/context.ts';
import { arrayText } from '../../../platform/db/array-text.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { type Query, sql, unprepared } from '../../../platform/db/sql.ts';

/** Of an account `a` of the profile; 0 where there was none. */
export const lastMove = (ecpdId: Query, only = sql`true`): Query => sql`coalesce((
  select max(v.batch_no) from usage_move v
  where v.ecpd_id = ${ecpdId} and v.account_name = a.account_name and ${only}), 0)`;

/** A transaction may name thousands of accounts, and the database has room for so many locks only: some share one. */
const LOCKS = 64;
const keysOf = (what: 'usage' | 'levels', ecpdId: string, accountNames: readonly string[]) => sql`
  select hashtextextended(${`${what} of ${ecpdId} `}::text || nth, 0) as key
  from (select distinct abs(hashtextextended(name, 0) % ${LOCKS}::int) as nth from unnest(${accountNames}::text[]) as a (name)) n
  order by nth`;
const share = (keys: Query) => sql`select pg_advisory_xact_lock_shared(key) from (${keys}) k`;
const holdAlone = (keys: Query) => sql`select pg_advisory_xact_lock(key) from (${keys}) k`;

/**
 * Before anything else of a batch is locked, and in a statement of its own: what is read after it sees all moves of these
 * accounts' usage, and there are no others until the transaction has ended. Batches go side by side.
 */
export const shareUsage = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.exec(share(keysOf('usage', ecpdId, accountNames)));

/** Before anything else is locked: batches of the accounts that have begun are waited for, the others wait until this ends. */
export const holdUsageAlone = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.exec(holdAlone(keysOf('usage', ecpdId, accountNames)));

/**
 * For who compares counters of accounts, to write levels or to close a cycle, and holds the accounts: nobody moves usage between
 * counters that it compares and levels that it writes.
 */
export const shareLevels = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.exec(share(keysOf('levels', ecpdId, accountNames)));

/**
 * After lines are locked, which an import does before it writes levels. Not the account itself: an import may have changed it
 * before it locks lines, and both would wait for each other.
 */
export const holdLevelsAlone = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.exec(holdAlone(keysOf('levels', ecpdId, [accountName])));

export const waitAsUsual = (db: Db) => db.exec(sql`set local lock_timeout = '10s'`);

interface SeenMoment {
  readonly accountName: string;
  readonly deviceId: string;
  readonly atMs: number;
  /** The last move that was known. */
  readonly lastMove: bigint;
}

/** Those of which the usage was moved since, and whether the line has left its account; `nth` counts from 0. */
export const listMovedSince = (db: Db, ecpdId: string, moments: readonly SeenMoment[]) =>
  db.many<{ nth: number; hasLeft: boolean }>(
    unprepared(sql`
    select given.nth::int - 1 as nth, moved.has_left as "hasLeft"
    from unnest(${arrayText(moments.map((m) => m.accountName))}::text[],
      ${plainArray(moments.map((m) => m.deviceId))}::uuid[], ${plainArray(moments.map((m) => m.atMs))}::bigint[],
      ${plainArray(moments.map((m) => m.lastMove))}::bigint[])
      with ordinality as given (account_name, device_id, at_ms, last_move, nth)
    cross join lateral (
      select bool_or(v.has_left) as has_left from usage_move v
      where v.ecpd_id = ${ecpdId} and v.account_name = given.account_name and v.batch_no > given.last_move
        and v.device_id = given.device_id
        and v.since <= 'epoch'::timestamptz + given.at_ms * interval '1 millisecond') moved
    where moved.has_left is not null
    order by given.nth`),
  );
