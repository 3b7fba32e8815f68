import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';

/** A name and the place where it was tried. Each place has its own count of failures and lock. */
export interface TriedName {
  readonly username: string;
  readonly place: 'api' | 'console';
}

export const findLock = (db: Db, { username, place }: TriedName, now: Date): Promise<Date | undefined> =>
  db.maybeValue<Date>(sql`
    select locked_until as "lockedUntil" from login_failure
    where username = ${username} and place = ${place} and locked_until > ${now}`);

interface FailureCount {
  readonly failures: number;
  readonly lockedUntil: Date | null;
}

/** Counts one more failure in a row, which may set the lock. An expired lock restarts the count; one in force is unchanged. */
export const countFailure = (
  db: Db,
  failure: TriedName & { now: Date; attemptsMax: number; lockUntil: Date },
): Promise<FailureCount> => {
  const { username, place, now, attemptsMax, lockUntil } = failure;
  const inARow = sql`case when f.locked_until <= ${now} then 1 else f.failures + 1 end`;
  return db.one<FailureCount>(sql`
    insert into login_failure as f (username, place, failures, failed_at, locked_until)
    values (${username}, ${place}, 1, ${now}, case when ${attemptsMax}::int <= 1 then ${lockUntil}::timestamptz end)
    on conflict (username, place) do update set
      failures = ${inARow},
      failed_at = ${now},
      locked_until = case when f.locked_until > ${now} then f.locked_until
                          when ${inARow} >= ${attemptsMax}::int then ${lockUntil}::timestamptz end
    returning failures, locked_until as "lockedUntil"`);
};

export const deleteFailuresUnlessLocked = (db: Db, { username, place }: TriedName, now: Date) =>
  db.exec(sql`
    delete from login_failure
    where username = ${username} and place = ${place} and (locked_until is null or locked_until <= ${now})`);

/** For every place. */
export const deleteFailures = async (db: Db, username: string): Promise<boolean> =>
  (await db.exec(sql`delete from login_failure where username = ${username}`)) > 0;

export const deleteFailuresBefore = (db: Db, before: Date, limit: number) =>
  db.exec(sql`
    delete from login_failure where (username, place) in (
      select username, place from login_failure where failed_at < ${before} and (locked_until is null or locked_until < ${before})
      limit ${limit})`);
