import type { Static } from 'typebox';
import type { PlacedRule, Suspension } from '../../price-plan-triggers/index.ts';
import { decideActions, poolMovesOf } from '../../trigger-actions/index.ts';
import type { Candidate } from '../candidate.ts';
import type { PastAction } from '../schemas.ts';

type PlannedAction = Static<typeof PastAction>;

const NOTIFY: PlannedAction = { type: 'notify' };

const suspend = ({ duration, withBilling }: Suspension): PlannedAction => ({
  type: 'suspend',
  suspendDuration: String(duration),
  suspendOption: withBilling ? 'WithBilling' : 'WithoutBilling',
});

/**
 * What a trigger does when it fires, decided in the same way as for a real firing, so that both agree. Late usage is
 * only notified. `planCode` is the plan of the line that fired.
 */
export function actionOf(
  { rule, surroundings: { plansOf } }: PlacedRule,
  candidate: Omit<Candidate, 'triggerId' | 'scope'>,
  planCode: string | undefined,
): PlannedAction {
  if (candidate.late) return NOTIFY;
  if (rule.kind === 'groupSharePool') {
    const moving = poolMovesOf(rule, candidate);
    return moving === undefined ? NOTIFY : { type: 'changePlan', moves: [...moving.moves.plans] };
  }
  const decided = decideActions(
    { ...candidate, trigger: { rule } },
    { plansOf: (carrierCode) => plansOf(carrierCode).map(({ code }) => code), planOf: () => planCode },
  );
  const [first] = decided;
  if (first === undefined) return NOTIFY;
  // The move has already changed the plan of the line that it fired for: no later action changes it again.
  if (candidate.cause === 'planChange' && first.act.kind === 'changePlan') return NOTIFY;
  if (first.act.kind === 'changePlan')
    return { type: 'changePlan', toCarrierServicePlanCode: first.act.params.toPlan };
  if (first.deviceId !== undefined) return suspend(first.act.params);
  return { ...suspend(first.act.params), fromAccounts: decided.map(({ accountName }) => accountName) };
}
