import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql, unprepared } from '../../platform/db/sql.ts';
import { BOUNDARIES } from '../accounts/index.ts';
import type { LedgerAccount } from './ledger.ts';
import { lastMove } from './moving/sql-seen-moves.ts';

/** Each table is filtered by profile, so that a cluster queries only the servers that store these profiles. */
export const listLedgerAccounts = (db: Db, named: readonly Tenant[]) => {
  const ecpdIds = [...new Set(named.map(({ ecpdId }) => ecpdId))];
  const accountNames = [...new Set(named.map(({ accountName }) => accountName))];
  return db.many<LedgerAccount>(sql`
    select a.ecpd_id as "ecpdId", a.account_name as "accountName", ${BOUNDARIES}, s.starts_on as "startsOn",
      ${lastMove(sql`a.ecpd_id`, sql`v.ecpd_id = any(${ecpdIds}::text[])`)} as "lastMove"
    from account a left join usage_ledger_start s on s.ecpd_id = a.ecpd_id and s.ecpd_id = any(${ecpdIds}::text[])
    where a.ecpd_id = any(${ecpdIds}::text[]) and a.account_name = any(${accountNames}::text[])`);
};

/** Many feeds of one account queue at its counters: waiting slows their senders down, a timeout would break the feeds off. */
export const waitForOthers = (db: Db) => db.exec(sql`set local lock_timeout = '50s'`);

/** The accounts that still exist, locked until this transaction ends; plans must have been looked up after `lastMove`. */
export const lockAccounts = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.many<{ accountName: string; lastMove: bigint }>(sql`
    select a.account_name as "accountName", ${lastMove(sql`${ecpdId}`)} as "lastMove" from account a
    where a.ecpd_id = ${ecpdId} and a.account_name = any(${accountNames}::text[]) order by a.account_name for key share of a`);

/** Locks the accounts against other callers until the transaction ends. Callers that only need them to exist do not wait. */
export const holdAccounts = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.exec(sql`
    select 1 from account
    where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[]) order by account_name for no key update`);

const unwatchedKey = (ecpdId: string) =>
  sql`hashtextextended(${`unreportedLoop usage of ${ecpdId}`}::text, 0)`;

/** Batches of a profile that nothing evaluates share this lock. A caller that begins to evaluate waits for the running ones. */
export const shareUnwatched = (db: Db, ecpdId: string) =>
  db.exec(sql`select pg_advisory_xact_lock_shared(${unwatchedKey(ecpdId)})`);

/** For a caller that begins to evaluate a profile's usage: all batches that added to its counters unwatched have ended. */
export const waitForUnwatched = (db: Db, ecpdId: string) =>
  db.exec(sql`select pg_advisory_xact_lock(${unwatchedKey(ecpdId)})`);

/** The ids that were taken already. */
export const listKnownRecords = (
  db: Db,
  ecpdId: string,
  ids: readonly string[],
): Promise<readonly string[]> =>
  db.values<string>(
    unprepared(sql`
    select record_id as id from usage_record_id where ecpd_id = ${ecpdId} and record_id = any(${ids}::text[])`),
  );

/** Draws the number under which a batch's order, or the changes of a move, are stored. */
export const drawBatch = (db: Db): Promise<bigint> =>
  db.value<bigint>(sql`select nextval(pg_get_serial_sequence('usage_batch', 'batch_no')) as "batchNo"`);

/** The newest stored change of lines. */
const linesSeen = (ecpdId: string) =>
  sql`coalesce((select max(change_no) from line_change where ecpd_id = ${ecpdId}), 0)`;

/**
 * Stores the batch's position among other batches and among changes of lines. Call this last, while everything that the
 * batch added to is locked: of two batches that share any counter, the later one gets the later position. A cluster
 * draws the number correctly only for a row of literal values, and such a row cannot read another table.
 */
export async function placeBatch(db: Db, ecpdId: string, batchNo: bigint, takenAt: Date): Promise<void> {
  if (!db.sharded) {
    await db.exec(sql`
      insert into usage_batch (ecpd_id, batch_no, taken_at, lines_seen)
      select ${ecpdId}, ${batchNo}, ${takenAt}, ${linesSeen(ecpdId)}`);
    return;
  }
  await Promise.all([
    db.exec(sql`
      insert into usage_batch (ecpd_id, batch_no, taken_at, lines_seen) values (${ecpdId}, ${batchNo}, ${takenAt}, 0)`),
    db.exec(sql`
      update usage_batch set lines_seen = ${linesSeen(ecpdId)} where ecpd_id = ${ecpdId} and batch_no = ${batchNo}`),
  ]);
}

/** For a profile whose records were deleted. */
export const deleteBatches = (db: Db, ecpdId: string) =>
  db.exec(sql`delete from usage_batch where ecpd_id = ${ecpdId}`);
