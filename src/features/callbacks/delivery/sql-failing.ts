import type { Tenant } from '../../../platform/context/context.ts';
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

interface FailingPage {
  readonly failingAfter: Date;
  readonly failingBefore: Date;
  readonly after: Pick<FailingListener, 'ecpdId' | 'accountName' | 'serviceName'> | undefined;
  readonly limit: number;
}

/** `nth`, from 0, is the place in what was asked for. */
const countWaiting = (
  db: Db,
  ecpdId: string,
  lanes: readonly Pick<FailingListener, 'accountName' | 'serviceName'>[],
) =>
  db.many<{ nth: number; waiting: number }>(sql`
    select k.nth::int - 1 as nth, w.waiting
    from unnest(${lanes.map(({ accountName }) => accountName)}::text[], ${lanes.map(({ serviceName }) => serviceName)}::text[])
      with ordinality as k (account_name, service_name, nth)
    cross join lateral (
      select count(*)::int as waiting from (
        select from callback_pending p
        where p.ecpd_id = ${ecpdId} and p.account_name = k.account_name and p.service_name = k.service_name
        limit ${WAITING_COUNTED_MAX}) counted) w`);

/**
 * Those that began to fail between two times, page by page in the order of their keys. What was
 * replaced or resumed since then has its time anew; a paused one is left alone, because somebody knows.
 */
const listFailing = (db: Db, { failingAfter, failingBefore, after, limit }: FailingPage) =>
  db.many<Omit<FailingListener, 'waiting'>>(sql`
    select k.ecpd_id as "ecpdId", k.account_name as "accountName", k.service_name as "serviceName", l.url,
      k.failing_since as "failingSince", k.last_failed_at as "lastFailedAt", k.last_failure as "lastFailure"
    from callback_lane k
    join callback_listener l using (ecpd_id, account_name, service_name)
    where k.failing_since > ${failingAfter} and k.failing_since <= ${failingBefore} and k.failing_since >= l.updated_at
      and l.url is not null and not l.paused
      and (k.ecpd_id, k.account_name, k.service_name)
        > (${after?.ecpdId ?? ''}, ${after?.accountName ?? ''}, ${after?.serviceName ?? ''})
    order by k.ecpd_id, k.account_name, k.service_name limit ${limit}`);

/** One page of `listFailing`, with what waits for each: counted in each profile by itself. */
export async function listFailingListeners(db: Db, page: FailingPage): Promise<readonly FailingListener[]> {
  const failing = await listFailing(db, page);
  const found: FailingListener[] = [];
  for (const [ecpdId, lanes] of Map.groupBy(failing, (each) => each.ecpdId)) {
    const counts = new Map(
      (await countWaiting(db, ecpdId, lanes)).map(({ nth, waiting }) => [nth, waiting] as const),
    );
    found.push(...lanes.map((lane, nth) => ({ ...lane, waiting: counts.get(nth) ?? 0 })));
  }
  return found;
}
