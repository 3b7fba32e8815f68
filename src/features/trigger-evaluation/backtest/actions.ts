import type { PlacedRule, PoolMoves, Suspension } from '../../price-plan-triggers/index.ts';
import { decideActions, poolMovesOf } from '../../trigger-actions/index.ts';
import type { Candidate } from '../candidate.ts';

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

const suspend = ({ duration, withBilling }: Suspension): PlannedAction & { type: 'suspend' } => ({
  type: 'suspend',
  suspendDuration: String(duration),
  suspendOption: withBilling ? 'WithBilling' : 'WithoutBilling',
});

/**
 * Decided as for a firing that is acted upon, so that both say the same. Late usage is told, and nothing else is done.
 * `planCode` is the plan of the line that fired.
 */
export function actionOf(
  { rule, surroundings: { plansOf } }: PlacedRule,
  candidate: Candidate,
  planCode: string | undefined,
): PlannedAction {
  const { late, afterBytes: after, thresholdBytes: threshold } = candidate;
  if (late) return NOTIFY;
  if (rule.kind === 'groupSharePool') {
    const moving = poolMovesOf(rule, { after, threshold });
    return moving === undefined ? NOTIFY : { type: 'changePlan', moves: [...moving.moves.plans] };
  }
  const decided = decideActions(
    { ...candidate, trigger: { rule } },
    { plansOf: (carrierCode) => plansOf(carrierCode).map(({ code }) => code), planOf: () => planCode },
  );
  const [first] = decided;
  if (first === undefined) return NOTIFY;
  // What was moved has moved the line that it fired for: its plan is not changed again by what follows.
  if (candidate.cause === 'planChange' && first.act.kind === 'changePlan') return NOTIFY;
  if (first.act.kind === 'changePlan')
    return { type: 'changePlan', toCarrierServicePlanCode: first.act.params.toPlan };
  if (first.deviceId !== undefined) return suspend(first.act.params);
  return { ...suspend(first.act.params), fromAccounts: decided.map(({ accountName }) => accountName) };
}
