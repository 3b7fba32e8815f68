import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { joinSql, type Query, sql } from '../../platform/db/sql.ts';
import type { PricePlanTrigger, Viewer } from './price-plan-trigger.ts';
import { ACCOUNTS, COLUMNS, visibleTo } from './sql.ts';

/** With the account that represents it: the first that it names, or the first of its profile. */
export interface ListedTrigger extends PricePlanTrigger {
  readonly accountName: string | null;
  readonly organizationName: string | null;
  /** How many entries the page would have without its size limit. */
  readonly found: number;
}

export interface ListPosition {
  readonly createdAt: Date;
  readonly triggerId: string;
  readonly ecpdId: string;
}

export const PAGE_MAX = 1_000;
/** Size limit of a page, because one trigger can name thousands of accounts. */
const PAGE_MAX_CHARACTERS = 8 * 1024 * 1024;

/** The first account of a row `t`; `ecpdId` is its profile. */
const firstAccount = (ecpdId: Query): Query => sql`coalesce(${ACCOUNTS} ->> 0,
  (select min(o.account_name) from account o where o.ecpd_id = ${ecpdId}))`;

const isBehind = (after: ListPosition | undefined): Query =>
  after === undefined
    ? sql`true`
    : sql`(t.created_at, t.trigger_id, t.ecpd_id) > (${after.createdAt}, ${after.triggerId}::uuid, ${after.ecpdId})`;

/** Oldest first; at least one entry if there are any. `where` refers to `t`. */
export const listTriggers = (
  db: Db,
  viewer: Viewer,
  { where, after, limit }: { where: Query; after?: ListPosition | undefined; limit: number },
) =>
  db.many<ListedTrigger>(sql`
    with page as (
      select t.*, ${firstAccount(sql`t.ecpd_id`)} as first_account, (
        select a.organization_name from account a
        where a.ecpd_id = t.ecpd_id and a.account_name = ${firstAccount(sql`a.ecpd_id`)}) as organization_name
      from price_plan_trigger t where ${visibleTo(viewer)} and ${where} and ${isBehind(after)}
      order by t.created_at, t.trigger_id, t.ecpd_id limit ${limit}),
    measured as (
      select p.*, sum(length(p.body::text)) over (order by p.created_at, p.trigger_id, p.ecpd_id
        rows between unbounded preceding and 1 preceding) as before,
        count(*) over ()::int as found
      from page p)
    select ${COLUMNS}, t.first_account as "accountName", t.organization_name as "organizationName", t.found
    from measured t
    where coalesce(t.before, 0) < ${PAGE_MAX_CHARACTERS}
    order by t.created_at, t.trigger_id, t.ecpd_id`);

export const hasId = (triggerId: string): Query => sql`t.trigger_id = ${triggerId}`;

const SHARE_KINDS = ['accountGroupShareIndividual', 'accountGroupSharePool'] as const;
/** The group whose shared allowance a row `t` watches. */
const GROUP_ID: Query = sql`coalesce(${joinSql(
  SHARE_KINDS.map(
    (kind) =>
      sql`t.body #>> ${['pricePlanTrigger', 'accountGroupShare', kind, 'filterCriteria', 'ratePlanGroupId']}`,
  ),
  ', ',
)})`;

/** Triggers that watch the account by name or through a group. */
export const concernsAccount = ({ ecpdId, accountName }: Tenant, groupIds: readonly number[]): Query =>
  sql`t.ecpd_id = ${ecpdId} and (
    ${ACCOUNTS} ? ${accountName} or ${GROUP_ID} = any(${groupIds.map(String)}::text[]))`;

export const countTriggersOf = (db: Db, ecpdId: string): Promise<number> =>
  db.value<number>(sql`select count(*)::int as count from price_plan_trigger where ecpd_id = ${ecpdId}`);

export const countTriggersOfGroup = (
  db: Db,
  { ecpdId, ratePlanGroupId }: { readonly ecpdId: string; readonly ratePlanGroupId: number },
): Promise<number> =>
  db.value<number>(sql`
    select count(*)::int as count from price_plan_trigger t
    where t.ecpd_id = ${ecpdId} and ${GROUP_ID} = ${String(ratePlanGroupId)}`);

const naming = (names: readonly string[]) => sql`
    jsonb_path_exists(t.body, '$.pricePlanTrigger.** ? (@ == $names[*])',
      jsonb_build_object('names', to_jsonb(${names}::text[])))`;

/** How many triggers watch a plan of one of these names or move lines to it. A read across profiles that takes no locks. */
export const countTriggersNaming = (db: Db, names: readonly string[]): Promise<number> =>
  db.value<number>(sql`
    select count(*)::int as count from price_plan_trigger t
    where ${naming(names)}`);

/** The triggers that exist, without access checks: for work without a caller. */
export const listTriggersById = (db: Db, ecpdId: string, triggerIds: readonly string[]) =>
  db.many<PricePlanTrigger>(sql`
    select ${COLUMNS} from price_plan_trigger t
    where t.ecpd_id = ${ecpdId} and t.trigger_id = any(${plainArray(triggerIds)}::uuid[])`);

/** People create triggers, so at most this many profiles have any. */
const PROFILES_MAX = 100_000;

/** The profiles with a trigger that names one of these plans, or compares a pool. Takes no locks. */
export const listProfilesComparing = async (db: Db, names: readonly string[]): Promise<readonly string[]> =>
  names.length === 0
    ? []
    : db.values<string>(sql`
        select distinct t.ecpd_id as "ecpdId" from price_plan_trigger t
        where t.active and (${naming(names)} or t.body #> '{pricePlanTrigger,accountGroupShare}' is not null)
        order by 1 limit ${PROFILES_MAX}`);

export const listTriggerIds = (db: Db, ecpdId: string): Promise<string[]> =>
  db.values<string>(sql`
    select trigger_id as "triggerId" from price_plan_trigger where ecpd_id = ${ecpdId} and active order by trigger_id`);
