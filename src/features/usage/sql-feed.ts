import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql, unprepared } from '../../platform/db/sql.ts';
import type { LedgerAccount } from './ledger.ts';
import { lastMove } from './moving/sql-seen-moves.ts';

/** The profiles are named for each table: of a cluster's servers none is asked that has nothing of them. */
export const listLedgerAccounts = (db: Db, named: readonly Tenant[]) => {
  const ecpdIds = [...new Set(named.map(({ ecpdId }) => ecpdId))];
  const accountNames = [...new Set(named.map(({ accountName }) => accountName))];
  return db.many<LedgerAccount>(sql`
    select a.ecpd_id as "ecpdId", a.account_name as "accountName", a.time_zone as "timeZone",
      a.bill_cycle_day as "billCycleDay", s.starts_on as "startsOn",
      ${lastMove(sql`a.ecpd_id`, sql`v.ecpd_id = any(${ecpdIds}::text[])`)} as "lastMove"
    from account a left join usage_ledger_start s on s.ecpd_id = a.ecpd_id and s.ecpd_id = any(${ecpdIds}::text[])
    where a.ecpd_id = any(${ecpdIds}::text[]) and a.account_name = any(${accountNames}::text[])`);
};

/** Many feeds of one account queue at its counters: waiting slows their senders down, giving up would break them off. */
export const waitForOthers = (db: Db) => db.exec(sql`set local lock_timeout = '50s'`);

/** Those that still exist, and will until this transaction has ended; `lastMove` is what plans must have been looked up after. */
export const lockAccounts = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.many<{ accountName: string; lastMove: bigint }>(sql`
    select a.account_name as "accountName", ${lastMove(sql`${ecpdId}`)} as "lastMove" from account a
    where a.ecpd_id = ${ecpdId} and a.account_name = any(${accountNames}::text[]) order by a.account_name for key share of a`);

/** Against others who hold them so, until this transaction has ended; who only needs them to exist is not held up. */
export const holdAccounts = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.exec(sql`
    select 1 from account
    where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[]) order by account_name for no key update`);

const unreportedLoop = (ecpdId: string) =>
  sql`hashtextextended(${`unreportedLoop usage of ${ecpdId}`}::text, 0)`;

/** Batches that nobody evaluates go side by side; whoever begins to evaluate waits for those that are under way. */
export const shareUnwatched = (db: Db, ecpdId: string) =>
  db.exec(sql`select pg_advisory_xact_lock_shared(${unreportedLoop(ecpdId)})`);

/** For who begins to evaluate a profile's usage: the counters that it finds have been added to by batches that have ended. */
export const waitForUnwatched = (db: Db, ecpdId: string) =>
  db.exec(sql`select pg_advisory_xact_lock(${unreportedLoop(ecpdId)})`);

/** Those that were taken already. */
export const listKnownRecords = (
  db: Db,
  ecpdId: string,
  ids: readonly string[],
): Promise<readonly string[]> =>
  db.values<string>(
    unprepared(sql`
    select record_id as id from usage_record_id where ecpd_id = ${ecpdId} and record_id = any(${ids}::text[])`),
  );

/** Under which the order of a batch's records is kept, and what a move of usage has changed. */
export const drawBatch = (db: Db): Promise<bigint> =>
  db.value<bigint>(sql`select nextval(pg_get_serial_sequence('usage_batch', 'batch_no')) as "batchNo"`);

/** The last change of lines that is there. */
const linesSeen = (ecpdId: string) =>
  sql`coalesce((select max(change_no) from line_change where ecpd_id = ${ecpdId}), 0)`;

/**
 * Where the batch stands among others, and among changes of lines: the very last thing, while all that it has added to is
 * held, so that of batches that have met anywhere the later one has the later place. A cluster numbers a row as it should
 * only where the row is written out, and such a row reads nothing.
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

/** Of a profile whose records are gone. */
export const deleteBatches = (db: Db, ecpdId: string) =>
  db.exec(sql`delete from usage_batch where ecpd_id = ${ecpdId}`);
