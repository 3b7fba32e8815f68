import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';

export interface CataloguePlan {
  readonly carrierCode: string;
  readonly code: string;
  readonly allowanceBytes: number | null;
}

/** Finds plans by carrier code, or by their own code if no other plan has it as its carrier code. */
export const listPlansByCarrierCode = (db: Db, carrierCodes: readonly string[]) =>
  db.many<CataloguePlan>(sql`
    select c.carrier_code as "carrierCode", p.code, p.allowance_bytes::float8 as "allowanceBytes"
    from unnest(${carrierCodes}::text[]) as c (carrier_code)
    join plan p on p.carrier_service_plan_code = c.carrier_code or (p.code = c.carrier_code
      and not exists (select 1 from plan o where o.carrier_service_plan_code = c.carrier_code))
    order by p.code`);

export interface GroupMembers {
  readonly ratePlanGroupId: number;
  readonly accounts: readonly string[];
  readonly plans: readonly string[];
}

export const listGroupMembers = (db: Db, ecpdId: string, groupIds: readonly number[]) =>
  db.many<GroupMembers>(sql`
    select g.id::float8 as "ratePlanGroupId",
      array(select account_name from rate_plan_group_account
            where ecpd_id = ${ecpdId} and rate_plan_group_id = g.id order by account_name) as accounts,
      array(select plan_code from rate_plan_group_plan
            where ecpd_id = ${ecpdId} and rate_plan_group_id = g.id order by position) as plans
    from unnest(${plainArray(groupIds)}::bigint[]) as g (id)`);
