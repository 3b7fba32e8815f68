import type { TriggerContent } from '../price-plan-trigger.ts';
import { parseReminderCount } from './parse-notification.ts';
import { parseRule } from './parse-rule.ts';
import { digitsIn } from './parse-values.ts';

/** Members that are whole numbers wherever they stand; `threshold` is a list where it holds more than one. */
const WHOLE_NUMBERS: ReadonlySet<string> = new Set([
  'threshold',
  'onNumberOfBillCycle',
  'ratePlanGroupId',
  'criteriaPercentage',
  'usagePercentage',
  'dataPoolOverageBuffer',
]);

function withNumbers(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((entry) => withNumbers(entry));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withNumbers(member, key)]));
  return (WHOLE_NUMBERS.has(name) ? digitsIn(value) : undefined) ?? value;
}

type PayAsYouGo = { readonly payAsYouGo?: { readonly condition?: object } };

function effectiveRule(pricePlanTrigger: object): object {
  const sent = withNumbers(pricePlanTrigger) as PayAsYouGo;
  const rule = parseRule(pricePlanTrigger).value;
  if (rule?.kind !== 'payAsYouGo' || !('cycle' in rule.condition)) return sent;
  const { cycle, threshold } = rule.condition;
  const condition = { ...sent.payAsYouGo?.condition, thresholdUnit: threshold.unit, cycleType: cycle };
  return { ...sent, payAsYouGo: { ...sent.payAsYouGo, condition } };
}

const MISSPELT = 'notificationFequencyFactor';

/** Whoever sent the interface's misspelling finds it, too, with the number that holds. */
function effectiveNotification(notification: object): object {
  const count = parseReminderCount(notification);
  if (count === undefined) return notification;
  const isMisspelt = Object.hasOwn(notification, MISSPELT);
  return { ...notification, notificationFrequencyFactor: count, ...(isMisspelt && { [MISSPELT]: count }) };
}

/** A trigger as it was sent, with what it left to a default, and numbers as numbers. What cannot be read stays. */
export const effectiveContent = ({ pricePlanTrigger, notification }: TriggerContent): TriggerContent => ({
  ...(pricePlanTrigger && { pricePlanTrigger: effectiveRule(pricePlanTrigger) }),
  ...(notification && { notification: effectiveNotification(notification) }),
});
