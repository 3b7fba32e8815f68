import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { type Query, sql, unprepared } from '../../platform/db/sql.ts';
import type { Act, NewAction } from './action.ts';

export const lockLaneRows = async (db: Db, ecpdId: string, accountNames: readonly string[]) => {
  await db.exec(sql`
    insert into trigger_lane (ecpd_id, account_name)
    select p.ecpd_id, a.name from profile p cross join unnest(${accountNames}::text[]) as a (name)
    where p.ecpd_id = ${ecpdId} order by a.name
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

export interface WaitingAction {
  readonly actionId: string;
  readonly triggerId: string;
  readonly act: Act;
  readonly deviceIds: readonly string[];
  readonly chainId: string | null;
}

/** The next action to start; undefined while another is running. */
export const findNext = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.maybe<WaitingAction>(sql`
    select action_id as "actionId", trigger_id as "triggerId",
      jsonb_build_object('kind', kind, 'params', params) as act, device_ids::text[] as "deviceIds", chain_id as "chainId"
    from trigger_action
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and state = 'waiting' and not exists (
      select 1 from trigger_action where ecpd_id = ${ecpdId} and account_name = ${accountName} and state = 'running')
    order by seq limit 1`);

export const setRunning = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  actionId: string,
  requestIds: readonly string[],
): Promise<void> => {
  await db.exec(sql`
    update trigger_action set state = 'running', request_ids = ${plainArray(requestIds)}::uuid[],
      open_requests = ${requestIds.length}
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and action_id = ${actionId}`);
};

/** Skips matching actions of one profile. A skipped action no longer needs its lines. */
const skipWhere = async (db: Db, ecpdId: string, which: Query, reason: string, now: Date): Promise<void> => {
  await db.exec(sql`
    update trigger_action set state = 'skipped', reason = ${reason}, device_ids = '{}', ended_at = ${now}
    where ecpd_id = ${ecpdId} and ${which}`);
};

export const skipAction = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  actionId: string,
  reason: string,
  now: Date,
) => skipWhere(db, ecpdId, sql`account_name = ${accountName} and action_id = ${actionId}`, reason, now);

/** Skips all actions of the account that have not started. */
export const skipWaiting = (db: Db, { ecpdId, accountName }: Tenant, reason: string, now: Date) =>
  skipWhere(db, ecpdId, sql`account_name = ${accountName} and state = 'waiting'`, reason, now);

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

/** The action that a request carries out: the only running one of its account. Undefined if the request belongs to no action. */
export const findActionOf = (db: Db, { ecpdId, accountName }: Tenant, requestId: string) =>
  db.maybe<{ actionId: string; chainId: string | null; effective: string | null }>(sql`
    select action_id as "actionId", chain_id as "chainId", params->>'effective' as effective from trigger_action
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and state = 'running'
      and ${requestId}::uuid = any(request_ids)`);

/** The last of its requests ends the action. The first reason stays. Returns whether the action has ended. */
export const countRequest = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  actionId: string,
  ended: { succeeded: number; failed: number; reason: string | undefined; now: Date },
): Promise<boolean> =>
  db.value<boolean>(sql`
    update trigger_action a set succeeded = a.succeeded + ${ended.succeeded}, failed = a.failed + ${ended.failed},
      reason = coalesce(a.reason, ${ended.reason ?? null}), open_requests = a.open_requests - 1,
      state = case when a.open_requests > 1 then a.state when a.failed + ${ended.failed} > 0 then 'failed' else 'done' end,
      ended_at = case when a.open_requests = 1 then ${ended.now}::timestamptz end,
      device_ids = case when a.open_requests = 1 then '{}' else a.device_ids end
    where a.ecpd_id = ${ecpdId} and a.account_name = ${accountName} and a.action_id = ${actionId}
    returning a.ended_at is not null as ended`);

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
