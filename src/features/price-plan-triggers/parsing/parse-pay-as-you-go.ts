import { type AccountName, isAccountName } from '../../../kernel/account-name.ts';
import { CYCLES } from '../../../kernel/bill-cycle.ts';
import { COMPARATORS, type PayAsYouGo } from '../rule.ts';
import { findPercentages, NONE_SET, parsePlanCode, parseSuspension, parseThreshold } from './parse-terms.ts';
import {
  anySpelling,
  at,
  both,
  fail,
  isTrue,
  optional,
  type Place,
  parseChoice,
  parseInteger,
  parseList,
  parseObject,
  parsing,
} from './parse-values.ts';

type Condition = PayAsYouGo['condition'];
type Action = PayAsYouGo['action'];
type Filter = Pick<PayAsYouGo, 'carrierServicePlanCode' | 'accountNames'>;

const ACCOUNTS_MAX = 10_000;
const BILL_CYCLES_MAX = 1_000;

const parseAccountName = (place: Place): AccountName =>
  isAccountName(place.value) ? place.value : fail(place, 'must be an account name');

const parseAccounts = (place: Place): readonly string[] => [
  ...new Set(parseList(ACCOUNTS_MAX, parseAccountName)(place)),
];

function parseFilter(filter: Place): Filter {
  const [carrierServicePlanCode, accountNames] = both(
    () => parsePlanCode(at(filter, 'carrierServicePlanCode')),
    () => parseAccounts(at(filter, 'accountNameList')),
  );
  return { carrierServicePlanCode, accountNames };
}

const parseType = parseChoice(['Individual', 'AccountLevel', 'UsageAllowance', 'Aging']);

/** Refuses values that the type would silently ignore, but not the default values of another type. */
function refuseIgnored(condition: Place, type: Condition['type'], nested: Place): void {
  if (type !== 'UsageAllowance' && findPercentages(condition, nested).length > 0)
    fail(condition, 'has percentages, which are for the conditionType UsageAllowance only');
  const combined = at(condition, 'separateOrCombined');
  if (type !== 'AccountLevel' && optional(combined, parseSeparateOrCombined) === 'Combined')
    fail(combined, 'is for the conditionType AccountLevel only');
}

const parseSeparateOrCombined = parseChoice(['Separate', 'Combined']);

function parseCondition(condition: Place, action: Place): Condition {
  const type = optional(at(condition, 'conditionType'), parseType) ?? 'Individual';
  const nested = at(condition, 'allowanceThreshold');
  refuseIgnored(condition, type, nested);
  if (type === 'UsageAllowance') {
    const percentages = findPercentages(condition, nested);
    return percentages.length > 0 ? { type, percentages } : fail(condition, NONE_SET);
  }
  if (type === 'Aging') {
    const details = parseObject(at(action, 'agingDetails'));
    return { type, billCycles: parseInteger(1, BILL_CYCLES_MAX)(at(details, 'onNumberOfBillCycle')) };
  }
  const comparison = anySpelling(condition, 'comparator', 'comparitor');
  const parseComparator = parseChoice(COMPARATORS);
  const min = parsing(() => parseComparator(comparison)).value === 'gt' ? 0 : 1;
  const [comparator, threshold] = both(
    () => parseComparator(comparison),
    () => parseThreshold(condition, { min, unitIfAbsent: 'MB' }),
  );
  const cycle = optional(at(condition, 'cycleType'), parseChoice(CYCLES)) ?? 'Daily';
  if (type === 'Individual') return { type, comparator, threshold, cycle };
  const combined = optional(at(condition, 'separateOrCombined'), parseSeparateOrCombined) === 'Combined';
  return { type, comparator, threshold, cycle, combined };
}

function parseSuspend(details: Place, type: Condition['type'], { accountNames }: Filter): Action {
  const place = at(details, 'suspendFromAccounts');
  // Null and blank do not count as absent here: that would suspend lines in accounts that nobody named.
  const fromAccounts = place.value === undefined ? accountNames : parseAccounts(place);
  const watched = new Set(accountNames);
  const other = fromAccounts.find((name) => !watched.has(name));
  if (other !== undefined) fail(place, `names ${other}, which is not in accountNameList`);
  return {
    type: 'suspend',
    fromAccounts,
    suspension: parseSuspension(details),
    threshold: type === 'AccountLevel' ? parseThreshold(details, { min: 0 }) : undefined,
  };
}

function parseDestination(
  action: Place,
  type: Condition['type'],
  { carrierServicePlanCode }: Filter,
): string {
  if (type !== 'Individual' && type !== 'Aging')
    fail(at(action, 'changePlan'), 'is for the conditionTypes Individual and Aging only');
  const details = parseObject(at(action, type === 'Aging' ? 'agingDetails' : 'changePlanDetails'));
  const place = at(details, 'toCarrierServicePlanCode');
  const code = parsePlanCode(place);
  return code === carrierServicePlanCode ? fail(place, 'is the plan that the lines are on') : code;
}

function parseAction(action: Place, type: Condition['type'], filter: Filter): Action {
  const [suspend, changePlan] = [isTrue(at(action, 'suspend')), isTrue(at(action, 'changePlan'))];
  if (suspend && changePlan) fail(at(action, 'changePlan'), 'and suspend cannot both be true');
  if (suspend) return parseSuspend(parseObject(at(action, 'suspendDetails')), type, filter);
  if (changePlan)
    return { type: 'changePlan', toCarrierServicePlanCode: parseDestination(action, type, filter) };
  return { type: 'notify' };
}

export function parsePayAsYouGo(place: Place): PayAsYouGo {
  const [[filter, condition], action] = both(
    () =>
      both(
        () => parseFilter(parseObject(at(place, 'filterCriteria'))),
        () => parseCondition(parseObject(at(place, 'condition')), at(place, 'action')),
      ),
    () => parseObject(at(place, 'action')),
  );
  return { kind: 'payAsYouGo', ...filter, condition, action: parseAction(action, condition.type, filter) };
}
