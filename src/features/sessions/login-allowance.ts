import { hashToken } from '../../platform/crypto/token.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';
import { type Allowance, allowanceOf, WINDOW_MS } from '../../platform/http/rate-limit.ts';

/** Each new key deletes this many that say nothing more, so that the table holds only the keys of the last minute. */
const FORGOTTEN = 2;

/** In milliseconds from now. Limits use real time; the clocks of processes differ by a second at most. */
const owed = (now: Date) => sql`extract(epoch from full_at - ${now}::timestamptz)::float8 * 1000`;

/** The allowance by which logins are limited: every process takes from the same one, and no key displaces another. */
export function loginLimiter(perMinute: number) {
  const interval = sql`make_interval(secs => ${WINDOW_MS / perMinute / 1_000}::float8)`;
  // Hashed, because a made-up name can be as long as a header.
  const keyOf = (who: string) => hashToken(`${perMinute} ${who}`);

  const findOwed = async (db: Db, key: string, now: Date): Promise<number> =>
    (await db.maybeValue<number>(sql`select ${owed(now)} as owed from login_allowance where key = ${key}`)) ??
    0;

  const forget = (db: Db, now: Date) =>
    db.exec(sql`
      delete from login_allowance where key in (
        select key from login_allowance where full_at < ${now}
        order by full_at limit ${FORGOTTEN} for update skip locked)`);

  return {
    perMinute,
    /** Returns what `take` would return, but uses nothing up: for limits that count only some of the calls. */
    async peek(db: Db, who: string): Promise<Allowance> {
      return allowanceOf(await findOwed(db, keyOf(who), new Date()), perMinute);
    },
    async take(db: Db, who: string): Promise<Allowance> {
      const key = keyOf(who);
      const now = new Date();
      const taken = await db.maybe<{ owed: number; isNew: boolean }>(sql`
        insert into login_allowance as a (key, full_at) values (${key}, ${now}::timestamptz + ${interval})
        on conflict (key) do update set full_at = greatest(a.full_at, ${now}) + ${interval}
          where greatest(a.full_at, ${now}) + ${interval}
            <= ${now}::timestamptz + make_interval(secs => ${WINDOW_MS / 1_000}::float8)
        returning ${owed(now)} as owed, xmax = 0 as "isNew"`);
      if (taken === undefined)
        return { ...allowanceOf(await findOwed(db, key, now), perMinute), allowed: false };
      if (taken.isNew) await forget(db, now);
      return allowanceOf(taken.owed - WINDOW_MS / perMinute, perMinute);
    },
  };
}
