import type { Tenant } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';

/** A listener that has acknowledged nothing since an attempt failed. */
export interface FailingListener extends Tenant {
  readonly serviceName: string;
  readonly url: string;
  readonly failingSince: Date;
  readonly lastFailedAt: Date;
  /** In a few words: what it answered, or why it did not. */
  readonly lastFailure: string;
  /** Counted up to WAITING_COUNTED_MAX. */
  readonly waiting: number;
}

export const WAITING_COUNTED_MAX = 10_000;

/**
 * Those that have been failing since before a time, page by page in the order of their keys. What was
 * replaced or resumed since then has its time anew; a paused one is left alone, because somebody knows.
 */
export const listFailingListeners = (
  db: Db,
  {
    failingBefore,
    after,
    limit,
  }: {
    failingBefore: Date;
    after: Pick<FailingListener, 'ecpdId' | 'accountName' | 'serviceName'> | undefined;
    limit: number;
  },
) =>
  db.many<FailingListener>(sql`
    select k.ecpd_id as "ecpdId", k.account_name as "accountName", k.service_name as "serviceName", l.url,
      k.failing_since as "failingSince", k.last_failed_at as "lastFailedAt", k.last_failure as "lastFailure", w.waiting
    from callback_lane k
    join callback_listener l using (ecpd_id, account_name, service_name)
    cross join lateral (
      select count(*)::int as waiting from (
        select from callback_pending p
        where p.ecpd_id = k.ecpd_id and p.account_name = k.account_name and p.service_name = k.service_name
        limit ${WAITING_COUNTED_MAX}) counted) w
    where k.failing_since <= ${failingBefore} and k.failing_since >= l.updated_at and l.url is not null and not l.paused
      and (k.ecpd_id, k.account_name, k.service_name)
        > (${after?.ecpdId ?? ''}, ${after?.accountName ?? ''}, ${after?.serviceName ?? ''})
    order by k.ecpd_id, k.account_name, k.service_name limit ${limit}`);
