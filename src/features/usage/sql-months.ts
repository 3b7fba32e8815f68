import { addDays, type LocalDay, monthOf } from '../../kernel/bill-cycle.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Query, sql, trusted } from '../../platform/db/sql.ts';

/** A table of the ledger. */
export interface Part {
  readonly table: Query;
  /** The first day after its month; undefined where it is not that of one month. */
  readonly endsOn: LocalDay | undefined;
}

const NAME = /^usage_record_(\d{4})_(\d{2})$/;
const nameOf = (month: LocalDay): string => `usage_record_${month.slice(0, 4)}_${month.slice(5, 7)}`;

export const nextMonth = (day: LocalDay): LocalDay => monthOf(addDays(monthOf(day), 31));

/** All that the ledger consists of: one for each month that was made, and those for all other days. */
export const listParts = async (db: Db): Promise<readonly Part[]> =>
  (
    await db.many<{ name: string }>(sql`
      select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'usage_record'::regclass order by c.relname`)
  ).map(({ name }) => {
    const [, year, month] = NAME.exec(name) ?? [];
    return { table: trusted(name), endsOn: year && nextMonth(`${year}-${month}-01`) };
  });

/** The month has records already, or belongs to a table that was there before. */
const TAKEN = new Set(['23514', '42P17']);

/** All who use the ledger wait behind this while it waits for others. Who fails by it is done again soon. */
const LOCK_WAIT_MS = 1_000;

const change = (db: Db, statement: Query) =>
  db.tx(async (tx) => {
    await tx.exec(sql`set local lock_timeout = ${trusted(String(LOCK_WAIT_MS))}`);
    await tx.exec(statement);
  });

/** A table for the month of a day, unless it has records already. */
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
