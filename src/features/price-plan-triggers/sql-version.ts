import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { type Query, sql } from '../../platform/db/sql.ts';
import type { PricePlanTrigger, TriggerContent, Viewer } from './price-plan-trigger.ts';
import { ACCOUNTS, type TriggerKey, visibleIn } from './sql.ts';

export interface TriggerVersion {
  readonly version: number;
  readonly triggerName: string;
  readonly active: boolean;
  readonly body: TriggerContent;
  readonly writtenAt: Date;
  readonly writtenBy: string | null;
}

/** The version of a `written` row; the statement continues with the author and `from written`. */
export const versionOfWritten = (ecpdId: string): Query => sql`insert into price_plan_trigger_version
  (ecpd_id, trigger_id, version, trigger_name, active, body, written_at, written_by)
  select ${ecpdId}, trigger_id, version, trigger_name, active, body, updated_at`;

/** One statement writes the trigger and its version, so neither exists without the other. */
export const insertTrigger = (db: Db, t: PricePlanTrigger, writtenBy: string) =>
  db.exec(sql`
    with written as (
      insert into price_plan_trigger (ecpd_id, trigger_id, trigger_name, active, version, body, created_at, updated_at)
      values (${t.ecpdId}, ${t.triggerId}, ${t.triggerName}, ${t.active}, ${t.version}, ${t.body}, ${t.createdAt},
        ${t.updatedAt})
      returning *)
    ${versionOfWritten(t.ecpdId)}, ${writtenBy}::text from written`);

/** Returns 0 if nothing changes: then the version stays. */
export const updateTriggerRow = (db: Db, t: PricePlanTrigger, writtenBy: string): Promise<number> =>
  db.exec(sql`
    with written as (
      update price_plan_trigger p set trigger_name = ${t.triggerName}, active = ${t.active}, body = ${t.body},
        version = p.version + 1, updated_at = ${t.updatedAt}
      where p.ecpd_id = ${t.ecpdId} and p.trigger_id = ${t.triggerId}
        and (p.trigger_name, p.active, p.body) is distinct from (${t.triggerName}, ${t.active}::boolean, ${t.body}::jsonb)
      returning *)
    ${versionOfWritten(t.ecpdId)}, ${writtenBy}::text from written`);

/** Newest first. A version that named other accounts is visible only to users of those accounts too. */
export const listVersions = (
  db: Db,
  viewer: Viewer,
  key: TriggerKey,
  { before, limit }: { readonly before: number; readonly limit: number },
) =>
  db.many<TriggerVersion>(sql`
    select t.version, t.trigger_name as "triggerName", t.active, t.body, t.written_at as "writtenAt",
      t.written_by as "writtenBy"
    from price_plan_trigger_version t
    where t.ecpd_id = ${key.ecpdId} and t.trigger_id = ${key.triggerId} and t.version < ${before}
      and ${visibleIn(key.ecpdId, viewer)}
    order by t.version desc limit ${limit}`);

/** Called after an account was deleted: deletes triggers that have no account left to watch, with all their versions. */
export const deleteOrphanedTriggers = (db: Db, ecpdId: string) =>
  db.exec(sql`
    with orphan as (
      delete from price_plan_trigger t where t.ecpd_id = ${ecpdId} and case
        when t.body #> '{pricePlanTrigger,accountGroupShare}' is not null
          then not exists (select 1 from account a where a.ecpd_id = ${ecpdId})
        else not exists (select 1 from jsonb_array_elements_text(${ACCOUNTS}) n
          join account a on a.ecpd_id = ${ecpdId} and a.account_name = n) end
      returning t.trigger_id)
    delete from price_plan_trigger_version v using orphan o
    where v.ecpd_id = ${ecpdId} and v.trigger_id = o.trigger_id`);

/** The last version of a trigger decides who may see its firings, also after its deletion. */
const isSeenBy = async (db: Db, { ecpdId, triggerId }: TriggerKey, viewer: Viewer): Promise<boolean> =>
  (await db.maybe(sql`
    select t.ecpd_id
    from (
      select ecpd_id, body from price_plan_trigger_version where ecpd_id = ${ecpdId} and trigger_id = ${triggerId}
      order by version desc limit 1) t
    where ${visibleIn(ecpdId, viewer)}`)) !== undefined;

