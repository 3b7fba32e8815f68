import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql, trusted } from '../../platform/db/sql.ts';

export interface Plan {
  readonly code: string;
  readonly carrierServicePlanCode: string;
  readonly name: string;
  readonly kind: 'payAsYouGo' | 'share' | 'unlimited';
  /** 1024 bytes each; 0 when the plan has no allowance of its own. */
  readonly sizeKb: number;
}

/** The catalogue is the carrier's and small; a bound keeps a mistake in it from becoming an endless answer. */
const PLANS_MAX = 10_000;

const AS_LISTED = trusted(`code, carrier_service_plan_code as "carrierServicePlanCode", name, kind,
  coalesce(allowance_bytes / 1024, 0)::float8 as "sizeKb"`);

export const listPlans = (db: Db) =>
  db.many<Plan>(sql`select ${AS_LISTED} from plan order by code limit ${PLANS_MAX}`);

/** The plan of this code, or else all that the carrier calls so: what a filter by plan means. */
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
