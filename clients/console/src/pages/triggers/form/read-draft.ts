import type { PricePlanTrigger } from '../../../api/triggers.ts';
import {
  type Draft,
  type Moves,
  NEW_ROW,
  newDraft,
  PERCENTAGES,
  type Percentages,
  type PlanRow,
} from './draft.ts';

/** A value at a path of the sent body, which may have any type. */
type Fields = Readonly<Record<string, unknown>>;
const at = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null ? (holder as Fields)[name] : undefined;
const into = (holder: unknown, ...names: readonly string[]): unknown => names.reduce(at, holder);
const listAt = (holder: unknown, name: string): readonly unknown[] => {
  const value = at(holder, name);
  return Array.isArray(value) ? value : [];
};
const isTrue = (value: unknown): boolean => String(value).toLowerCase() === 'true';
const textOr = (value: unknown, otherwise: string): string =>
  value === undefined || value === null || value === '' ? otherwise : String(value);
/** Callers may write enumerations in any letter case. */
const choice = (value: unknown, choices: readonly string[], otherwise: string): string =>
  choices.find((one) => one.toLowerCase() === String(value).toLowerCase()) ?? otherwise;
const namesOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

const readPercentages = (...holders: readonly unknown[]): Percentages =>
  Object.fromEntries(
    PERCENTAGES.map((percent) => [
      percent,
      holders.some((holder) => isTrue(at(holder, `percentage${percent}`))),
    ]),
  ) as Percentages;

const readRow = (entry: unknown): PlanRow => ({
  from: textOr(at(entry, 'fromCarrierCode') ?? at(entry, 'carrierCode'), ''),
  to: textOr(at(entry, 'toCarrierCode'), ''),
  percent: textOr(at(entry, 'criteriaPercentage') ?? at(entry, 'usagePercentage'), '100'),
  percentages: readPercentages(at(entry, 'percentage')),
});
const rowsOf = (entries: readonly unknown[]): readonly PlanRow[] =>
  entries.length === 0 ? [NEW_ROW] : entries.map(readRow);
const readDate = (holder: unknown): string =>
  choice(at(holder, 'triggerDate'), ['CurrentDate', 'BackDate'], 'CurrentDate');
const readMoves = (moves: unknown): Moves => ({
  wanted: moves !== undefined && moves !== null,
  rows: rowsOf(listAt(moves, 'changePlan')),
  buffer: textOr(at(moves, 'dataPoolOverageBuffer'), '10'),
  date: readDate(moves),
});
const readSuspension = (details: unknown, empty: Draft) => ({
  suspendDuration: choice(at(details, 'suspendDuration'), ['30', '60', '90'], empty.suspendDuration),
  suspendOption: choice(at(details, 'suspendOption'), ['WithBilling'], empty.suspendOption),
});

const CONDITION_TYPES = ['AccountLevel', 'UsageAllowance', 'Aging'];
const UNITS = ['KB', 'MB', 'GB', 'TB'];