/** For a join: the last version that the viewer may see, as `seen`, and whether the trigger exists. No viewer: the operator. */
export const lastVersionSeen = (ecpdId: string, triggerId: Query, viewer: Viewer | undefined): Query => sql`
  lateral (
    select t.trigger_name, exists (
      select 1 from price_plan_trigger p where p.ecpd_id = ${ecpdId} and p.trigger_id = ${triggerId}) as is_there
    from (
      select ecpd_id, trigger_name, body from price_plan_trigger_version
      where ecpd_id = ${ecpdId} and trigger_id = ${triggerId} order by version desc limit 1) t
    where ${viewer === undefined ? sql`true` : visibleIn(ecpdId, viewer)}) seen on true`;

/** The names of those triggers that the viewer may see, including deleted ones. No viewer means the operator. */
export const listTriggerNames = (
  db: Db,
  ecpdId: string,
  triggerIds: readonly string[],
  viewer: Viewer | undefined,
) =>
  db.many<{ readonly triggerId: string; readonly triggerName: string; readonly isThere: boolean }>(sql`
    select i.trigger_id as "triggerId", seen.trigger_name as "triggerName", seen.is_there as "isThere"
    from unnest(${plainArray(triggerIds)}::uuid[]) as i (trigger_id)
    join ${lastVersionSeen(ecpdId, sql`i.trigger_id`, viewer)}`);

/** The first that the viewer may see. No viewer means the operator, who sees all. */
export async function findSeen<T extends TriggerKey>(
  db: Db,
  found: readonly T[],
  viewer: Viewer | undefined,
) {
  for (const one of found) if (viewer === undefined || (await isSeenBy(db, one, viewer))) return one;
  return undefined;
}

/** The profile of a trigger that the viewer may see, including deleted ones. */
export async function findProfileOfVersions(
  db: Db,
  triggerId: string,
  viewer: Viewer,
): Promise<string | undefined> {
  const found = await db.many<TriggerKey>(sql`
    select distinct ecpd_id as "ecpdId", trigger_id as "triggerId" from price_plan_trigger_version
    where ecpd_id = any(${viewer.profiles}::text[]) and trigger_id = ${triggerId}`);
  const inOrder = found.toSorted(
    (a, b) => viewer.profiles.indexOf(a.ecpdId) - viewer.profiles.indexOf(b.ecpdId),
  );
  return (await findSeen(db, inOrder, viewer))?.ecpdId;
}

interface FiredVersion {
  readonly triggerId: string;
  readonly version: number;
  readonly triggerName: string;
  readonly body: TriggerContent;
}

/** The rules of firings, in the version that fired. */
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

/** The last two versions of a trigger: what its last change was about. */
export interface LastVersions {
  readonly triggerId: string;
  /** Whether the trigger still exists. */
  readonly isThere: boolean;
  readonly active: boolean;
  readonly body: TriggerContent;
  /** Null: there is no version before the last. */
  readonly before: TriggerContent | null;
}

export const listLastVersions = (db: Db, ecpdId: string, triggerIds: readonly string[]) =>
  db.many<LastVersions>(sql`
    select i.trigger_id as "triggerId", v.active, v.body, b.body as before, exists (
      select 1 from price_plan_trigger t where t.ecpd_id = ${ecpdId} and t.trigger_id = i.trigger_id) as "isThere"
    from unnest(${plainArray(triggerIds)}::uuid[]) as i (trigger_id)
    cross join lateral (
      select * from price_plan_trigger_version
      where ecpd_id = ${ecpdId} and trigger_id = i.trigger_id order by version desc limit 1) v
    left join price_plan_trigger_version b on b.ecpd_id = ${ecpdId} and b.trigger_id = i.trigger_id
      and b.version = v.version - 1`);

/** Whether the trigger was inactive at any time since this version, even if it is active again. */
export const wasSwitchedOff = async (
  db: Db,
  ecpdId: string,
  { triggerId, since }: { readonly triggerId: string; readonly since: number },
): Promise<boolean> =>
  (
    await db.one<{ found: boolean }>(sql`
      select exists (
        select 1 from price_plan_trigger_version
        where ecpd_id = ${ecpdId} and trigger_id = ${triggerId} and version > ${since} and not active) as found`)
  ).found;
