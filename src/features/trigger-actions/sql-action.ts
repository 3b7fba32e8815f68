import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { type Query, sql, unprepared } from '../../platform/db/sql.ts';
import type { NewAction } from './action.ts';
import type { Failure } from './sql-firing-action.ts';

export const lockLaneRows = async (db: Db, ecpdId: string, accountNames: readonly string[]) => {
  await db.exec(sql`
    insert into trigger_lane (ecpd_id, account_name)
    select ecpd_id, account_name from account
    where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[]) order by account_name
    on conflict do nothing`);
  return db.many<{ accountName: string }>(sql`
    select account_name as "accountName" from trigger_lane
    where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[]) order by account_name for update`);
};

/** Inserts actions in the given order, which is the order of carrying out, and links each to its firings. */
export async function insertActions(
  db: Db,
  ecpdId: string,
  actions: readonly NewAction[],
  now: Date,
): Promise<void> {
  await db.exec(
    unprepared(sql`
    with new as materialized (
      select nextval('trigger_action_seq_seq') as seq, a.* from unnest(${plainArray(actions.map((a) => a.actionId))}::uuid[], ${actions.map((a) => a.accountName)}::text[],
      ${plainArray(actions.map((a) => a.triggerId))}::uuid[], ${actions.map((a) => a.act.kind)}::text[],
      ${actions.map((a) => JSON.stringify(a.act.params))}::jsonb[],
      ${plainArray(actions.map((a) => a.deviceIds.length))}::int[], ${actions.map((a) => plainArray(a.deviceIds))}::text[],
      ${actions.map((a) => a.state)}::text[], ${actions.map((a) => a.reason ?? null)}::text[],
      ${plainArray(actions.map((a) => a.approvableTo))}::timestamptz[], ${plainArray(actions.map((a) => a.chainId))}::uuid[])
        as a (action_id, account_name, trigger_id, kind, params, device_count, device_ids, state, reason, approvable_to,
          chain_id)),
    written as (
      insert into trigger_action (ecpd_id, seq, action_id, account_name, trigger_id, kind, params, device_count, device_ids,
        state, reason, approvable_to, created_at, ended_at, chain_id)
      overriding system value
      select p.ecpd_id, a.seq, a.action_id, a.account_name, a.trigger_id, a.kind, a.params, a.device_count,
        case when a.state = 'skipped' then '{}' else a.device_ids::uuid[] end, a.state, a.reason, a.approvable_to, ${now},
        case when a.state = 'skipped' then ${now}::timestamptz end, a.chain_id
      from new a join profile p on p.ecpd_id = ${ecpdId})
    select 1`),
  );
  const wanted = actions.flatMap(({ actionId, wantedBy }) => wantedBy.map((each) => ({ actionId, ...each })));
  await db.exec(
    unprepared(sql`
    insert into firing_action (ecpd_id, firing_id, action_id, device_id)
    select p.ecpd_id, a.* from profile p cross join unnest(${plainArray(wanted.map((a) => a.firingId))}::uuid[],
      ${plainArray(wanted.map((a) => a.actionId))}::uuid[], ${plainArray(wanted.map((a) => a.deviceId))}::uuid[])
      as a (firing_id, action_id, device_id)
    where p.ecpd_id = ${ecpdId}`),
  );
}

/** Skips matching actions of one profile. A skipped action no longer needs its lines. */
const skipWhere = async (db: Db, ecpdId: string, which: Query, reason: string, now: Date): Promise<void> => {
  await db.exec(sql`
    update trigger_action set state = 'skipped', reason = ${reason}, device_ids = '{}', ended_at = ${now}
    where ecpd_id = ${ecpdId} and ${which}`);
};

/** Skips actions that nobody approved in time. */
export const skipExpired = (
  db: Db,
  ecpdId: string,
  accountNames: readonly string[],
  reason: string,
  now: Date,
) =>
  skipWhere(
    db,
    ecpdId,
    sql`account_name = any(${accountNames}::text[]) and state = 'awaitingApproval' and approvable_to <= ${now}`,
    reason,
    now,
  );

