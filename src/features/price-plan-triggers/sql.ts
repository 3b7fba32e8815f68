import type { Db } from '../../platform/db/db.ts';
import { type Query, sql, trusted } from '../../platform/db/sql.ts';
import type { PricePlanTrigger, Viewer } from './price-plan-trigger.ts';

export const COLUMNS =
  trusted(`t.ecpd_id as "ecpdId", t.trigger_id as "triggerId", t.trigger_name as "triggerName",
  t.active, t.version, t.body, t.created_at as "createdAt", t.updated_at as "updatedAt"`);

/** The accounts that a row `t` names. */
export const ACCOUNTS = sql`t.body #> '{pricePlanTrigger,payAsYouGo,filterCriteria,accountNameList}'`;

const visible = ({ profiles, accountNames }: Viewer, ownsAll: Query, ecpdId: Query): Query => sql`(
  t.ecpd_id = any(${profiles}::text[]) and case
    when t.body #> '{pricePlanTrigger,accountGroupShare}' is not null then ${ownsAll}
    else exists (select 1 from jsonb_array_elements_text(${ACCOUNTS}) n where n = any(${accountNames}::text[]))
      and not exists (
        select 1 from account a where a.ecpd_id = ${ecpdId} and a.account_name = any(array(
          select n from jsonb_array_elements_text(${ACCOUNTS}) n where n <> all(${accountNames}::text[]))))
    end)`;

/**
 * For rows `t` with an `ecpd_id` and a `body`. A user without access to all accounts that a trigger names sees nothing
 * of it. A trigger on a group share concerns all accounts of the profile. Deleted accounts are ignored.
 */
export const visibleTo = (viewer: Viewer): Query =>
  visible(
    viewer,
    sql`t.ecpd_id in (
      select p.ecpd_id from profile p where p.ecpd_id = any(${viewer.profiles}::text[]) and not exists (
        select 1 from account a where a.ecpd_id = p.ecpd_id and a.account_name <> all(${viewer.accountNames}::text[])))`,
    sql`t.ecpd_id`,
  );

/** The same for rows of one profile, without reading other profiles. */
export const visibleIn = (ecpdId: string, viewer: Viewer): Query =>
  visible(
    viewer,
    sql`not exists (
      select 1 from account a where a.ecpd_id = ${ecpdId} and a.account_name <> all(${viewer.accountNames}::text[]))`,
    sql`${ecpdId}`,
  );

/** Waits for a concurrent change. */
export const lockTrigger = (db: Db, viewer: Viewer, { ecpdId, triggerId }: TriggerKey) =>
  db.maybe<PricePlanTrigger>(sql`
    select ${COLUMNS} from price_plan_trigger t
    where t.ecpd_id = ${ecpdId} and t.trigger_id = ${triggerId} and ${visibleIn(ecpdId, viewer)}
    for no key update`);

/** An id is unique in a profile. If several of a user's profiles have it, the profile of the first account wins. */
export const findProfileOf = (db: Db, viewer: Viewer, triggerId: string): Promise<string | undefined> =>
  db.maybeValue<string>(sql`
    select t.ecpd_id as "ecpdId" from price_plan_trigger t where t.trigger_id = ${triggerId} and ${visibleTo(viewer)}
    order by array_position(${viewer.profiles}::text[], t.ecpd_id) limit 1`);

export interface TriggerKey {
  readonly ecpdId: string;
  readonly triggerId: string;
}

/** With `share`, changes wait until the present version was applied; with `key share`, only deletion waits. */
export const holdTrigger = (db: Db, { ecpdId, triggerId }: TriggerKey, lock: 'share' | 'key share') =>
  db.maybe<{ version: number }>(sql`
    select version from price_plan_trigger where ecpd_id = ${ecpdId} and trigger_id = ${triggerId} for ${trusted(lock)}`);

/** For a join: the trigger of this id, as `t`. */
export const triggerOf = (ecpdId: string, triggerId: Query): Query =>
  sql`price_plan_trigger t on t.ecpd_id = ${ecpdId} and t.trigger_id = ${triggerId}`;

/** Prevents their deletion until the trigger that names them is committed. */
export const lockAccounts = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.exec(sql`
    select 1 from account where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[])
    order by account_name for key share`);

export const hasOtherAccounts = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.value<boolean>(sql`
    select exists (select 1 from account where ecpd_id = ${ecpdId}
      and account_name <> all(${accountNames}::text[])) as found`);

/** Callers that add triggers to a profile wait for each other, because the number is limited. */
export const lockProfile = (db: Db, ecpdId: string) =>
  db.exec(sql`select 1 from profile where ecpd_id = ${ecpdId} for no key update`);

export const countTriggers = (db: Db, ecpdId: string): Promise<number> =>
  db.value<number>(sql`select count(*)::int as count from price_plan_trigger where ecpd_id = ${ecpdId}`);

export const deleteTriggerRow = (db: Db, ecpdId: string, triggerId: string): Promise<number> =>
  db.exec(sql`delete from price_plan_trigger where ecpd_id = ${ecpdId} and trigger_id = ${triggerId}`);

/**
 * Triggers of this account alone. A trigger that names other accounts belongs to the profile: exported with one
 * account, it could not be imported without the others, and reduced to one, an import would remove the others.
 */
export const concernsOnly = ({ ecpdId, accountName }: { ecpdId: string; accountName: string }) =>
  sql`t.ecpd_id = ${ecpdId} and ${ACCOUNTS} <@ to_jsonb(array[${accountName}]::text[])`;
