import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql, unprepared } from '../../platform/db/sql.ts';
import type { FiredAction } from './outcomes.ts';

/** Marks lines of an action as not changed. */
export const leaveOut = (
  db: Db,
  ecpdId: string,
  actionId: string,
  {
    deviceIds,
    state,
    reason,
  }: { deviceIds: readonly string[]; state: 'skipped' | 'dropped'; reason: string },
) =>
  db.exec(
    unprepared(sql`
    update firing_action set state = ${state}, reason = ${reason}
    where ecpd_id = ${ecpdId} and action_id = ${actionId} and device_id = any(${plainArray(deviceIds)}::uuid[])`),
  );

export interface Failure {
  readonly deviceId: string;
  readonly state: 'failed' | 'expired';
  readonly reason: string;
}

/** Stores why single lines failed. The reasons are looked up by line, because a join would be planned for few lines. */
export async function markFailures(
  db: Db,
  { ecpdId }: Tenant,
  actionId: string,
  failures: readonly Failure[],
): Promise<void> {
  if (failures.length === 0) return;
  const values = JSON.stringify(
    Object.fromEntries(failures.map(({ deviceId, state, reason }) => [deviceId, [state, reason]])),
  );
  await db.exec(
    unprepared(sql`
    update firing_action f set state = ${values}::jsonb -> f.device_id::text ->> 0,
      reason = ${values}::jsonb -> f.device_id::text ->> 1
    where f.ecpd_id = ${ecpdId} and f.action_id = ${actionId}
      and f.device_id = any(${plainArray(failures.map(({ deviceId }) => deviceId))}::uuid[])`),
  );
}

/** Account names are unique across profiles. */
export const listProfilesOf = (db: Db, accountNames: readonly string[]): Promise<readonly string[]> =>
  db.values<string>(
    sql`select distinct ecpd_id as "ecpdId" from account_directory where account_name = any(${accountNames}::text[])`,
  );

export type ActionOfFiring = FiredAction & {
  readonly accountName: string;
  readonly succeeded: number;
  readonly failed: number;
  readonly requestIds: readonly string[];
};

/**
 * The actions of firings, each reduced to the firing's own share: several firings may share an action, each with one line.
 * A line that has left the action's queue without a note in `firing_action` was changed.
 */
export const listActionsOf = (db: Db, ecpdIds: readonly string[], firingIds: readonly string[]) =>
  db.many<ActionOfFiring>(sql`
    select f.firing_id as "firingId", a.account_name as "accountName", a.kind, a.params, own.state,
      case when f.device_id is null then a.device_count else 1 end as "deviceCount",
      case when f.device_id is null then a.succeeded when own.state = 'done' then 1 else 0 end as succeeded,
      case when f.device_id is null then a.failed when own.state in ('failed', 'expired') then 1 else 0 end as failed,
      case when f.reason is not null then f.reason
           when f.device_id is null or own.state not in ('done', 'running') then a.reason end as reason,
      a.request_ids::text[] as "requestIds"
    from firing_action f
    join trigger_action a on a.ecpd_id = f.ecpd_id and a.action_id = f.action_id
    left join trigger_action_line l on l.ecpd_id = a.ecpd_id and l.account_name = a.account_name
      and l.device_id = f.device_id and l.seq = a.seq
    cross join lateral (
      select case when f.state is not null then f.state
        when f.device_id is null then a.state
        when l.request_id is not null then 'running'
        when l.device_id is not null then case when a.dropped then 'dropped' else 'waiting' end
        when a.request_ids <> '{}' then 'done' else a.state end as state) own
    where f.ecpd_id = any(${ecpdIds}::text[]) and f.firing_id = any(${plainArray(firingIds)}::uuid[])
    order by a.seq`);
