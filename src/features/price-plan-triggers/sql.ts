import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';
import { EXPORT_PAGE, type ExportFilter } from '../../platform/fleet-document/section.ts';

export interface PricePlanTrigger {
  readonly ecpdId: string;
  readonly triggerId: string;
  readonly triggerName: string;
  readonly active: boolean;
  /** `pricePlanTrigger` and `notification`, as they were sent. */
  readonly body: Readonly<Record<string, unknown>>;
}

const NO_TRIGGER = '00000000-0000-0000-0000-000000000000';

/**
 * What concerns other accounts as well is the profile's: written with one account it would not import without the others,
 * and narrowed to one it would take them out of the trigger when imported again.
 */
const concernsOnly = ({ ecpdId, accountName }: ExportFilter) =>
  accountName === undefined
    ? sql`true`
    : sql`ecpd_id = ${ecpdId}
        and body #> '{pricePlanTrigger,payAsYouGo,filterCriteria,accountNameList}' <@ to_jsonb(array[${accountName}]::text[])`;

export const exportTriggers = (db: Db, filter: ExportFilter, after: PricePlanTrigger | undefined) =>
  db.many<PricePlanTrigger>(sql`
    select ecpd_id as "ecpdId", trigger_id as "triggerId", trigger_name as "triggerName", active, body
    from price_plan_trigger
    where (ecpd_id, trigger_id) > (${after?.ecpdId ?? ''}, ${after?.triggerId ?? NO_TRIGGER}::uuid)
      and ${concernsOnly(filter)}
    order by ecpd_id, trigger_id limit ${EXPORT_PAGE}`);
