import type { Ctx, Tenant } from '../../../platform/context.ts';
import { sql } from '../../../platform/db/sql.ts';
import { findDeliveryMark } from '../../callbacks/index.ts';
import { hasOpenRequests } from '../../carrier-requests/index.ts';
import { findFiringMark } from '../../firings/index.ts';
import { hasOpenLocationRequests } from '../../location-reports/index.ts';
import { findPositionMark } from '../../locations/index.ts';

/** What a page can be told of: the first member of its query keys. */
export const TOPICS = ['usage', 'firings', 'callbacks', 'requests', 'positions', 'clock'] as const;
export type Topic = (typeof TOPICS)[number];

/** A text that is another one when something has changed. Cheap: it is asked for every other second. */
export type ReadMark = (ctx: Ctx, tenant: Tenant) => Promise<string>;

/** One text for all of the accounts. */
export const readUsageMark = async ({ db }: Ctx, accounts: readonly Tenant[]): Promise<string> =>
  (
    await db.one<{ mark: string | null }>(sql`
      select string_agg(u.bytes::text, ' ' order by a.nth) as mark
      from unnest(${accounts.map(({ ecpdId }) => ecpdId)}::text[], ${accounts.map(({ accountName }) => accountName)}::text[])
        with ordinality as a (ecpd_id, account_name, nth)
      cross join lateral (
        select coalesce(sum(bytes), 0) as bytes from (
          select bytes from usage_account_day d where d.ecpd_id = a.ecpd_id and d.account_name = a.account_name
          order by day desc limit 100) newest) u`)
  ).mark ?? '';

let turn = 0;
/** While something is under way its progress is news each time. */
const requestMark: ReadMark = async ({ db }, tenant) => {
  const open = (await hasOpenRequests(db, tenant)) || (await hasOpenLocationRequests(db, tenant));
  return open ? String(++turn) : 'none';
};

export const accountMarks = {
  usage: (ctx, tenant) => readUsageMark(ctx, [tenant]),
  firings: ({ db }, tenant) => findFiringMark(db, tenant),
  callbacks: ({ db }, tenant) => findDeliveryMark(db, tenant),
  requests: requestMark,
  positions: ({ db }, tenant) => findPositionMark(db, tenant),
} as const satisfies Partial<Record<Topic, ReadMark>>;
