import type { ClockMover } from '../../../platform/clock/clock-mover.ts';
import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import { sql } from '../../../platform/db/sql.ts';
import { findDeliveryMark } from '../../callbacks/index.ts';
import { findEndedMark, hasOpenRequests } from '../../carrier-requests/index.ts';
import { findFiringMark } from '../../firings/index.ts';
import { findEndedLocationMark, hasOpenLocationRequests } from '../../location-reports/index.ts';
import { findPositionMark } from '../../locations/index.ts';
import { findAskedMark } from '../../trigger-actions/index.ts';

/** What a page can be told of: the first member of its query keys. */
const TOPICS = ['usage', 'firings', 'approvals', 'callbacks', 'requests', 'positions', 'clock'] as const;
export type Topic = (typeof TOPICS)[number];

/**
 * A text that is another one when something has changed, or undefined where nothing speaks of a change. Cheap: it is asked
 * for every other second.
 */
export type FindMark = (ctx: Ctx, tenant: Tenant) => Promise<string | undefined>;

const WATCHED_MS = 100 * 86_400_000;

/** One text for all of the accounts. */
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

/** Longer than it ever takes until an account is asked again. */
const ENDED_MS = 60_000;
let turn = 0;
/** While something is under way its progress is news each time; so is what began and ended between two looks. */
const requestMark: FindMark = async ({ db, now }, tenant) => {
  if ((await hasOpenRequests(db, tenant)) || (await hasOpenLocationRequests(db, tenant)))
    return String(++turn);
  const since = new Date(now().getTime() - ENDED_MS);
  const ended = await findEndedMark(db, tenant, since);
  const located = await findEndedLocationMark(db, tenant, since);
  return ended === undefined && located === undefined ? undefined : `${ended} ${located}`;
};

/** A frozen clock is known by where it stands: how far that is from real time changes all the while. */
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
