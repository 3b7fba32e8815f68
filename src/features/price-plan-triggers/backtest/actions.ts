import type { Candidate } from '../evaluation/candidate.ts';
import type { PlacedRule } from '../levels/read-surroundings.ts';
import type { PoolMoves, Suspension } from '../rule.ts';

/** What a trigger does when it fires. */
export type PlannedAction =
  | { readonly type: 'notify' }
  | {
      readonly type: 'suspend';
      readonly suspendDuration: string;
      readonly suspendOption: string;
      /** All lines of these accounts that are on the plan; absent: the line that fired. */
      readonly fromAccounts?: string[];
    }
  | { readonly type: 'changePlan'; readonly toCarrierServicePlanCode: string }
  | { readonly type: 'changePlan'; readonly moves: PoolMoves['plans'][number][] };

const NOTIFY: PlannedAction = { type: 'notify' };

const suspend = ({ duration, withBilling }: Suspension, fromAccounts?: readonly string[]): PlannedAction => ({
  type: 'suspend',
  suspendDuration: String(duration),
  suspendOption: withBilling ? 'WithBilling' : 'WithoutBilling',
  ...(fromAccounts && { fromAccounts: [...fromAccounts] }),
});

type Fired = Pick<Candidate, 'accountName' | 'scope' | 'levelKind' | 'level' | 'late'>;

/** Late usage is told, and nothing else is done. `planCode` is the plan of the line that fired. */
export function actionOf(
  { rule, surroundings: { plansOf } }: PlacedRule,
  { accountName, scope, levelKind, level, late }: Fired,
  planCode: string | undefined,
): PlannedAction {
  const { action } = rule;
  if (late || action.type === 'notify') return NOTIFY;
  if (rule.kind === 'payAsYouGo') {
    if (rule.action.type === 'notify') return NOTIFY;
    if (rule.action.type === 'changePlan')
      return { type: 'changePlan', toCarrierServicePlanCode: rule.action.toCarrierServicePlanCode };
    const { suspension, fromAccounts, threshold } = rule.action;
    if (threshold !== undefined && levelKind !== 'suspendBytes') return NOTIFY;
    if (scope !== 'device') return suspend(suspension, fromAccounts);
    return fromAccounts.includes(accountName) ? suspend(suspension) : NOTIFY;
  }
  if (rule.kind === 'groupSharePool') {
    if (rule.action.type === 'notify') return NOTIFY;
    const moves = levelKind === 'poolBelow' ? rule.action.below : rule.action.above;
    return moves === undefined ? NOTIFY : { type: 'changePlan', moves: [...moves.plans] };
  }
  if (rule.action.type === 'suspend') return suspend(rule.action.suspension);
  if (rule.action.type === 'notify') return NOTIFY;
  const move = rule.action.sharePlans.find(
    ({ fromCarrierCode, criteriaPercentage }) =>
      criteriaPercentage === level && plansOf(fromCarrierCode).some(({ code }) => code === planCode),
  );
  return move === undefined ? NOTIFY : { type: 'changePlan', toCarrierServicePlanCode: move.toCarrierCode };
}
