import type { Cycle } from '../../kernel/bill-cycle.ts';
import type { Firing } from '../firings/index.ts';
import type { DataUnit, ParsedTrigger, Rule } from '../price-plan-triggers/index.ts';

/** The rule that fired, and how its notification is set. */
export type NotifiedTrigger = Pick<ParsedTrigger, 'triggerId' | 'triggerName' | 'rule' | 'notifies'>;

/** A firing as people are notified of it, when it happens or later from what is on record. */
export interface NotifiedFiring extends Firing {
  readonly trigger: NotifiedTrigger;
}

/** Whose counter it was: a line's, an account's, that of several accounts, or that of a group share. */
type CounterOwner = 'line' | 'account' | 'accounts' | 'group';

export function counterOwner(rule: Rule): CounterOwner {
  if (rule.kind === 'groupSharePool') return 'group';
  if (rule.kind === 'groupShareIndividual') return 'line';
  const { condition } = rule;
  if (condition.type === 'Individual' || condition.type === 'Aging') return 'line';
  return condition.type === 'AccountLevel' && condition.combined ? 'accounts' : 'account';
}

/** Undefined where no usage is counted: time on a plan is in bill cycles. */
export function cycleTypeOf(rule: Rule): Cycle | undefined {
  if (rule.kind !== 'payAsYouGo' || rule.condition.type === 'UsageAllowance') return 'Monthly';
  return rule.condition.type === 'Aging' ? undefined : rule.condition.cycle;
}

/** The unit in which the trigger says its level, and how many bytes it has; undefined for what is no number of bytes. */
export function unitOf({
  trigger: { rule },
  levelKind,
}: NotifiedFiring): { readonly unit: DataUnit; readonly bytes: number } | undefined {
  if (rule.kind !== 'payAsYouGo') return undefined;
  const { condition, action } = rule;
  if (condition.type !== 'Individual' && condition.type !== 'AccountLevel') return undefined;
  const own = levelKind === 'suspendBytes' && action.type === 'suspend' ? action.threshold : undefined;
  const { unit, bytes, value } = own ?? condition.threshold;
  return { unit, bytes: bytes / value };
}

/** Checked when a cycle has closed: the counter stayed under the threshold. */
export const isBelow = ({ after, threshold }: Pick<NotifiedFiring, 'after' | 'threshold'>) =>
  after < threshold;

/** What the percentage is a percentage of. */
export const allowanceOf = ({ threshold, level }: Pick<NotifiedFiring, 'threshold' | 'level'>): number =>
  Math.floor((threshold * 100) / level);
