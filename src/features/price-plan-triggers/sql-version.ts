import type { Db } from '../../platform/db/db.ts';
import { type Query, sql } from '../../platform/db/sql.ts';
import type { PricePlanTrigger, TriggerContent, Viewer } from './price-plan-trigger.ts';
import { ACCOUNTS, visibleIn } from './sql.ts';

export interface TriggerVersion {
  readonly version: number;
  readonly triggerName: string;
  readonly active: boolean;
  readonly body: TriggerContent;
  readonly writtenAt: Date;
  readonly writtenBy: string | null;
}

/** Of what was `written` in the profile; the author and `from written` follow. */
export const versionOfWritten = (ecpdId: string): Query => sql`insert into price_plan_trigger_version
  (ecpd_id, trigger_id, version, trigger_name, active, body, written_at, written_by)
  select ${ecpdId}, trigger_id, version, trigger_name, active, body, updated_at`;

/** The trigger and its version are one statement: neither is without the other. */
export const insertTrigger = (db: Db, t: PricePlanTrigger, writtenBy: string) =>
  db.exec(sql`
    with written as (
      insert into price_plan_trigger (ecpd_id, trigger_id, trigger_name, active, version, body, created_at, updated_at)
      values (${t.ecpdId}, ${t.triggerId}, ${t.triggerName}, ${t.active}, ${t.version}, ${t.body}, ${t.createdAt},
        ${t.updatedAt})
      returning *)
    ${versionOfWritten(t.ecpdId)}, ${writtenBy}::text from written`);

/** Answers 0 when nothing would change: then the version stands. */
export const updateTriggerRow = (db: Db, t: PricePlanTrigger, writtenBy: string): Promise<number> =>
  db.exec(sql`
    with written as (
      update price_plan_trigger p set trigger_name = ${t.triggerName}, active = ${t.active}, body = ${t.body},
        version = p.version + 1, updated_at = ${t.updatedAt}
      where p.ecpd_id = ${t.ecpdId} and p.trigger_id = ${t.triggerId}
        and (p.trigger_name, p.active, p.body) is distinct from (${t.triggerName}, ${t.active}::boolean, ${t.body}::jsonb)
      returning *)
    ${versionOfWritten(t.ecpdId)}, ${writtenBy}::text from written`);

/** Newest first. A version that named other accounts is seen only by whoever may use those too. */
export const listVersions = (
  db: Db,
  viewer: Viewer,
  key: { readonly ecpdId: string; readonly triggerId: string },
  { before, limit }: { readonly before: number; readonly limit: number },
) =>
  db.many<TriggerVersion>(sql`
    select t.version, t.trigger_name as "triggerName", t.active, t.body, t.written_at as "writtenAt",
      t.written_by as "writtenBy"
    from price_plan_trigger_version t
    where t.ecpd_id = ${key.ecpdId} and t.trigger_id = ${key.triggerId} and t.version < ${before}
      and ${visibleIn(key.ecpdId, viewer)}
    order by t.version desc limit ${limit}`);

/** After an account was deleted: a trigger that has none left to watch goes with the last, and with all that it ever said. */
export const deleteOrphanedTriggers = (db: Db, ecpdId: string) =>
  db.exec(sql`
    with orphan as (
      delete from price_plan_trigger t where t.ecpd_id = ${ecpdId} and case
        when t.body #> '{pricePlanTrigger,accountGroupShare}' is not null
          then not exists (select from account a where a.ecpd_id = ${ecpdId})
        else not exists (select from jsonb_array_elements_text(${ACCOUNTS}) n
          join account a on a.ecpd_id = ${ecpdId} and a.account_name = n) end
      returning t.trigger_id)
    delete from price_plan_trigger_version v using orphan o
    where v.ecpd_id = ${ecpdId} and v.trigger_id = o.trigger_id`);
