import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';

export const findLock = async (db: Db, username: string, now: Date): Promise<Date | undefined> =>
  (
    await db.maybe<{ lockedUntil: Date }>(sql`
      select locked_until as "lockedUntil" from login_failure where username = ${username} and locked_until > ${now}`)
  )?.lockedUntil;

/** Counts one failure and answers how many there are in a row; a lock that has run out starts the count again. */
export const countFailure = async (
  db: Db,
  {
    username,
    now,
    attemptsMax,
    lockedUntil,
  }: { username: string; now: Date; attemptsMax: number; lockedUntil: Date },
): Promise<number> =>
  (
    await db.one<{ failures: number }>(sql`
      insert into login_failure as f (username, failures, failed_at, locked_until)
      values (${username}, 1, ${now}, case when ${attemptsMax}::int <= 1 then ${lockedUntil}::timestamptz end)
      on conflict (username) do update set
        failures = case when f.locked_until <= ${now} then 1 else f.failures + 1 end,
        failed_at = ${now},
        locked_until = case when f.locked_until <= ${now} then null
                            when f.failures + 1 >= ${attemptsMax} then ${lockedUntil}::timestamptz
                            else f.locked_until end
      returning failures`)
  ).failures;

export const deleteFailures = async (db: Db, username: string): Promise<boolean> =>
  (await db.exec(sql`delete from login_failure where username = ${username}`)) === 1;

export const deleteFailuresBefore = (db: Db, before: Date, limit: number) =>
  db.exec(sql`
    delete from login_failure where username in (
      select username from login_failure where failed_at < ${before} and (locked_until is null or locked_until < ${before})
      limit ${limit})`);
