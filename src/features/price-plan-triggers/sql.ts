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
 * Of rows `t` with an `ecpd_id` and a `body`: who may use only some of the accounts that a trigger names sees nothing of
 * it. A trigger on a group share concerns all accounts of the profile. Accounts that were deleted since count for nobody.
 */
export const visibleTo = (viewer: Viewer): Query =>
  visible(
    viewer,
    sql`t.ecpd_id in (
      select p.ecpd_id from profile p where p.ecpd_id = any(${viewer.profiles}::text[]) and not exists (
        select 1 from account a where a.ecpd_id = p.ecpd_id and a.account_name <> all(${viewer.accountNames}::text[])))`,
    sql`t.ecpd_id`,
  );

/** The same of rows of one profile, asking for nothing of another. */
export const visibleIn = (ecpdId: string, viewer: Viewer): Query =>
  visible(
    viewer,
    sql`not exists (
      select 1 from account a where a.ecpd_id = ${ecpdId} and a.account_name <> all(${viewer.accountNames}::text[]))`,
    sql`${ecpdId}`,
  );

/** Waits for whoever is changing it. */
export const lockTrigger = (db: Db, viewer: Viewer, { ecpdId, triggerId }: TriggerKey) =>
  db.maybe<PricePlanTrigger>(sql`
    select ${COLUMNS} from price_plan_trigger t
    where t.ecpd_id = ${ecpdId} and t.trigger_id = ${triggerId} and ${visibleIn(ecpdId, viewer)}
    for no key update`);

/** An id is unique in a profile; of several profiles of a user the one of the first account goes first. */
export const findProfileOf = (db: Db, viewer: Viewer, triggerId: string): Promise<string | undefined> =>
  db.maybeValue<string>(sql`
    select t.ecpd_id as "ecpdId" from price_plan_trigger t where t.trigger_id = ${triggerId} and ${visibleTo(viewer)}
    order by array_position(${viewer.profiles}::text[], t.ecpd_id) limit 1`);

export interface TriggerKey {
  readonly ecpdId: string;
  readonly triggerId: string;
}

/** With `share` whoever changes it waits until what it says now was applied, with `key share` whoever deletes it. */
export const holdTrigger = (db: Db, { ecpdId, triggerId }: TriggerKey, lock: 'share' | 'key share') =>
  db.maybe<{ version: number }>(sql`
    select version from price_plan_trigger where ecpd_id = ${ecpdId} and trigger_id = ${triggerId} for ${trusted(lock)}`);

/** To join: the trigger of this id, as `t`. */
export const triggerOf = (ecpdId: string, triggerId: Query): Query =>
  sql`price_plan_trigger t on t.ecpd_id = ${ecpdId} and t.trigger_id = ${triggerId}`;

/** They cannot be deleted before the trigger that names them is there. */
export const lockAccounts = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.exec(sql`
    select 1 from account where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[])
    order by account_name for key share`);

export const hasOtherAccounts = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.value<boolean>(sql`
    select exists (select 1 from account where ecpd_id = ${ecpdId}
      and account_name <> all(${accountNames}::text[])) as found`);

/** Whoever adds triggers to a profile waits for whoever does so already: their number is limited. */
export const lockProfile = (db: Db, ecpdId: string) =>
  db.exec(sql`select 1 from profile where ecpd_id = ${ecpdId} for no key update`);

export const countTriggers = (db: Db, ecpdId: string): Promise<number> =>
  db.value<number>(sql`select count(*)::int as count from price_plan_trigger where ecpd_id = ${ecpdId}`);

export const deleteTriggerRow = (db: Db, ecpdId: string, triggerId: string): Promise<number> =>
  db.exec(sql`delete from price_plan_trigger where ecpd_id = ${ecpdId} and trigger_id = ${triggerId}`);

/**
 * What concerns other accounts as well is the profile's: written with one account it would not import without the others,
 * and narrowed to one it would take them out of the trigger when imported again.
 */
export const concernsOnly = ({ ecpdId, accountName }: { ecpdId: string; accountName: string }) =>
  sql`t.ecpd_id = ${ecpdId} and ${ACCOUNTS} <@ to_jsonb(array[${accountName}]::text[])`;
