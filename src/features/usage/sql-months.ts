import { addDays, type LocalDay, monthOf } from '../../kernel/bill-cycle.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Query, sql, trusted } from '../../platform/db/sql.ts';

/** A table of the ledger. */
export interface Part {
  readonly table: Query;
  /** The first day after its month; undefined if the table is not for a single month. */
  readonly endsOn: LocalDay | undefined;
}

const NAME = /^usage_record_(\d{4})_(\d{2})$/;
const nameOf = (month: LocalDay): string => `usage_record_${month.slice(0, 4)}_${month.slice(5, 7)}`;

export const nextMonth = (day: LocalDay): LocalDay => monthOf(addDays(monthOf(day), 31));

/** All tables of the ledger: one for each month created, and those for all other days. */
export const listParts = async (db: Db): Promise<readonly Part[]> =>
  (
    await db.many<{ name: string }>(sql`
      select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'usage_record'::regclass order by c.relname`)
  ).map(({ name }) => {
    const [, year, month] = NAME.exec(name) ?? [];
    return { table: trusted(name), endsOn: year && nextMonth(`${year}-${month}-01`) };
  });

/** Errors: the month already has records, or another table covers it. */
const TAKEN = new Set(['23514', '42P17']);

/** All users of the ledger queue behind this statement while it waits for a lock. If it times out, it is tried again soon. */
const LOCK_WAIT_MS = 1_000;

const change = (db: Db, statement: Query) =>
  db.tx(async (tx) => {
    await tx.exec(sql`set local lock_timeout = ${trusted(String(LOCK_WAIT_MS))}`);
    await tx.exec(statement);
  });

/** Adds a table for the month of a day, unless the month already has records. */
export async function addMonth(db: Db, day: LocalDay): Promise<void> {
  const from = monthOf(day);
  try {
    await change(
      db,
      sql`create table if not exists ${trusted(nameOf(from))} partition of usage_record
        for values from (${trusted(`'${from}'`)}) to (${trusted(`'${nextMonth(from)}'`)})`,
    );
  } catch (error) {
    if (!TAKEN.has(String((error as { code?: unknown }).code))) throw error;
  }
}

export const dropPart = (db: Db, { table }: Part) => change(db, sql`drop table if exists ${table}`);
