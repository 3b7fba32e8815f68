import type { Cycle } from '../../kernel/bill-cycle.ts';
import type { Firing } from '../firings/index.ts';
import type { DataUnit, ParsedTrigger, Rule } from '../price-plan-triggers/index.ts';

/** The rule that fired, with its notification settings. */
export type NotifiedTrigger = Pick<ParsedTrigger, 'triggerId' | 'triggerName' | 'rule' | 'notifies'>;

/** A firing with the data for its notification, when it happens or later from the record. */
export interface NotifiedFiring extends Firing {
  readonly trigger: NotifiedTrigger;
}

/** The owner of the counter: a line, an account, several accounts or a group share. */
type CounterOwner = 'line' | 'account' | 'accounts' | 'group';

export function counterOwner(rule: Rule): CounterOwner {
  if (rule.kind === 'groupSharePool') return 'group';
  if (rule.kind === 'groupShareIndividual') return 'line';
  const { condition } = rule;
  if (condition.type === 'Individual' || condition.type === 'Aging') return 'line';
  return condition.type === 'AccountLevel' && condition.combined ? 'accounts' : 'account';
}

/** Undefined if no usage is counted: time on a plan is counted in bill cycles. */
export function cycleTypeOf(rule: Rule): Cycle | undefined {
  if (rule.kind !== 'payAsYouGo' || rule.condition.type === 'UsageAllowance') return 'Monthly';
  return rule.condition.type === 'Aging' ? undefined : rule.condition.cycle;
}

/** The unit of the trigger's level, and its bytes; undefined if the level is not a number of bytes. */
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

/** Whether the counter stayed below the threshold, which is checked when a cycle closes. */
export const isBelow = ({ after, threshold }: Pick<NotifiedFiring, 'after' | 'threshold'>) =>
  after < threshold;

/** The allowance to which the percentage refers. */
export const allowanceOf = ({ threshold, level }: Pick<NotifiedFiring, 'threshold' | 'level'>): number =>
  Math.floor((threshold * 100) / level);
