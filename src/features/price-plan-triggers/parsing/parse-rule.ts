import type { ParsedTrigger, PricePlanTrigger } from '../price-plan-trigger.ts';
import type { Rule } from '../rule.ts';
import { parseGroupShare } from './parse-group-share.ts';
import { parseNotification } from './parse-notification.ts';
import { parsePayAsYouGo } from './parse-pay-as-you-go.ts';
import { at, fail, isAbsent, type Parsed, type Place, parseObject, parsing } from './parse-values.ts';

function parseKind(place: Place): Rule {
  const payAsYouGo = at(place, 'payAsYouGo');
  const accountGroupShare = at(place, 'accountGroupShare');
  if (isAbsent(payAsYouGo) === isAbsent(accountGroupShare))
    fail(place, 'must hold exactly one of payAsYouGo and accountGroupShare');
  return isAbsent(accountGroupShare)
    ? parsePayAsYouGo(parseObject(payAsYouGo))
    : parseGroupShare(parseObject(accountGroupShare));
}

/** The only parser of `pricePlanTrigger`, used both when a trigger is written and when it is evaluated. */
export const parseRule = (pricePlanTrigger: unknown): Parsed<Rule> =>
  parsing(() => parseKind(parseObject({ path: '/pricePlanTrigger', value: pricePlanTrigger })));

/** Undefined if the stored content cannot be parsed: such a trigger does nothing. */
export function parseTrigger(trigger: PricePlanTrigger): ParsedTrigger | undefined {
  const rule = parseRule(trigger.body.pricePlanTrigger).value;
  const notifies = parseNotification(trigger.body.notification).value;
  return rule && notifies && { ...trigger, rule, notifies };
}
