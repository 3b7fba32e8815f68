import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';
import type { Viewer } from '../price-plan-triggers/index.ts';
import { findSeen, type TriggerKey } from '../price-plan-triggers/index.ts';
import type { ActionState } from './action.ts';

export type ApprovalDecision = 'approved' | 'rejected';

/** The trigger of a firing that has actions. No viewer means the operator, who sees all. */
export async function findFiredBy(
  db: Db,
  firingId: string,
  viewer: Viewer | undefined,
): Promise<TriggerKey | undefined> {
  const found = await db.many<TriggerKey>(sql`
    select distinct a.ecpd_id as "ecpdId", a.trigger_id as "triggerId"
    from profile p
    join firing_action f on f.ecpd_id = p.ecpd_id and f.firing_id = ${firingId}
    join trigger_action a on a.ecpd_id = f.ecpd_id and a.action_id = f.action_id
    where ${viewer === undefined ? sql`true` : sql`p.ecpd_id = any(${viewer.profiles}::text[])`}`);
  return findSeen(db, found, viewer);
}

export interface DecidedAction {
  readonly actionId: string;
  readonly accountName: string;
  readonly state: ActionState;
  readonly decision: ApprovalDecision | null;
  readonly approvableTo: Date;
}

export const listDecidedActions = (db: Db, ecpdId: string, firingId: string) =>
  db.many<DecidedAction>(sql`
    select a.action_id as "actionId", a.account_name as "accountName", a.state, a.judgement as decision,
      a.approvable_to as "approvableTo"
    from firing_action f join trigger_action a on a.ecpd_id = f.ecpd_id and a.action_id = f.action_id
    where f.ecpd_id = ${ecpdId} and f.firing_id = ${firingId} order by a.account_name, a.action_id`);

export const approveActions = (db: Db, ecpdId: string, actionIds: readonly string[], decidedBy: string) =>
  db.exec(sql`
    update trigger_action set state = 'waiting', reason = null, judgement = 'approved', judged_by = ${decidedBy}
    where ecpd_id = ${ecpdId} and action_id = any(${plainArray(actionIds)}::uuid[]) and state = 'awaitingApproval'`);

export const rejectActions = (
  db: Db,
  ecpdId: string,
  actionIds: readonly string[],
  { decidedBy, now }: { readonly decidedBy: string; readonly now: Date },
) =>
  db.exec(sql`
    update trigger_action set state = 'skipped', reason = ${`Rejected by ${decidedBy}`}, judgement = 'rejected',
      judged_by = ${decidedBy}, device_ids = '{}', ended_at = ${now}
    where ecpd_id = ${ecpdId} and action_id = any(${plainArray(actionIds)}::uuid[]) and state = 'awaitingApproval'`);

const PROFILES_MAX = 100_000;

/** A read across profiles that takes no locks. */
export const listProfilesOfExpired = (db: Db, now: Date): Promise<readonly string[]> =>
  db.values<string>(sql`
    select distinct ecpd_id as "ecpdId" from trigger_action
    where state = 'awaitingApproval' and approvable_to <= ${now} order by 1 limit ${PROFILES_MAX}`);

export const listAccountsOfExpired = (
  db: Db,
  ecpdId: string,
  now: Date,
  limit: number,
): Promise<readonly string[]> =>
  db.values<string>(sql`
    select distinct account_name as "accountName" from trigger_action
    where ecpd_id = ${ecpdId} and state = 'awaitingApproval' and approvable_to <= ${now} order by 1 limit ${limit}`);
