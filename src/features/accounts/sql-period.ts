import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';

/**
 * After activations of these accounts have changed: what they are not activated with any more ends now, and what they are
 * begins now. One that began and ended at the same moment was none, and makes place for the next.
 */
export async function setPeriods(
  db: Db,
  ecpdId: string,
  accountNames: readonly string[],
  at: Date,
): Promise<void> {
  await db.exec(sql`
    update managed_period p set to_at = greatest(p.from_at, ${at}::timestamptz)
    where p.ecpd_id = ${ecpdId} and p.account_name = any(${accountNames}::text[]) and p.to_at = 'infinity'
      and not exists (
        select from managed_account m where m.ecpd_id = ${ecpdId} and m.account_name = p.account_name
          and m.service_name = p.service_name and m.paccount_name = p.paccount_name and m.state = 'provisioned')`);
  await db.exec(sql`
    insert into managed_period (ecpd_id, account_name, service_name, from_at, paccount_name)
    select m.ecpd_id, m.account_name, m.service_name, ${at}, m.paccount_name
    from managed_account m
    where m.ecpd_id = ${ecpdId} and m.account_name = any(${accountNames}::text[]) and m.state = 'provisioned'
      and not exists (
        select from managed_period p where p.ecpd_id = ${ecpdId} and p.account_name = m.account_name
          and p.service_name = m.service_name and p.paccount_name = m.paccount_name and p.to_at = 'infinity')
    order by 2, 3
    on conflict (ecpd_id, account_name, service_name, from_at)
    do update set paccount_name = excluded.paccount_name, to_at = excluded.to_at`);
}
