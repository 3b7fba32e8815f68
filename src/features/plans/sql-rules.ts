import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';
import type { PlanRules } from './plan-rules.ts';

/** By its own code, or by the one that the carrier calls it. */
export const findPlanRules = (db: Db, code: string) =>
  db.maybe<PlanRules>(sql`
    select code, kind, fixed_location as "fixedLocation", nullif(models, '{}') as models
    from plan where code = ${code} or carrier_service_plan_code = ${code}
    order by (code = ${code}) desc, code limit 1`);

/** Which of these zips qualify for fixed-location plans; they are five digits each. */
export const listServiceableZips = async (db: Db, zips: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await db.many<{ zip: string }>(
        sql`select zip from serviceable_zip where zip = any(${plainArray(zips)}::text[])`,
      )
    ).map(({ zip }) => zip),
  );
