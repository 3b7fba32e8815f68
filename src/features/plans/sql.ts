import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql, trusted } from '../../platform/db/sql.ts';

export interface Plan {
  readonly code: string;
  readonly carrierServicePlanCode: string;
  readonly name: string;
  readonly kind: 'payAsYouGo' | 'share' | 'unlimited';
  /** In units of 1024 bytes; 0 if the plan has no allowance. */
  readonly sizeKb: number;
}

/** The carrier's catalogue is small; the limit keeps a mistake in it from causing an endless answer. */
const PLANS_MAX = 10_000;

const AS_LISTED = trusted(`code, carrier_service_plan_code as "carrierServicePlanCode", name, kind,
  coalesce(allowance_bytes / 1024, 0)::float8 as "sizeKb"`);

export const listPlans = (db: Db) =>
  db.many<Plan>(sql`select ${AS_LISTED} from plan order by code limit ${PLANS_MAX}`);

export interface CataloguePlan extends Omit<Plan, 'sizeKb'> {
  readonly allowanceBytes: number | null;
  readonly ratePerMb: number | null;
  readonly fixedLocation: boolean;
  readonly models: readonly string[] | null;
  readonly suspendWithBilling: boolean;
  readonly throttleAtPercent: number | null;
}

/** Complete plans, as the operator wrote them, by code. */
export const listCatalogue = (db: Db, { after, limit }: { readonly after: string; readonly limit: number }) =>
  db.many<CataloguePlan>(sql`
    select code, carrier_service_plan_code as "carrierServicePlanCode", name, kind,
      allowance_bytes::float8 as "allowanceBytes", rate_per_mb::float8 as "ratePerMb",
      fixed_location as "fixedLocation", models, suspend_with_billing as "suspendWithBilling",
      throttle_at_percent as "throttleAtPercent"
    from plan where code > ${after} order by code limit ${limit}`);

/** The plan with this code, or else all plans with this carrier code: what a filter by plan means. */
export async function listPlanCodes(db: Db, code: string): Promise<readonly string[]> {
  const plans = await db.many<{ code: string }>(sql`
    select code from plan where code = ${code} or carrier_service_plan_code = ${code} order by code limit ${PLANS_MAX}`);
  const codes = plans.map((plan) => plan.code);
  return codes.includes(code) ? [code] : codes;
}

export interface AccountWithPlans {
  readonly accountName: string;
  readonly organizationName: string | null;
  readonly locationRegistered: boolean;
  readonly realTimeRating: boolean;
  readonly aggregatedBilling: boolean;
  readonly servicePlans: readonly Plan[];
}

export const findAccountWithPlans = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.maybe<AccountWithPlans>(sql`
    select a.account_name as "accountName", a.organization_name as "organizationName",
      a.location_registered as "locationRegistered", a.real_time_rating as "realTimeRating",
      a.aggregated_billing as "aggregatedBilling",
      (select coalesce(json_agg(p), '[]') from (select ${AS_LISTED} from plan order by code limit ${PLANS_MAX}) p)
        as "servicePlans"
    from account a where a.ecpd_id = ${ecpdId} and a.account_name = ${accountName}`);

/** The rules of a plan for devices. */
export interface PlanRules {
  readonly code: string;
  readonly kind: Plan['kind'];
  readonly fixedLocation: boolean;
  /** Product models that the plan supports; null: all. */
  readonly models: readonly string[] | null;
}

/** Address qualification: unlimited plans for a fixed location are sold only where they can be served. */
export const needsQualification = ({ kind, fixedLocation }: PlanRules): boolean =>
  kind === 'unlimited' && fixedLocation;

/** An unknown model is unsupported by a plan that lists models. */
export const supportsModel = ({ models }: PlanRules, model: string | null): boolean =>
  models === null || (model !== null && models.includes(model));

/** Finds a plan by its own code, or by its carrier code. */
export const findPlanRules = (db: Db, code: string) =>
  db.maybe<PlanRules>(sql`
    select code, kind, fixed_location as "fixedLocation", nullif(models, '{}') as models
    from plan where code = ${code} or carrier_service_plan_code = ${code}
    order by (code = ${code}) desc, code limit 1`);

