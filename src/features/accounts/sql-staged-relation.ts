import type { RowId } from '../../platform/chance/chance.ts';
import type { Ctx } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';
import { stagedOf } from '../../platform/fleet-document/verify-entries.ts';
import { holdAccounts, lockManaged } from './sql-managing.ts';

export const listStagedAccounts = (db: Db, ecpdId: string): Promise<string[]> =>
  db.values<string>(sql`
    select distinct body->>'accountName' as name from staged_entry
    where section = 'managedAccounts' and ecpd_id = ${ecpdId}`);

const listStagedPrimaries = (db: Db, ecpdId: string): Promise<string[]> =>
  db.values<string>(sql`
    select distinct paccount_name as name from staged_relation
    where ecpd_id = ${ecpdId} and paccount_name is not null`);

/**
 * Stages the entries merged with the stored relations. An entry without a primary means the only one that has the
 * account. An entry with another primary than the activating one moves the account there.
 */
const stageProfile = (db: Db, ecpdId: string) =>
  db.exec(sql`
    with ${stagedOf('managedAccounts', ecpdId)},
    kept as materialized (
      select k.account_name, k.service_name, k.paccount_name, k.sku_name, k.state from managed_account k
      where k.ecpd_id = ${ecpdId} and k.state <> 'cancelled' and k.account_name in (
        select s.body->>'accountName' from staged s)),
    only_one as materialized (
      select account_name, service_name, min(paccount_name) as paccount_name from kept group by 1, 2 having count(*) = 1),
    named as materialized (
      select s.position, s.body->>'accountName' as account_name, s.body->>'serviceName' as service_name,
        coalesce(s.body->>'paccountName', o.paccount_name) as paccount_name, s.body->>'type' as sku_name,
        s.body->>'state' as state
      from staged s
      left join only_one o on o.account_name = s.body->>'accountName' and o.service_name = s.body->>'serviceName')
    insert into staged_relation (position, ecpd_id, account_name, service_name, paccount_name, sku_name, state)
    select s.position, ${ecpdId}, s.account_name, s.service_name, s.paccount_name,
      coalesce(s.sku_name, p.sku_name, a.sku_name), coalesce(s.state, p.state, a.state, 'added')
    from named s
    left join kept p on p.account_name = s.account_name and p.service_name = s.service_name and p.state = 'provisioned'
    left join kept a on a.account_name = s.account_name and a.service_name = s.service_name and a.state = 'added'
      and a.paccount_name = s.paccount_name`);

/** Stages the stored activations of these accounts, and those with them as the primary. */
const stageActivations = (db: Db, ecpdId: string) =>
  db.exec(sql`
    with named as materialized (
      select account_name as name from staged_relation where ecpd_id = ${ecpdId}
      union select paccount_name from staged_relation where ecpd_id = ${ecpdId}),
    kept as materialized (
      select account_name, service_name, paccount_name from managed_account
      where ecpd_id = ${ecpdId} and state = 'provisioned'
        and (account_name in (select name from named) or paccount_name in (select name from named)))
    insert into staged_activation (ecpd_id, account_name, service_name, paccount_name)
    select ${ecpdId}, account_name, service_name, paccount_name from kept`);

/** Locks the accounts, so that what is verified still holds when it is written. */
export async function lockAndStage({ db }: Ctx, ecpdIds: readonly string[]): Promise<void> {
  for (const ecpdId of ecpdIds) await lockManaged(db, ecpdId, await listStagedAccounts(db, ecpdId));
  await db.exec(sql`
    create temporary table staged_relation (
      position int not null, ecpd_id text not null, account_name text not null, service_name text not null,
      paccount_name text, sku_name text, state text not null) on commit drop`);
  for (const ecpdId of ecpdIds) await stageProfile(db, ecpdId);
  // Each entry is compared with all others; without these indexes, one by one.
  await db.exec(sql`create index on staged_relation (ecpd_id, account_name)`);
  await db.exec(sql`create index on staged_relation (ecpd_id, paccount_name)`);
  await db.exec(sql`analyze staged_relation`);
  for (const ecpdId of ecpdIds) await holdAccounts(db, ecpdId, await listStagedPrimaries(db, ecpdId));
  await db.exec(sql`
    create temporary table staged_activation (
      ecpd_id text not null, account_name text not null, service_name text not null, paccount_name text not null)
    on commit drop`);
  for (const ecpdId of ecpdIds) await stageActivations(db, ecpdId);
  await db.exec(sql`create index on staged_activation (ecpd_id, account_name)`);
  await db.exec(sql`create index on staged_activation (ecpd_id, paccount_name)`);
  await db.exec(sql`analyze staged_activation`);
}

/** The activations after the document is written. For an account and service that it names, the document counts. */
export const ACTIVATED_AFTER = sql`(
  select r.ecpd_id, r.account_name, r.paccount_name from staged_relation r where r.state = 'provisioned'
  union all
  select k.ecpd_id, k.account_name, k.paccount_name from staged_activation k
  where not exists (
    select 1 from staged_relation o where o.ecpd_id = k.ecpd_id and o.account_name = k.account_name
      and o.service_name = k.service_name))`;

const provisionedBy = (ecpdId: string) => sql`provisioned as materialized (
  select account_name, service_name, paccount_name from staged_relation where ecpd_id = ${ecpdId} and state = 'provisioned')`;

/** For an account without any earlier relation: the activation covers all its past use. */
export const insertFirstPeriods = (db: Db, ecpdId: string) =>
  db.exec(sql`
    with ${provisionedBy(ecpdId)},
    first as materialized (
      select r.* from provisioned r where not exists (
        select 1 from managed_account k where k.ecpd_id = ${ecpdId} and k.account_name = r.account_name
          and k.service_name = r.service_name))
    insert into managed_period (ecpd_id, account_name, service_name, from_at, paccount_name)
    select ${ecpdId}, account_name, service_name, '-infinity', paccount_name from first
    order by account_name, service_name
    on conflict do nothing`);

/** An activation ends the relations of other primaries with the account for the service. */
export const endReplaced = (db: Db, ecpdId: string, at: Date) =>
  db.exec(sql`
    with ${provisionedBy(ecpdId)}
    update managed_account k set state = 'cancelled', updated_at = ${at}
    from provisioned r
    where k.ecpd_id = ${ecpdId} and k.account_name = r.account_name and k.service_name = r.service_name
      and k.paccount_name <> r.paccount_name and k.state <> 'cancelled'`);

/** A cancelled relation gets a new transaction id; any other keeps its own. */
export const upsertRelations = (db: Db, ecpdId: string, at: Date, rowId: RowId) =>
  db.exec(sql`
    insert into managed_account as k (ecpd_id, account_name, service_name, paccount_name, sku_name, state, txid, updated_at)
    select ${ecpdId}, r.account_name, r.service_name, r.paccount_name, r.sku_name, r.state, ${rowId(sql`r.position::text`)}, ${at}
    from staged_relation r
    where r.ecpd_id = ${ecpdId}
    order by 2, 3, 4
    on conflict (ecpd_id, account_name, service_name, paccount_name) do update set sku_name = excluded.sku_name,
      state = excluded.state, updated_at = excluded.updated_at,
      txid = case when k.state = 'cancelled' then excluded.txid else k.txid end,
      added_txid = case when k.state = excluded.state then k.added_txid end`);
