import type { SuspendDuration, Suspension } from '../price-plan-triggers/index.ts';
import type { Facts } from './facts.ts';
import { isBelow, type NotifiedFiring } from './notified-firing.ts';

const NOTHING = 'Nothing else is done.';
const LATE = 'This usage was reported after its cycle had closed: you are only notified.';
const PAUSED = 'Actions are paused: nothing is suspended and no plan is changed.';

const until = (duration: SuspendDuration) =>
  duration === 'NextBillCycle' ? 'until the next bill cycle' : `for ${duration} days`;

const suspended = (what: string, { duration, withBilling }: Suspension) =>
  `${what} will be suspended ${until(duration)}, ${withBilling ? 'with' : 'without'} billing.`;

/** The accounts whose lines are suspended. An account that is compared separately suspends only its own lines. */
const suspendedFrom = (fromAccounts: readonly string[], together: boolean, accountName: string) =>
  together ? fromAccounts : fromAccounts.filter((name) => name === accountName);

function ofPayAsYouGo(
  { trigger: { rule }, level, levelKind, accountName }: NotifiedFiring,
  facts: Facts,
): string {
  if (rule.kind !== 'payAsYouGo' || rule.action.type === 'notify') return NOTHING;
  const { action, condition } = rule;
  if (action.type === 'changePlan') {
    const code = action.toCarrierServicePlanCode;
    return `The line will be moved to plan ${facts.planNames.get(code) ?? code}.`;
  }
  const { fromAccounts, suspension, threshold } = action;
  const isTogether = condition.type === 'AccountLevel' && condition.combined;
  const accounts = suspendedFrom(fromAccounts, isTogether, accountName);
  if (accounts.length === 0) return NOTHING;
  if (condition.type === 'Individual' || condition.type === 'Aging') return suspended('The line', suspension);
  if (threshold !== undefined && levelKind !== 'suspendBytes')
    return `Nothing is suspended before more than ${threshold.value} ${threshold.unit} are used.`;
  if (condition.type === 'UsageAllowance' && level < Math.max(...condition.percentages))
    return `Nothing is suspended before ${Math.max(...condition.percentages)} % of the allowance are used.`;
  return suspended(
    `The lines on the plan of ${accounts.length === 1 ? `account ${accounts[0]}` : `${accounts.length} accounts`}`,
    suspension,
  );
}

function ofGroupShare(firing: NotifiedFiring): string {
  const { rule } = firing.trigger;
  if (rule.kind === 'payAsYouGo' || rule.action.type === 'notify') return NOTHING;
  if (rule.kind === 'groupShareIndividual') {
    if (rule.action.type === 'suspend') return suspended('The line', rule.action.suspension);
    return 'The line will be moved to another plan of the group.';
  }
  const below = isBelow(firing);
  const moves = below ? rule.action.below : rule.action.above;
  if (moves === undefined) return NOTHING;
  return `Lines will be moved to ${below ? 'smaller' : 'larger'} plans until the pool allows ${moves.overageBuffer} % more than is used.`;
}

/** The consequence of a firing. Late usage has none. */
export function consequence(firing: NotifiedFiring, facts: Facts): string {
  if (firing.late) return LATE;
  const text = firing.trigger.rule.kind === 'payAsYouGo' ? ofPayAsYouGo(firing, facts) : ofGroupShare(firing);
  if (text === NOTHING) return text;
  return facts.paused ? PAUSED : (facts.outcomes.get(firing.firingId)?.undone ?? text);
}
