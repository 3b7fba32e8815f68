import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';

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

/** The groups that the account shares in. */
export const listRatePlanGroupsOf = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
): Promise<readonly number[]> =>
  (
    await db.many<{ id: number }>(sql`
      select rate_plan_group_id::float8 as id from rate_plan_group_account
      where ecpd_id = ${ecpdId} and account_name = ${accountName}`)
  ).map(({ id }) => id);
