import type { Ctx } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';
import { stagedOf } from '../../platform/fleet-document/verify-entries.ts';
import { versionOfWritten } from './sql-version.ts';

interface StagedRule {
  readonly position: number;
  readonly ecpdId: string;
  readonly pricePlanTrigger: unknown;
  readonly notification: unknown;
}

export const listStagedRules = (db: Db, after: number, limit: number) =>
  db.many<StagedRule>(sql`
    select position, ecpd_id as "ecpdId", body->'pricePlanTrigger' as "pricePlanTrigger",
      body->'notification' as notification
    from staged_entry
    where section = 'pricePlanTriggers' and body ?| array['pricePlanTrigger', 'notification'] and position > ${after}
    order by position limit ${limit}`);

/** Entries of new triggers, numbered on from the profile's present count. */
export const numberedNew = (ecpdId: string) => sql`(
  select n.position, (select count(*) from price_plan_trigger o where o.ecpd_id = ${ecpdId})
      + row_number() over (order by n.position) as number
  from staged n left join price_plan_trigger t on t.ecpd_id = ${ecpdId}
    and t.trigger_id = (n.body->>'triggerId')::uuid
  where t.trigger_id is null) s`;

const NAME = sql`coalesce(s.body->>'triggerName', t.trigger_name)`;
const ACTIVE = sql`coalesce((s.body->>'active')::boolean, t.active, true)`;
const BODY = sql`coalesce(t.body, '{}') || (s.body - '{triggerId,triggerName,ecpdId,triggerCategory,active}'::text[])`;

/** The entries that create or change a trigger, with the ids of these triggers and the accounts that their rules name. */
export const listMerged = (db: Db, ecpdId: string) =>
  db.one<{ positions: number[]; triggerIds: string[]; accountNames: string[] }>(sql`
    with ${stagedOf('pricePlanTriggers', ecpdId)},
    entry as materialized (
      select s.position, s.body from staged s
      left join price_plan_trigger t on t.ecpd_id = ${ecpdId} and t.trigger_id = (s.body->>'triggerId')::uuid
      where (t.trigger_name, t.active, t.body) is distinct from (${NAME}, ${ACTIVE}, ${BODY}))
    select array(select position from entry) as positions,
      array(select body->>'triggerId' from entry where body ? 'triggerId') as "triggerIds",
      array(select distinct n from entry,
        jsonb_array_elements_text(body #> '{pricePlanTrigger,payAsYouGo,filterCriteria,accountNameList}') n) as "accountNames"`);

/** Call this before the merge: it must not overwrite a user's concurrent change with what was read before. */
export const lockMerged = (db: Db, ecpdId: string, triggerIds: readonly string[]) =>
  db.exec(sql`
    select 1 from price_plan_trigger where ecpd_id = ${ecpdId} and trigger_id = any(${plainArray(triggerIds)}::uuid[])
    order by trigger_id for no key update`);

/**
 * Writes these entries and returns the ids of the written triggers. Absent fields keep their values. An unchanged trigger is not written, so it
 * keeps its version. A deleted trigger that is imported again continues its version numbers.
 */
export const upsertTriggers = (
  { db, chance }: Ctx,
  ecpdId: string,
  positions: readonly number[],
  now: Date,
): Promise<string[]> =>
  db.values<string>(sql`
    with written as (
      insert into price_plan_trigger as t (ecpd_id, trigger_id, trigger_name, active, version, body, created_at, updated_at)
      select s.ecpd_id, coalesce((s.body->>'triggerId')::uuid, ${chance.rowIds()(sql`s.position::text`)}),
        ${NAME}, ${ACTIVE},
        1 + coalesce((select max(v.version) from price_plan_trigger_version v
          where v.ecpd_id = ${ecpdId} and v.trigger_id = (s.body->>'triggerId')::uuid), 0),
        ${BODY}, ${now}, ${now}
      from staged_entry s
      left join price_plan_trigger t on t.ecpd_id = s.ecpd_id and t.trigger_id = (s.body->>'triggerId')::uuid
      where s.section = 'pricePlanTriggers' and s.ecpd_id = ${ecpdId}
        and s.position = any(${plainArray(positions)}::int[])
      order by s.position
      on conflict (ecpd_id, trigger_id) do update set trigger_name = excluded.trigger_name, active = excluded.active,
        version = t.version + 1, body = excluded.body, updated_at = excluded.updated_at
      where (t.trigger_name, t.active, t.body) is distinct from (excluded.trigger_name, excluded.active, excluded.body)
      returning *)
    ${versionOfWritten(ecpdId)}, null from written returning trigger_id as "triggerId"`);