/** The action that a request carries out. Undefined if the request belongs to no action, or all its lines are settled. */
export const findActionOf = (db: Db, { ecpdId }: Tenant, requestId: string) =>
  db.maybe<{ actionId: string; chainId: string | null; effective: string | null }>(sql`
    select action_id as "actionId", chain_id as "chainId", params->>'effective' as effective from trigger_action
    where ecpd_id = ${ecpdId} and action_id = (
      select action_id from trigger_action_line where ecpd_id = ${ecpdId} and request_id = ${requestId} limit 1)`);

/** Requests of an action beyond this number are carried out like the others, but not listed with it. */
const LISTED_REQUESTS_MAX = 1_000;

export const setRunning = (db: Db, { ecpdId }: Tenant, actionId: string, requestIds: readonly string[]) =>
  db.exec(sql`
    update trigger_action set state = 'running',
      request_ids = (request_ids || ${plainArray(requestIds)}::uuid[])[1:${LISTED_REQUESTS_MAX}]
    where ecpd_id = ${ecpdId} and action_id = ${actionId}`);

/** Keeps the first reason why something was not done. */
export const noteReason = (db: Db, ecpdId: string, actionId: string, reason: string) =>
  db.exec(sql`
    update trigger_action set reason = coalesce(reason, ${reason})
    where ecpd_id = ${ecpdId} and action_id = ${actionId}`);

/** Adds the results of lines. The first of them that went wrong gives the reason, and the state in which the action will end. */
export const countLines = (
  db: Db,
  { ecpdId }: Tenant,
  actionId: string,
  { succeeded, failures }: { readonly succeeded: number; readonly failures: readonly Failure[] },
) =>
  db.exec(sql`
    update trigger_action set succeeded = succeeded + ${succeeded}, failed = failed + ${failures.length},
      reason = coalesce(reason, ${failures[0]?.reason ?? null}), ends_as = coalesce(ends_as, ${failures[0]?.state ?? null})
    where ecpd_id = ${ecpdId} and action_id = ${actionId}`);

/** Ends those of the actions that have no line left. */
export const endActions = (
  db: Db,
  { ecpdId }: Tenant,
  actionIds: readonly string[],
  { noLine, now }: { readonly noLine: string; readonly now: Date },
) =>
  db.exec(sql`
    update trigger_action a set ended_at = ${now},
      state = case when a.ends_as is not null then a.ends_as when a.dropped then 'dropped'
                   when a.request_ids = '{}' then 'skipped' else 'done' end,
      reason = case when a.request_ids = '{}' then coalesce(a.reason, ${noLine}) else a.reason end
    where a.ecpd_id = ${ecpdId} and a.action_id = any(${plainArray(actionIds)}::uuid[])
      and a.state in ('waiting', 'running') and not exists (
        select 1 from trigger_action_line l where l.ecpd_id = ${ecpdId} and l.action_id = a.action_id)`);

/** Those of the triggers that have actions which have not ended, and the accounts of these actions. */
export const listOpenActions = (db: Db, ecpdId: string, triggerIds: readonly string[]) =>
  db.many<{ triggerId: string; accountNames: string[] }>(sql`
    select trigger_id as "triggerId", array_agg(distinct account_name) as "accountNames" from trigger_action
    where ecpd_id = ${ecpdId} and trigger_id = any(${plainArray(triggerIds)}::uuid[]) and ended_at is null and not dropped
    group by trigger_id`);

/** Drops what has not started of the actions of a trigger. The lines of running actions that are under way end as they would. */
export const dropOpen = (
  db: Db,
  ecpdId: string,
  { triggerId, reason, now }: { readonly triggerId: string; readonly reason: string; readonly now: Date },
) =>
  db.many<{ actionId: string; accountName: string }>(sql`
    update trigger_action a set dropped = true,
      reason = case when a.state = 'running' then coalesce(a.reason, ${reason}) else ${reason} end,
      ended_at = case when a.state <> 'running' then ${now}::timestamptz end,
      state = case when a.state = 'running' then a.state else 'dropped' end
    where a.ecpd_id = ${ecpdId} and a.trigger_id = ${triggerId} and a.ended_at is null and not a.dropped
      and (a.state <> 'running' or exists (
        select 1 from trigger_action_line l
        where l.ecpd_id = ${ecpdId} and l.action_id = a.action_id and l.request_id is null))
    returning a.action_id as "actionId", a.account_name as "accountName"`);

