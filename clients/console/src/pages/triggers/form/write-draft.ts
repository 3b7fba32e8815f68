import type { Content, PricePlanBody } from '../../../api/triggers.ts';
import { type Draft, type Moves, PERCENTAGES, type Percentages, type PlanRow } from './draft.ts';

/** Sends invalid numbers unchanged, so that the service explains the problem. */
const numberOf = (text: string): number | string =>
  text.trim() === '' || Number.isNaN(Number(text)) ? text.trim() : Number(text);
const flags = (percentages: Percentages): Content =>
  Object.fromEntries(PERCENTAGES.map((percent) => [`percentage${percent}`, percentages[percent]]));

const hasThreshold = ({ conditionType }: Draft): boolean =>
  conditionType === 'Individual' || conditionType === 'AccountLevel';

const conditionOf = (draft: Draft): Content => ({
  conditionType: draft.conditionType,
  ...(hasThreshold(draft) && {
    comparator: draft.comparator,
    threshold: numberOf(draft.threshold),
    thresholdUnit: draft.thresholdUnit,
    cycleType: draft.cycleType,
  }),
  ...(draft.conditionType === 'AccountLevel' && { separateOrCombined: draft.separateOrCombined }),
  ...(draft.conditionType === 'UsageAllowance' && flags(draft.percentages)),
});

const suspensionOf = ({ suspendDuration, suspendOption }: Draft): Content => ({
  suspendDuration,
  suspendOption,
});

function actionOf(draft: Draft): Content {
  const { action, conditionType, suspendFrom, suspendThreshold, suspendUnit, toPlan } = draft;
  const [suspend, changePlan, ages] = [
    action === 'suspend',
    action === 'changePlan',
    conditionType === 'Aging',
  ];
  const destination = changePlan ? { toCarrierServicePlanCode: toPlan.trim() } : {};
  return {
    suspend,
    changePlan,
    ...(suspend && {
      suspendDetails: {
        ...(suspendFrom.length > 0 && { suspendFromAccounts: suspendFrom }),
        ...suspensionOf(draft),
        ...(conditionType === 'AccountLevel' && {
          threshold: numberOf(suspendThreshold),
          thresholdUnit: suspendUnit,
        }),
      },
    }),
    ...(changePlan && !ages && { changePlanDetails: destination }),
    ...(ages && { agingDetails: { onNumberOfBillCycle: numberOf(draft.billCycles), ...destination } }),
  };
}

const ALERT = { alertType: 'individualpriceplan' };
const moveOf = ({ from, to }: PlanRow) => ({ fromCarrierCode: from.trim(), toCarrierCode: to.trim() });

function lineActionOf(draft: Draft): Content {
  const { action, rows, triggerDate } = draft;
  if (action === 'notify')
    return {
      notify: {
        ...ALERT,
        threshold: rows.map(({ from, percentages }) => ({
          carrierCode: from.trim(),
          percentage: flags(percentages),
        })),
      },
    };
  if (action === 'suspend')
    return {
      suspend: {
        ...suspensionOf(draft),
        ...ALERT,
        threshold: rows.map(({ from, percent }) => ({
          carrierCode: from.trim(),
          usagePercentage: numberOf(percent),
        })),
      },
    };
  const sharePlan = rows.map((row) => ({ ...moveOf(row), criteriaPercentage: numberOf(row.percent) }));
  return { changePlan: { sharePlan, triggerDate } };
}

const movesOf = ({ rows, buffer, date }: Moves): Content => ({
  changePlan: rows.map(moveOf),
  dataPoolOverageBuffer: numberOf(buffer),
  triggerDate: date,
});

function poolActionOf({ action, percentages, above, below }: Draft): Content {
  if (action === 'notify') return { notify: { threshold: [{ percentage: flags(percentages) }] } };
  return {
    automation: 'customerAutomation',
    changePlan: {
      ...(above.wanted && { changePlanGT: movesOf(above) }),
      ...(below.wanted && { changePlanLT: movesOf(below) }),
    },
  };
}

export function ruleOf(draft: Draft): Content {
  if (draft.kind === 'payAsYouGo')
    return {
      payAsYouGo: {
        filterCriteria: {
          carrierServicePlanCode: draft.plan.trim(),
          accountNameList: draft.accounts,
        },
        condition: conditionOf(draft),
        action: actionOf(draft),
      },
    };
  const pool = draft.kind === 'sharePool';
  return {
    accountGroupShare: {
      [pool ? 'accountGroupSharePool' : 'accountGroupShareIndividual']: {
        filterCriteria: { ratePlanGroupId: numberOf(draft.groupId) },
        condition: { action: draft.action === 'changePlan' ? 'changePricePlan' : draft.action },
        action: pool ? poolActionOf(draft) : lineActionOf(draft),
      },
    },
  };
}

const smsNumberOf = (line: string) => {
  const [number = '', ...carrier] = line.trim().split(/\s+/);
  return { number, carrier: carrier.join(' ') };
};

const notificationOf = (draft: Draft): Content => ({
  notificationType: draft.notificationType,
  callback: draft.callback,
  severity: draft.severity,
  emailNotification: draft.email,
  ...(draft.groupName !== '' && { notificationGroupName: draft.groupName }),
  ...(draft.email && draft.recipients.trim() !== '' && { externalEmailRecipients: draft.recipients.trim() }),
  smsNotification: draft.sms,
  smsNumbers: draft.sms
    ? draft.smsNumbers
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map(smsNumberOf)
    : [],
  reminder: draft.reminder,
  ...(draft.reminder && {
    notificationFrequencyFactor: numberOf(draft.reminders),
    notificationFrequencyInterval: draft.interval,
  }),
});

/** Sends only visible fields, and none of other conditions or actions. */
export const bodyOf = (draft: Draft): PricePlanBody => ({
  triggerName: draft.triggerName.trim(),
  active: draft.active,
  pricePlanTrigger: ruleOf(draft),
  notification: notificationOf(draft),
});
