import type { Tenant } from '../../../platform/context.ts';
import { arrayText } from '../../../platform/db/array-text.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql, trusted, unprepared } from '../../../platform/db/sql.ts';

/** Of an account `a`. */
export const LAST_MOVE = trusted(`coalesce((
  select max(v.batch_no) from usage_move v where v.ecpd_id = a.ecpd_id and v.account_name = a.account_name), 0)`);

const keyOf = (ecpdId: string) => sql`hashtextextended('usage of ' || ${ecpdId}::text || ' ' || n.name, 0)`;

/**
 * Before anything else of a batch is locked, and in a statement of its own: what is read after it sees all moves of these
 * accounts' usage, and there are no others until the transaction has ended. Batches go side by side.
 */
export const shareUsage = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.exec(sql`
    select pg_advisory_xact_lock_shared(${keyOf(ecpdId)})
    from (select name from unnest(${accountNames}::text[]) as a (name) order by name) n`);

/** Before anything else is locked: batches of the account that have begun are waited for, the others wait until this ends. */
export const holdUsageAlone = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.exec(sql`select pg_advisory_xact_lock(${keyOf(ecpdId)}) from (select ${accountName}::text as name) n`);

/** Less than it takes the database to look for circles. */
export const waitBriefly = (db: Db) => db.exec(sql`set local lock_timeout = '500ms'`);
export const waitAsUsual = (db: Db) => db.exec(sql`set local lock_timeout = '10s'`);

export interface SeenMoment {
  readonly accountName: string;
  readonly deviceId: string;
  readonly atMs: number;
  /** The last move that was known. */
  readonly lastMove: bigint;
}

/** Those of which the usage was moved since; `nth` counts from 0. */
export const listMovedSince = (db: Db, ecpdId: string, moments: readonly SeenMoment[]) =>
  db.many<{ nth: number }>(
    unprepared(sql`
    select asked.nth::int - 1 as nth
    from unnest(${arrayText(moments.map((m) => m.accountName))}::text[],
      ${plainArray(moments.map((m) => m.deviceId))}::uuid[], ${plainArray(moments.map((m) => m.atMs))}::bigint[],
      ${plainArray(moments.map((m) => m.lastMove))}::bigint[])
      with ordinality as asked (account_name, device_id, at_ms, last_move, nth)
    where exists (
      select from usage_move v
      where v.ecpd_id = ${ecpdId} and v.account_name = asked.account_name and v.batch_no > asked.last_move
        and v.device_id = asked.device_id
        and v.since <= 'epoch'::timestamptz + asked.at_ms * interval '1 millisecond')
    order by asked.nth`),
  );
