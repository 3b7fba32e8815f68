import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { isOlder, type NewestFirst } from '../../platform/db/newest-first.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';

/** An order that no change waited for and that its element did not carry out: the line has changed nevertheless. */
interface Unfollowed {
  readonly element: string;
  readonly wanted: string;
  readonly state: 'refused' | 'failed';
  readonly reason: string;
}

const UNFOLLOWED = sql`element, wanted, state, coalesce(reason, 'no reason was given') as reason`;

/** The lines of a request that elements did not follow. */
export const listUnfollowedOf = (db: Db, ecpdId: string, requestId: string, deviceIds: readonly string[]) =>
  db.many<Unfollowed & { readonly deviceId: string }>(sql`
    select device_id as "deviceId", ${UNFOLLOWED} from network_order
    where ecpd_id = ${ecpdId} and request_id = ${requestId} and state in ('refused', 'failed')
      and device_id = any(${plainArray(deviceIds)}::uuid[])
    order by element, order_id`);

/** How many lines of a request elements did not follow. */
export const countUnfollowed = (db: Db, ecpdId: string, requestId: string): Promise<number> =>
  db.value<number>(sql`
    select count(distinct device_id)::int as n from network_order
    where ecpd_id = ${ecpdId} and request_id = ${requestId} and state in ('refused', 'failed')`);

/** Of one line in its account, since it came there; newest first. */
export const listUnfollowedByDevice = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { deviceId, since }: { readonly deviceId: string; readonly since: Date },
  page: NewestFirst,
) =>
  db.many<Unfollowed & { readonly key: string; readonly at: Date; readonly requestId: string | null }>(sql`
    select order_id::text as key, closed as at, request_id as "requestId", ${UNFOLLOWED}
    from (select *, date_trunc('milliseconds', closed_at) as closed from network_order
      where ecpd_id = ${ecpdId} and device_id = ${deviceId} and account_name = ${accountName}
        and state in ('refused', 'failed') and change_id is null and closed_at >= ${since}) own
    where ${isOlder(sql`closed`, sql`order_id::text`, page)}
    order by closed desc, order_id::text collate "C" desc limit ${page.limit}`);
