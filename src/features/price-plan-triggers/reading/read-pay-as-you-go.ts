import { type AccountName, isAccountName } from '../../../kernel/account-name.ts';
import { CYCLES } from '../../../kernel/bill-cycle.ts';
import { COMPARATORS, type PayAsYouGo } from '../rule.ts';
import { findPercentages, NONE_SET, readPlanCode, readSuspension, readThreshold } from './read-terms.ts';
import {
  anySpelling,
  at,
  both,
  fail,
  isTrue,
  optional,
  type Place,
  readChoice,
  readInteger,
  readList,
  readObject,
} from './read-values.ts';

type Condition = PayAsYouGo['condition'];
type Action = PayAsYouGo['action'];
type Filter = Pick<PayAsYouGo, 'carrierServicePlanCode' | 'accountNames'>;

export const ACCOUNTS_MAX = 10_000;
const BILL_CYCLES_MAX = 1_000;

const readAccountName = (place: Place): AccountName =>
  isAccountName(place.value) ? place.value : fail(place, 'must be an account name');

const readAccounts = (place: Place): readonly string[] => [
  ...new Set(readList(ACCOUNTS_MAX, readAccountName)(place)),
];

function readFilter(filter: Place): Filter {
  const [carrierServicePlanCode, accountNames] = both(
    () => readPlanCode(at(filter, 'carrierServicePlanCode')),
    () => readAccounts(at(filter, 'accountNameList')),
  );
  return { carrierServicePlanCode, accountNames };
}

const readType = readChoice(['Individual', 'AccountLevel', 'UsageAllowance', 'Aging']);

/** What would be lost without a word is refused; what says the default of another type is not. */
function refuseLost(condition: Place, type: Condition['type'], nested: Place): void {
  if (type !== 'UsageAllowance' && findPercentages(condition, nested).length > 0)
    fail(condition, 'has percentages, which are for the conditionType UsageAllowance only');
  const combined = at(condition, 'separateOrCombined');
  if (type !== 'AccountLevel' && optional(combined, readSeparateOrCombined) === 'Combined')
    fail(combined, 'is for the conditionType AccountLevel only');
}

const readSeparateOrCombined = readChoice(['Separate', 'Combined']);

function readCondition(condition: Place, action: Place): Condition {
  const type = optional(at(condition, 'conditionType'), readType) ?? 'Individual';
  const nested = at(condition, 'allowanceThreshold');
  refuseLost(condition, type, nested);
  if (type === 'UsageAllowance') {
    const percentages = findPercentages(condition, nested);
    return percentages.length > 0 ? { type, percentages } : fail(condition, NONE_SET);
  }
  if (type === 'Aging') {
    const details = readObject(at(action, 'agingDetails'));
    return { type, billCycles: readInteger(1, BILL_CYCLES_MAX)(at(details, 'onNumberOfBillCycle')) };
  }
  const [comparator, threshold] = both(
    () => readChoice(COMPARATORS)(anySpelling(condition, 'comparator', 'comparitor')),
    () => readThreshold(condition, 'MB'),
  );
  const cycle = optional(at(condition, 'cycleType'), readChoice(CYCLES)) ?? 'Daily';
  if (type === 'Individual') return { type, comparator, threshold, cycle };
  const combined = optional(at(condition, 'separateOrCombined'), readSeparateOrCombined) === 'Combined';
  return { type, comparator, threshold, cycle, combined };
}

function readSuspend(details: Place, type: Condition['type'], { accountNames }: Filter): Action {
  const place = at(details, 'suspendFromAccounts');
  // Null and blank are no absence here: they would suspend in accounts that nobody named.
  const fromAccounts = place.value === undefined ? accountNames : readAccounts(place);
  const watched = new Set(accountNames);
  const other = fromAccounts.find((name) => !watched.has(name));
  if (other !== undefined) fail(place, `names ${other}, which is not in accountNameList`);
  return {
    type: 'suspend',
    fromAccounts,
    suspension: readSuspension(details),
    threshold: type === 'AccountLevel' ? readThreshold(details) : undefined,
  };
}

function readDestination(action: Place, type: Condition['type'], { carrierServicePlanCode }: Filter): string {
  if (type !== 'Individual' && type !== 'Aging')
    fail(at(action, 'changePlan'), 'is for the conditionTypes Individual and Aging only');
  const details = readObject(at(action, type === 'Aging' ? 'agingDetails' : 'changePlanDetails'));
  const place = at(details, 'toCarrierServicePlanCode');
  const code = readPlanCode(place);
  return code === carrierServicePlanCode ? fail(place, 'is the plan that the lines are on') : code;
}

function readAction(action: Place, type: Condition['type'], filter: Filter): Action {
  const [suspend, changePlan] = [isTrue(at(action, 'suspend')), isTrue(at(action, 'changePlan'))];
  if (suspend && changePlan) fail(at(action, 'changePlan'), 'and suspend cannot both be true');
  if (suspend) return readSuspend(readObject(at(action, 'suspendDetails')), type, filter);
  if (changePlan)
    return { type: 'changePlan', toCarrierServicePlanCode: readDestination(action, type, filter) };
  return { type: 'notify' };
}

export function readPayAsYouGo(place: Place): PayAsYouGo {
  const [[filter, condition], action] = both(
    () =>
      both(
        () => readFilter(readObject(at(place, 'filterCriteria'))),
        () => readCondition(readObject(at(place, 'condition')), at(place, 'action')),
      ),
    () => readObject(at(place, 'action')),
  );
  return { kind: 'payAsYouGo', ...filter, condition, action: readAction(action, condition.type, filter) };
}
