import type { Rule } from '../rule.ts';
import { readGroupShare } from './read-group-share.ts';
import { readPayAsYouGo } from './read-pay-as-you-go.ts';
import { at, fail, isAbsent, type Place, type Reading, reading, readObject } from './read-values.ts';

function readKind(place: Place): Rule {
  const payAsYouGo = at(place, 'payAsYouGo');
  const accountGroupShare = at(place, 'accountGroupShare');
  if (isAbsent(payAsYouGo) === isAbsent(accountGroupShare))
    fail(place, 'must hold exactly one of payAsYouGo and accountGroupShare');
  return isAbsent(accountGroupShare)
    ? readPayAsYouGo(readObject(payAsYouGo))
    : readGroupShare(readObject(accountGroupShare));
}

/** The one way from `pricePlanTrigger` as it was sent to what it means: when it is written, and when it is evaluated. */
export const readRule = (pricePlanTrigger: unknown): Reading<Rule> =>
  reading(() => readKind(readObject({ path: '/pricePlanTrigger', value: pricePlanTrigger })));