export interface LinesLeft {
  readonly actionId: string;
  readonly dropped: boolean;
  readonly reason: string | null;
  readonly deviceIds: readonly string[];
}

/** The first of these actions with lines that have not started, and the next of these lines. */
export const findLinesLeft = (
  db: Db,
  ecpdId: string,
  actionIds: readonly string[],
  { which, limit }: { readonly which: 'dropped' | 'all'; readonly limit: number },
) =>
  db.maybe<LinesLeft>(sql`
    select action_id as "actionId", dropped, reason, device_ids::text[] as "deviceIds" from (
      select a.action_id, a.dropped, a.reason, a.seq, case when a.device_ids <> '{}' then a.device_ids[1:${limit}] else array(
        select l.device_id from trigger_action_line l
        where l.ecpd_id = ${ecpdId} and l.action_id = a.action_id and l.request_id is null
        order by l.device_id limit ${limit}) end as device_ids
      from trigger_action a
      where a.ecpd_id = ${ecpdId} and a.action_id = any(${plainArray(actionIds)}::uuid[])
        and (a.dropped or ${which === 'all'} and a.state in ('waiting', 'running'))) d
    where device_ids <> '{}' order by seq limit 1`);

/** Removes the first lines of an action that was dropped while it waited for approval. */
export const removeFirst = (db: Db, ecpdId: string, actionId: string, count: number) =>
  db.exec(sql`
    update trigger_action set device_ids = device_ids[${count + 1}:]
    where ecpd_id = ${ecpdId} and action_id = ${actionId}`);

/** The read across profiles takes no locks; each delete is for one profile. Returns how many it deleted. */
export async function deleteOldActions(db: Db, before: Date, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string; ids: string[] }>(sql`
    select ecpd_id as "ecpdId", array_agg(action_id) as ids from (
      select ecpd_id, action_id from trigger_action
      where created_at < ${before} and state not in ('waiting', 'running')
      order by created_at limit ${limit}) oldest
    group by ecpd_id`);
  let deleted = 0;
  for (const { ecpdId, ids } of old)
    deleted += await db.exec(
      sql`delete from trigger_action where ecpd_id = ${ecpdId} and action_id = any(${plainArray(ids)}::uuid[])`,
    );
  return deleted;
}

export const insertChainLines = (
  db: Db,
  { ecpdId }: Tenant,
  chainId: string,
  deviceIds: readonly string[],
  now: Date,
) =>
  db.exec(sql`
    insert into trigger_chain_line (ecpd_id, chain_id, device_id, changed_at)
    select p.ecpd_id, ${chainId}, l.device_id, ${now}
    from profile p cross join unnest(${plainArray(deviceIds)}::uuid[]) as l (device_id) where p.ecpd_id = ${ecpdId}
    on conflict do nothing`);

export const listChainLines = (db: Db, ecpdId: string, chainId: string): Promise<readonly string[]> =>
  db.values<string>(sql`
    select device_id as "deviceId" from trigger_chain_line where ecpd_id = ${ecpdId} and chain_id = ${chainId}`);

/** The read across profiles takes no locks; each delete is for one profile. Returns how many it deleted. */
export async function deleteOldChainLines(db: Db, before: Date, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string; ids: string[] }>(sql`
    select ecpd_id as "ecpdId", array_agg(distinct chain_id) as ids from (
      select ecpd_id, chain_id from trigger_chain_line where changed_at < ${before} order by changed_at limit ${limit}) oldest
    group by ecpd_id`);
  let deleted = 0;
  for (const { ecpdId, ids } of old)
    deleted += await db.exec(sql`
      delete from trigger_chain_line
      where ecpd_id = ${ecpdId} and chain_id = any(${plainArray(ids)}::uuid[]) and changed_at < ${before}`);
  return deleted;
}
