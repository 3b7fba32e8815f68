import type { LineAction, PoolMoves, Rule, Sends, Suspension, Usage } from '../case.ts';
import { iso } from '../outcome.ts';
import { GROUP, type Names, OWN } from './names.ts';

const suspension = ({ duration, withBilling }: Suspension) => ({
  suspendDuration: duration,
  suspendOption: withBilling ? 'WithBilling' : 'WithoutBilling',
});

const flags = (percents: readonly number[]) =>
  Object.fromEntries(percents.map((percent) => [`percentage${percent}`, true]));

function lineAction(action: LineAction, accounts: (list: readonly number[]) => string[]): object {
  if (action.type === 'notify') return {};
  if (action.type === 'move')
    return { changePlan: true, changePlanDetails: { toCarrierServicePlanCode: action.to } };
  return {
    suspend: true,
    suspendDetails: { ...suspension(action), suspendFromAccounts: accounts(action.from) },
  };
}

type OfAccounts = Extract<Rule, { accounts: readonly number[] }>;

function payAsYouGo(rule: OfAccounts, accounts: (list: readonly number[]) => string[]) {
  const filterCriteria = { carrierServicePlanCode: rule.plan, accountNameList: accounts(rule.accounts) };
  switch (rule.kind) {
    case 'line':
    case 'account': {
      const { value: threshold, unit: thresholdUnit } = rule.than;
      const compared = { comparator: rule.cmp, threshold, thresholdUnit, cycleType: rule.cycle };
      if (rule.kind === 'line')
        return {
          filterCriteria,
          condition: { conditionType: 'Individual', ...compared },
          action: lineAction(rule.action, accounts),
        };
      const condition = {
        conditionType: 'AccountLevel',
        separateOrCombined: rule.combined ? 'Combined' : 'Separate',
        ...compared,
      };
      const { suspend } = rule;
      if (suspend === undefined) return { filterCriteria, condition, action: {} };
      const than = { threshold: suspend.than.value, thresholdUnit: suspend.than.unit };
      const suspendDetails = {
        ...suspension(suspend),
        ...than,
        suspendFromAccounts: accounts(suspend.from),
      };
      return { filterCriteria, condition, action: { suspend: true, suspendDetails } };
    }
    case 'allowance': {
      const condition = { conditionType: 'UsageAllowance', ...flags(rule.percents) };
      const { suspend } = rule;
      const action = suspend === undefined ? {} : lineAction({ type: 'suspend', ...suspend }, accounts);
      return { filterCriteria, condition, action };
    }
    case 'aging': {
      const { action } = rule;
      const agingDetails = {
        onNumberOfBillCycle: rule.cycles,
        ...(action.type === 'move' && { toCarrierServicePlanCode: action.to }),
      };
      const done = action.type === 'move' ? { changePlan: true } : lineAction(action, accounts);
      return { filterCriteria, condition: { conditionType: 'Aging' }, action: { ...done, agingDetails } };
    }
  }
}

const poolMoves = ({ moves, buffer, backDate }: PoolMoves) => ({
  changePlan: moves.map(({ from, to }) => ({ fromCarrierCode: from, toCarrierCode: to })),
  dataPoolOverageBuffer: buffer,
  triggerDate: backDate ? 'BackDate' : 'CurrentDate',
});

function groupShare(
  rule: Exclude<Rule, OfAccounts>,
): readonly [variant: string, action: string, what: object] {
  const alertType = 'individualpriceplan';
  switch (rule.kind) {
    case 'shareNotify': {
      const threshold = rule.of.map(({ plan, percents }) => ({
        carrierCode: plan,
        percentage: flags(percents),
      }));
      return ['accountGroupShareIndividual', 'notify', { notify: { alertType, threshold } }];
    }
    case 'shareSuspend': {
      const threshold = rule.of.map(({ plan, percent }) => ({ carrierCode: plan, usagePercentage: percent }));
      return [
        'accountGroupShareIndividual',
        'suspend',
        { suspend: { ...suspension(rule), alertType, threshold } },
      ];
    }
    case 'shareMove': {
      const sharePlan = rule.of.map(({ from, to, percent }) => ({
        fromCarrierCode: from,
        toCarrierCode: to,
        criteriaPercentage: percent,
      }));
      const changePlan = { sharePlan, ...(rule.backDate && { triggerDate: 'BackDate' }) };
      return ['accountGroupShareIndividual', 'changePricePlan', { changePlan }];
    }
    case 'poolNotify':
      return [
        'accountGroupSharePool',
        'notify',
        { notify: { threshold: [{ percentage: flags(rule.percents) }] } },
      ];
    case 'poolMove': {
      const { above, below } = rule;
      const changePlan = {
        ...(above && { changePlanGT: poolMoves(above) }),
        ...(below && { changePlanLT: poolMoves(below) }),
      };
      return ['accountGroupSharePool', 'changePricePlan', { automation: 'customerAutomation', changePlan }];
    }
  }
}

/** `notification` of the interface. */
export const toWireNotification = (callback: boolean, { mail, sms, group, daily, reminders }: Sends) => ({
  notificationType: daily ? 'DailySummary' : 'PerEvent',
  callback,
  ...(mail && { emailNotification: true, externalEmailRecipients: OWN.mail }),
  ...(sms && { smsNotification: true, smsNumbers: [{ number: OWN.phone, carrier: 'any' }] }),
  ...(group && { notificationGroupName: GROUP.name }),
  ...(reminders && {
    reminder: true,
    notificationFrequencyFactor: reminders.count,
    notificationFrequencyInterval: reminders.every,
  }),
});

/** `pricePlanTrigger` of the interface. */
export function toWireRule(rule: Rule, names: Names): object {
  if ('accounts' in rule)
    return { payAsYouGo: payAsYouGo(rule, (list) => list.map((account) => names.account(account))) };
  const [variant, action, what] = groupShare(rule);
  const filterCriteria = { ratePlanGroupId: names.group };
  return { accountGroupShare: { [variant]: { filterCriteria, condition: { action }, action: what } } };
}

/** As text: a charge has more digits than a number keeps. */
export const toWireRecord = (usage: Usage, names: Names): string => {
  const { id, line, at, bytes, apn, ratingGroup, country: countryCode, charge, fota } = usage;
  const fields = {
    id,
    kind: 'imei',
    device: names.imei(line),
    at: iso(at),
    bytes,
    apn,
    ratingGroup,
    countryCode,
  };
  const text = JSON.stringify({ ...fields, ...(fota && { serviceName: 'fota' }) });
  return charge === undefined ? text : `${text.slice(0, -1)},"chargeAmount":${charge}}`;
};