function readPayAsYouGo(rule: unknown, empty: Draft): Partial<Draft> {
  const [filter, condition, action] = ['filterCriteria', 'condition', 'action'].map((name) => at(rule, name));
  const suspension = at(action, 'suspendDetails');
  const changes = isTrue(at(action, 'changePlan'));
  return {
    kind: 'payAsYouGo',
    plan: textOr(at(filter, 'carrierServicePlanCode'), ''),
    accounts: namesOf(at(filter, 'accountNameList')),
    conditionType: choice(at(condition, 'conditionType'), CONDITION_TYPES, 'Individual'),
    comparator: choice(at(condition, 'comparator') ?? at(condition, 'comparitor'), ['lt', 'eq'], 'gt'),
    threshold: textOr(at(condition, 'threshold'), ''),
    thresholdUnit: choice(at(condition, 'thresholdUnit'), UNITS, 'MB'),
    cycleType: choice(at(condition, 'cycleType'), ['Weekly', 'Monthly'], 'Daily'),
    separateOrCombined: choice(at(condition, 'separateOrCombined'), ['Combined'], 'Separate'),
    percentages: readPercentages(condition, at(condition, 'allowanceThreshold')),
    billCycles: textOr(into(action, 'agingDetails', 'onNumberOfBillCycle'), '1'),
    action: isTrue(at(action, 'suspend')) ? 'suspend' : changes ? 'changePlan' : 'notify',
    ...readSuspension(suspension, empty),
    suspendFrom: namesOf(at(suspension, 'suspendFromAccounts')),
    suspendThreshold: textOr(at(suspension, 'threshold'), ''),
    suspendUnit: choice(at(suspension, 'thresholdUnit'), UNITS, 'MB'),
    toPlan: textOr(
      into(action, 'changePlanDetails', 'toCarrierServicePlanCode') ??
        into(action, 'agingDetails', 'toCarrierServicePlanCode'),
      '',
    ),
  };
}

function readShare(share: unknown, empty: Draft): Partial<Draft> {
  const pool = at(share, 'accountGroupSharePool');
  const rule = pool ?? at(share, 'accountGroupShareIndividual');
  const action = at(rule, 'action');
  const verb = choice(into(rule, 'condition', 'action'), ['suspend', 'changePricePlan'], 'notify');
  const change = at(action, 'changePlan');
  const settings = at(action, verb === 'suspend' ? 'suspend' : 'notify');
  return {
    kind: pool === undefined || pool === null ? 'shareLines' : 'sharePool',
    groupId: textOr(into(rule, 'filterCriteria', 'ratePlanGroupId'), ''),
    action: verb === 'changePricePlan' ? 'changePlan' : verb === 'suspend' ? 'suspend' : 'notify',
    rows: rowsOf(listAt(settings, 'threshold').concat(listAt(change, 'sharePlan'))),
    percentages: readPercentages(...listAt(settings, 'threshold').map((entry) => at(entry, 'percentage'))),
    ...readSuspension(settings, empty),
    triggerDate: readDate(change),
    above: readMoves(at(change, 'changePlanGT')),
    below: readMoves(at(change, 'changePlanLT')),
  };
}

const readNotification = (given: unknown): Partial<Draft> => ({
  notificationType: choice(at(given, 'notificationType'), ['DailySummary'], 'PerEvent'),
  callback: isTrue(at(given, 'callback')),
  severity: choice(at(given, 'severity'), ['Minor', 'Major', 'Critical'], 'Notice'),
  email: isTrue(at(given, 'emailNotification')),
  groupName: textOr(at(given, 'notificationGroupName'), ''),
  recipients: textOr(at(given, 'externalEmailRecipients'), ''),
  sms: isTrue(at(given, 'smsNotification')),
  smsNumbers: listAt(given, 'smsNumbers')
    .map((entry) => `${textOr(at(entry, 'number'), '')} ${textOr(at(entry, 'carrier'), '')}`.trim())
    .filter((line) => line !== '')
    .join('\n'),
  reminder: isTrue(at(given, 'reminder')),
  reminders: textOr(at(given, 'notificationFrequencyFactor') ?? at(given, 'notificationFequencyFactor'), '1'),
  interval: choice(at(given, 'notificationFrequencyInterval'), ['Hourly', 'Weekly'], 'Daily'),
});

/** Converts a trigger, from any client, to the fields of the form. */
export function draftOf(trigger: PricePlanTrigger): Draft {
  const empty = newDraft('');
  const share = at(trigger.pricePlanTrigger, 'accountGroupShare');
  return {
    ...empty,
    triggerName: trigger.triggerName,
    active: trigger.active,
    ...(share === undefined
      ? readPayAsYouGo(at(trigger.pricePlanTrigger, 'payAsYouGo'), empty)
      : readShare(share, empty)),
    ...readNotification(trigger.notification),
  };
}
