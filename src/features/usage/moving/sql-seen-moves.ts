import type { Tenant } from '../../../platform/context/context.ts';
import { arrayText } from '../../../platform/db/array-text.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { type Query, sql, unprepared } from '../../../platform/db/sql.ts';

/** The last move of an account `a` of the profile; 0 if there was none. */
export const lastMove = (ecpdId: Query, only = sql`true`): Query => sql`coalesce((
  select max(v.batch_no) from usage_move v
  where v.ecpd_id = ${ecpdId} and v.account_name = a.account_name and ${only}), 0)`;

/** A transaction may name thousands of accounts, and the database's lock table is limited: accounts share this many locks. */
const LOCKS = 64;
const keysOf = (what: 'usage' | 'levels', ecpdId: string, accountNames: readonly string[]) => sql`
  select hashtextextended(${`${what} of ${ecpdId} `}::text || nth, 0) as key
  from (select distinct abs(hashtextextended(name, 0) % ${LOCKS}::int) as nth from unnest(${accountNames}::text[]) as a (name)) n
  order by nth`;
const share = (keys: Query) => sql`select pg_advisory_xact_lock_shared(key) from (${keys}) k`;
const holdAlone = (keys: Query) => sql`select pg_advisory_xact_lock(key) from (${keys}) k`;

/**
 * Call this before the batch takes any other lock, in a statement of its own. Later reads see all moves of these
 * accounts' usage, and no new move starts until the transaction ends. Batches share the lock.
 */
export const shareUsage = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.exec(share(keysOf('usage', ecpdId, accountNames)));

/** Call this before any other lock. It waits for running batches of the accounts; later ones wait for this transaction. */
export const holdUsageAlone = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.exec(holdAlone(keysOf('usage', ecpdId, accountNames)));

/**
 * For a caller that compares counters of accounts, to write levels or to close a cycle, and holds the accounts. It
 * prevents moves between the counters that it compares and the levels that it writes.
 */
export const shareLevels = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.exec(share(keysOf('levels', ecpdId, accountNames)));

/**
 * Call this after lines are locked, as an import does before it writes levels. It does not lock the account itself: an
 * import may have changed the account before it locks lines, and each would wait for the other.
 */
export const holdLevelsAlone = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.exec(holdAlone(keysOf('levels', ecpdId, [accountName])));

export const waitAsUsual = (db: Db) => db.exec(sql`set local lock_timeout = '10s'`);

interface SeenMoment {
  readonly accountName: string;
  readonly deviceId: string;
  readonly atMs: number;
  /** The last move that the caller knows. */
  readonly lastMove: bigint;
}

/** The moments whose usage was moved since, and whether the line left its account; `nth` counts from 0. */
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
