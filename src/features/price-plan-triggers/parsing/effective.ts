import type { TriggerContent } from '../price-plan-trigger.ts';
import { parseReminderCount } from './parse-notification.ts';
import { parseRule } from './parse-rule.ts';
import { digitsIn } from './parse-values.ts';

/** Members that are whole numbers wherever they occur; a `threshold` with several values is a list. */
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

/** A client that sent the interface's misspelling gets it back too, with the effective number. */
function effectiveNotification(notification: object): object {
  const count = parseReminderCount(notification);
  if (count === undefined) return notification;
  const isMisspelt = Object.hasOwn(notification, MISSPELT);
  return { ...notification, notificationFrequencyFactor: count, ...(isMisspelt && { [MISSPELT]: count }) };
}

/** A trigger as it was sent, with defaults filled in and numbers as numbers. Parts that cannot be parsed stay as they are. */
export const effectiveContent = ({ pricePlanTrigger, notification }: TriggerContent): TriggerContent => ({
  ...(pricePlanTrigger && { pricePlanTrigger: effectiveRule(pricePlanTrigger) }),
  ...(notification && { notification: effectiveNotification(notification) }),
});
