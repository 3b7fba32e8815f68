import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql, unprepared } from '../../platform/db/sql.ts';
import type { Act } from './action.ts';

/** Adds the lines of actions to the queues of these lines. From then on the queues have them, and no longer the actions. */
export async function queueLines(db: Db, ecpdId: string, actionIds: readonly string[]): Promise<void> {
  if (actionIds.length === 0) return;
  const ids = plainArray(actionIds);
  await db.exec(
    unprepared(sql`
    insert into trigger_action_line (ecpd_id, account_name, device_id, seq, action_id)
    select a.ecpd_id, a.account_name, d.device_id, a.seq, a.action_id
    from trigger_action a cross join lateral (select distinct unnest(a.device_ids) as device_id) d
    where a.ecpd_id = ${ecpdId} and a.action_id = any(${ids}::uuid[])`),
  );
  await db.exec(sql`
    update trigger_action set device_ids = '{}' where ecpd_id = ${ecpdId} and action_id = any(${ids}::uuid[])`);
}

/** An action, and those of its lines that can start: none before it in their queues waits, and none is under way. */
export interface FreeAction {
  readonly actionId: string;
  readonly triggerId: string;
  readonly act: Act;
  readonly chainId: string | null;
  readonly deviceIds: readonly string[];
}

/** Restricts a search to the queues of some lines, or to some actions. */
export type Among = { readonly deviceIds: readonly string[] } | { readonly actionIds: readonly string[] };

/** In the order in which they are carried out. */
export const listFree = (db: Db, { ecpdId, accountName }: Tenant, among: Among) =>
  db.many<FreeAction>(
    unprepared(sql`
    select a.action_id as "actionId", a.trigger_id as "triggerId",
      jsonb_build_object('kind', a.kind, 'params', a.params) as act, a.chain_id as "chainId",
      array_agg(l.device_id::text order by l.device_id) as "deviceIds"
    from trigger_action_line l join trigger_action a on a.ecpd_id = ${ecpdId} and a.action_id = l.action_id
    where l.ecpd_id = ${ecpdId} and l.account_name = ${accountName} and l.request_id is null and not a.dropped
      and ${
        'deviceIds' in among
          ? sql`l.device_id = any(${plainArray(among.deviceIds)}::uuid[])`
          : sql`l.action_id = any(${plainArray(among.actionIds)}::uuid[])`
      }
      and not exists (
        select 1 from trigger_action_line e
        where e.ecpd_id = ${ecpdId} and e.account_name = ${accountName} and e.device_id = l.device_id
          and (e.request_id is not null or e.seq < l.seq))
    group by a.ecpd_id, a.action_id order by a.seq`),
  );

/** The lines that a request changes. */
export const setStarted = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  actionId: string,
  { requestId, deviceIds }: { readonly requestId: string; readonly deviceIds: readonly string[] },
) =>
  db.exec(
    unprepared(sql`
    update trigger_action_line set request_id = ${requestId}
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and action_id = ${actionId}
      and device_id = any(${plainArray(deviceIds)}::uuid[])`),
  );

/** Takes lines of an action out of their queues. */
export const deleteLines = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  actionId: string,
  deviceIds: readonly string[],
) =>
  db.exec(
    unprepared(sql`
    delete from trigger_action_line
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and action_id = ${actionId}
      and device_id = any(${plainArray(deviceIds)}::uuid[])`),
  );

/** The actions that are next in the queues of these lines. */
export const listNext = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
): Promise<readonly string[]> =>
  db.values<string>(
    unprepared(sql`
    select distinct action_id as "actionId" from (
      select distinct on (l.device_id) l.action_id from trigger_action_line l
      where l.ecpd_id = ${ecpdId} and l.account_name = ${accountName}
        and l.device_id = any(${plainArray(deviceIds)}::uuid[])
      order by l.device_id, l.seq) n`),
  );
