import type { ClockMover } from '../../../platform/clock/clock-mover.ts';
import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import { sql } from '../../../platform/db/sql.ts';
import { findDeliveryMark } from '../../callbacks/index.ts';
import { findEndedMark, hasOpenRequests } from '../../carrier-requests/index.ts';
import { findFiringMark } from '../../firings/index.ts';
import { findEndedLocationMark, hasOpenLocationRequests } from '../../location-reports/index.ts';
import { findPositionMark } from '../../locations/index.ts';
import { findAskedMark } from '../../trigger-actions/index.ts';

/** The topics of change events: the first member of a page's query keys. */
const TOPICS = ['usage', 'firings', 'approvals', 'callbacks', 'requests', 'positions', 'clock'] as const;
export type Topic = (typeof TOPICS)[number];

/**
 * A text that differs after a change, or undefined if nothing indicates one. It must be cheap, because it is read every
 * two seconds.
 */
export type FindMark = (ctx: Ctx, tenant: Tenant) => Promise<string | undefined>;

const WATCHED_MS = 100 * 86_400_000;

/** One text for all the accounts. */
export async function findUsageMark({ db, now }: Ctx, accounts: readonly Tenant[]): Promise<string> {
  const from = new Date(now().getTime() - WATCHED_MS).toISOString().slice(0, 10);
  const marks: string[] = [];
  for (const [ecpdId, own] of Map.groupBy(accounts, (account) => account.ecpdId)) {
    const { mark } = await db.one<{ mark: string | null }>(sql`
      select string_agg(account_name || ' ' || bytes, ' ' order by account_name) as mark from (
        select account_name, sum(bytes) as bytes from usage_account_day
        where ecpd_id = ${ecpdId} and account_name = any(${own.map(({ accountName }) => accountName)}::text[])
          and day >= ${from}
        group by account_name) used`);
    marks.push(mark ?? '');
  }
  return marks.join(' ');
}

/** Longer than the time between two polls of an account can be. */
const ENDED_MS = 60_000;
let round = 0;
/** An open request changes the mark with each poll, and so does a request that began and ended between two polls. */
const requestMark: FindMark = async ({ db, now }, tenant) => {
  if ((await hasOpenRequests(db, tenant)) || (await hasOpenLocationRequests(db, tenant)))
    return String(++round);
  const since = new Date(now().getTime() - ENDED_MS);
  const ended = await findEndedMark(db, tenant, since);
  const located = await findEndedLocationMark(db, tenant, since);
  return ended === undefined && located === undefined ? undefined : `${ended} ${located}`;
};

/** For a frozen clock the mark is its time, because its offset from real time changes constantly. */
export const clockMark =
  (mover: Pick<ClockMover, 'isFrozen' | 'current'> | undefined) =>
  async ({ clock, now }: Pick<Ctx, 'clock' | 'now'>): Promise<string> => {
    const stands = mover?.isFrozen() ? now().toISOString() : Math.round(clock.offsetMs() / 1_000);
    return `${stands} ${mover?.current()?.ran ?? 'still'}`;
  };

export const accountMarks = {
  usage: (ctx, tenant) => findUsageMark(ctx, [tenant]),
  firings: ({ db }, tenant) => findFiringMark(db, tenant),
  approvals: ({ db, now }, tenant) => findAskedMark(db, tenant, now()),
  callbacks: ({ db }, tenant) => findDeliveryMark(db, tenant),
  requests: requestMark,
  positions: ({ db }, tenant) => findPositionMark(db, tenant),
} as const satisfies Partial<Record<Topic, FindMark>>;
