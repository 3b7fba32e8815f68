import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { TriggerContent } from '../price-plan-trigger.ts';

export interface FiredVersion {
  readonly triggerId: string;
  readonly version: number;
  readonly triggerName: string;
  readonly body: TriggerContent;
}

/** The rules that fired, as they were. */
export const listFiredVersions = (
  db: Db,
  ecpdId: string,
  fired: readonly { readonly triggerId: string; readonly ruleVersion: number }[],
) =>
  db.many<FiredVersion>(sql`
    select v.trigger_id as "triggerId", v.version, v.trigger_name as "triggerName", v.body
    from (select distinct * from unnest(${plainArray(fired.map((f) => f.triggerId))}::uuid[],
      ${plainArray(fired.map((f) => f.ruleVersion))}::int[]) as f (trigger_id, version)) f
    join price_plan_trigger_version v on v.ecpd_id = ${ecpdId} and v.trigger_id = f.trigger_id and v.version = f.version`);
