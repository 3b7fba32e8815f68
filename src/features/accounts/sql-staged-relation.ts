import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';

export const listStagedAccounts = async (db: Db, ecpdId: string): Promise<string[]> =>
  (
    await db.many<{ name: string }>(sql`
      select distinct body->>'accountName' as name from staged_entry
      where section = 'managedAccounts' and ecpd_id = ${ecpdId}`)
  ).map(({ name }) => name);

export const listStagedPrimaries = async (db: Db, ecpdId: string): Promise<string[]> =>
  (
    await db.many<{ name: string }>(sql`
      select distinct paccount_name as name from staged_relation
      where ecpd_id = ${ecpdId} and paccount_name is not null`)
  ).map(({ name }) => name);

/**
 * The entries as they come out with what is kept. Without a primary an entry means the only one that has the account; with
 * another than the one it is activated with, it moves the account there.
 */
export async function stageRelations(db: Db): Promise<void> {
  await db.exec(sql`
    create temporary table staged_relation on commit drop as
    select s.section, s.position, s.ecpd_id, s.body->>'accountName' as account_name,
      s.body->>'serviceName' as service_name, w.paccount_name, coalesce(s.body->>'type', m.sku_name) as sku_name,
      coalesce(s.body->>'state', m.state, 'added') as state
    from staged_entry s
    left join lateral (
      select min(k.paccount_name) as paccount_name from managed_account k
      where k.ecpd_id = s.ecpd_id and k.account_name = s.body->>'accountName'
        and k.service_name = s.body->>'serviceName' and k.state <> 'cancelled'
      having count(*) = 1) only_one on true
    cross join lateral (select coalesce(s.body->>'paccountName', only_one.paccount_name) as paccount_name) w
    left join lateral (
      select k.sku_name, k.state from managed_account k
      where k.ecpd_id = s.ecpd_id and k.account_name = s.body->>'accountName'
        and k.service_name = s.body->>'serviceName'
        and (k.state = 'provisioned' or k.state = 'added' and k.paccount_name = w.paccount_name)
      limit 1) m on true
    where s.section = 'managedAccounts'`);
  // Each entry is compared with all others: without these, one by one.
  await db.exec(sql`create index on staged_relation (ecpd_id, account_name)`);
  await db.exec(sql`create index on staged_relation (ecpd_id, paccount_name)`);
  await db.exec(sql`analyze staged_relation`);
}

/** What is activated when the document is written. An account and service that it names are as it says. */
export const ACTIVATED_AFTER = sql`(
  select r.ecpd_id, r.account_name, r.paccount_name from staged_relation r where r.state = 'provisioned'
  union all
  select k.ecpd_id, k.account_name, k.paccount_name from managed_account k
  where k.state = 'provisioned' and not exists (
    select from staged_relation o where o.ecpd_id = k.ecpd_id and o.account_name = k.account_name
      and o.service_name = k.service_name))`;

/** Of an account that nothing was known of: it has been activated for as long as it has been used. */
export const insertFirstPeriods = (db: Db, ecpdId: string) =>
  db.exec(sql`
    insert into managed_period (ecpd_id, account_name, service_name, from_at, paccount_name)
    select r.ecpd_id, r.account_name, r.service_name, '-infinity', r.paccount_name
    from staged_relation r
    where r.ecpd_id = ${ecpdId} and r.state = 'provisioned' and not exists (
      select from managed_account k where k.ecpd_id = ${ecpdId} and k.account_name = r.account_name
        and k.service_name = r.service_name)
    order by 2, 3
    on conflict do nothing`);

/** An activation ends what others have of the account for the service. */
export const endReplaced = (db: Db, ecpdId: string, at: Date) =>
  db.exec(sql`
    update managed_account k set state = 'cancelled', updated_at = ${at}
    from staged_relation r
    where k.ecpd_id = ${ecpdId} and r.ecpd_id = ${ecpdId} and r.state = 'provisioned'
      and k.account_name = r.account_name and k.service_name = r.service_name and k.paccount_name <> r.paccount_name
      and k.state <> 'cancelled'`);

/** One that was cancelled comes as a new one; any other keeps its transaction id. */
export const upsertRelations = (db: Db, ecpdId: string, at: Date) =>
  db.exec(sql`
    insert into managed_account as k (ecpd_id, account_name, service_name, paccount_name, sku_name, state, txid, updated_at)
    select r.ecpd_id, r.account_name, r.service_name, r.paccount_name, r.sku_name, r.state, gen_random_uuid(), ${at}
    from staged_relation r
    where r.ecpd_id = ${ecpdId}
    order by 2, 3, 4
    on conflict (ecpd_id, account_name, service_name, paccount_name) do update set sku_name = excluded.sku_name,
      state = excluded.state, updated_at = excluded.updated_at,
      txid = case when k.state = 'cancelled' then excluded.txid else k.txid end,
      added_txid = case when k.state = excluded.state then k.added_txid end`);