/** Which of these zips qualify for fixed-location plans; they are five digits each. */
export const listServiceableZips = async (db: Db, zips: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(
    await db.values<string>(
      sql`select zip from serviceable_zip where zip = any(${plainArray(zips)}::text[])`,
    ),
  );

export interface RatePlanGroup {
  readonly ecpdId: string;
  readonly ratePlanGroupId: number;
}

/** Those of the groups that exist, each with the carrier codes of its plans. */
export const findRatePlanGroups = (db: Db, groups: readonly RatePlanGroup[]) =>
  db.many<RatePlanGroup & { carrierCodes: string[] }>(sql`
    select g.ecpd_id as "ecpdId", g.rate_plan_group_id::float8 as "ratePlanGroupId",
      array(select distinct p.carrier_service_plan_code from rate_plan_group_plan m join plan p on p.code = m.plan_code
            where (m.ecpd_id, m.rate_plan_group_id) = (g.ecpd_id, g.rate_plan_group_id)) as "carrierCodes"
    from rate_plan_group g
    where (g.ecpd_id, g.rate_plan_group_id) in (
      select * from unnest(${groups.map((g) => g.ecpdId)}::text[],
        ${plainArray(groups.map((g) => g.ratePlanGroupId))}::bigint[]))`);

/** The groups of the account. */
export const listRatePlanGroupsOf = (db: Db, { ecpdId, accountName }: Tenant): Promise<readonly number[]> =>
  db.values<number>(sql`
    select rate_plan_group_id::float8 as id from rate_plan_group_account
    where ecpd_id = ${ecpdId} and account_name = ${accountName}`);

interface WholeGroup extends RatePlanGroup {
  readonly planCodes: readonly string[];
  readonly accounts: readonly string[];
  readonly accountCount: number;
}

/** At most this many accounts of a group are named; all are counted. */
const ACCOUNTS_NAMED = 1_000;

interface GroupPage {
  /** Undefined: all profiles, in the order of profile and number. */
  readonly ecpdId: string | undefined;
  readonly after: RatePlanGroup | undefined;
  readonly limit: number;
}

/** The query may span profiles; it takes no locks. */
export const listRatePlanGroups = (db: Db, { ecpdId, after, limit }: GroupPage) =>
  db.many<WholeGroup>(sql`
    select g.ecpd_id as "ecpdId", g.rate_plan_group_id::float8 as "ratePlanGroupId",
      array(select plan_code from rate_plan_group_plan p
            where p.ecpd_id = g.ecpd_id and p.rate_plan_group_id = g.rate_plan_group_id order by position) as "planCodes",
      array(select account_name from rate_plan_group_account a
            where a.ecpd_id = g.ecpd_id and a.rate_plan_group_id = g.rate_plan_group_id
            order by account_name limit ${ACCOUNTS_NAMED}) as accounts,
      (select count(*)::int from rate_plan_group_account a
       where a.ecpd_id = g.ecpd_id and a.rate_plan_group_id = g.rate_plan_group_id) as "accountCount"
    from rate_plan_group g
    where (g.ecpd_id, g.rate_plan_group_id) > (${after?.ecpdId ?? ''}, ${after?.ratePlanGroupId ?? 0}::bigint)
      ${ecpdId === undefined ? sql`` : sql`and g.ecpd_id = ${ecpdId}`}
    order by g.ecpd_id, g.rate_plan_group_id limit ${limit}`);

/** Locks the plan, so that no other transaction puts a line or a group on it. */
export const lockPlan = (db: Db, code: string) =>
  db.maybe<Pick<Plan, 'code' | 'carrierServicePlanCode'>>(sql`
    select code, carrier_service_plan_code as "carrierServicePlanCode" from plan where code = ${code} for update`);

/** The codes that only this plan has. A shared code also means another plan, which stays. */
export const namesOfPlan = async (
  db: Db,
  { code, carrierServicePlanCode: name }: Pick<Plan, 'code' | 'carrierServicePlanCode'>,
): Promise<readonly string[]> =>
  (
    await db.many<{ name: string }>(sql`
      select n as name from unnest(${[...new Set([code, name])]}::text[]) as n
      where not exists (select 1 from plan o where o.code <> ${code} and n in (o.code, o.carrier_service_plan_code))`)
  ).map((row) => row.name);

export const deletePlan = (db: Db, code: string) => db.exec(sql`delete from plan where code = ${code}`);

/** The query across profiles takes no locks. */
export const countGroupsWithPlan = (db: Db, code: string): Promise<number> =>
  db.value<number>(sql`select count(*)::int as count from rate_plan_group_plan where plan_code = ${code}`);

export const countGroupsOf = (db: Db, ecpdId: string): Promise<number> =>
  db.value<number>(sql`select count(*)::int as count from rate_plan_group where ecpd_id = ${ecpdId}`);

export const lockRatePlanGroup = async (
  db: Db,
  { ecpdId, ratePlanGroupId }: RatePlanGroup,
): Promise<boolean> =>
  (await db.maybe(sql`
    select ecpd_id from rate_plan_group
    where ecpd_id = ${ecpdId} and rate_plan_group_id = ${ratePlanGroupId} for update`)) !== undefined;

/** Deletes the group with its references to plans and accounts, which stay. */
export const deleteRatePlanGroup = (db: Db, { ecpdId, ratePlanGroupId }: RatePlanGroup) =>
  db.exec(sql`
    delete from rate_plan_group where ecpd_id = ${ecpdId} and rate_plan_group_id = ${ratePlanGroupId}`);
