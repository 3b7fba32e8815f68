import { type Static, type TSchema, Type } from 'typebox';
import {
  ACCOUNT,
  eventsOfService,
  IMEI,
  MDN,
  MOMENT,
  MSISDN,
  PLAN,
  REQUEST_ID,
  TRIGGER_ID,
} from './event.ts';
import { Count, closed, DateTime, DeviceRefs, FreeForm, listOf, only, RequestId, Text } from './shapes.ts';

/** An alert answers no request, so it has no device or status in its envelope. */
const alertOf = <R extends TSchema>(alertServiceResponse: R) =>
  closed({ requestId: RequestId, deviceResponse: closed({ alertServiceResponse }) });

const alert = <R>(requestId: string, alertServiceResponse: R) => ({
  requestId,
  deviceResponse: { alertServiceResponse },
});

export interface FiredTrigger {
  readonly requestId: string;
  readonly triggerId: string;
  readonly triggerName: string;
  readonly firedAt: Date;
  readonly message: string;
  /** Set if moved usage fired the trigger, instead of new usage. */
  readonly cause?: 'planChange';
}

const CATEGORY = 'PricePlanDataUsage';
const Trigger = {
  triggerId: Text,
  triggerName: Text,
  triggerCategory: Type.Enum([CATEGORY]),
  cause: Type.Optional(
    Type.Enum(['planChange'], {
      description:
        'A backdated plan change moved usage to the plan; absent if new usage arrived, or a cycle ended',
    }),
  ),
};

const trigger = ({ triggerId, triggerName, cause }: FiredTrigger) => ({
  triggerId,
  triggerName,
  triggerCategory: CATEGORY as typeof CATEGORY,
  ...(cause !== undefined && { cause }),
});

const Unit = Type.Enum(['KB', 'MB', 'GB', 'TB']);

const PayAsYouGo = closed({
  carrierServicePlanCode: Text,
  servicePlanDescription: Text,
  deviceIds: DeviceRefs,
  triggerDateTime: DateTime,
  triggerValue: Type.Integer({ description: 'Usage, or percent of the allowance, at which it fired' }),
  // Absent if the condition has none: a share of the allowance has no unit, and time on the plan has no cycle.
  cycleType: Type.Optional(Type.String({ pattern: '^[A-Z]+$', description: 'DAILY, WEEKLY or MONTHLY' })),
  threshold: Type.Optional(Type.Integer()),
  thresholdUnit: Type.Optional(Unit),
  // The interface spells it this way in its table and the other way in its body: clients may read either.
  thresholdUnits: Type.Optional(Unit),
  message: Text,
});

const PayAsYouGoPayload = alertOf(closed({ ...Trigger, accountName: Text, payAsYouGo: PayAsYouGo }));

/** Kinds and the cycle may be in any letter case; the alert has them in capitals. */
export const payAsYouGoAlert = (
  fired: FiredTrigger,
  usage: Omit<Static<typeof PayAsYouGo>, 'triggerDateTime' | 'thresholdUnits' | 'message'> & {
    readonly accountName: string;
  },
): Static<typeof PayAsYouGoPayload> =>
  alert(fired.requestId, {
    ...trigger(fired),
    accountName: usage.accountName,
    payAsYouGo: only(PayAsYouGo, {
      ...usage,
      deviceIds: usage.deviceIds.map(({ id, kind }) => ({ id, kind: kind.toUpperCase() })),
      triggerDateTime: fired.firedAt.toISOString(),
      cycleType: usage.cycleType?.toUpperCase(),
      thresholdUnits: usage.thresholdUnit,
      message: fired.message,
    }),
  });

/** How devices are moved when the pool is below, or above, its whole allowance. */
const Moves = closed({
  effectiveDate: Text,
  bufferReduced: Type.Integer(),
  devicePerPricePlan: listOf(
    closed({
      deviceCount: Count,
      fromCarrierServicePlanCode: Text,
      fromServicePlanDescription: Text,
      toCarrierServicePlanCode: Text,
      toServicePlanDescription: Text,
    }),
  ),
});

/** The moves of the devices of a pool. */
export type PlanMoves = Static<typeof Moves>;

const AccountGroupShare = closed({
  servicePlanGroupId: Type.Integer(),
  allowance: Type.Integer({
    description: 'The allowance in bytes of the pool, or of the line that the alert is about',
  }),
  // Absent if the alert is about the whole pool.
  deviceIds: Type.Optional(DeviceRefs),
  action: Type.Optional(
    closed({
      changePlan: closed({
        changePlanAutomation: Text,
        lessThan100Percentage: Type.Optional(Moves),
        moreThan100Percentage: Type.Optional(Moves),
      }),
    }),
  ),
});

const AccountGroupSharePayload = alertOf(
  closed({
    ...Trigger,
    accountName: Text,
    triggerDateTime: DateTime,
    message: Text,
    accountGroupShare: AccountGroupShare,
  }),
);

/** Give `action` only if the trigger changes plans. */
export const accountGroupShareAlert = (
  fired: FiredTrigger,
  { accountName, ...accountGroupShare }: Static<typeof AccountGroupShare> & { readonly accountName: string },
): Static<typeof AccountGroupSharePayload> =>
  alert(fired.requestId, {
    ...trigger(fired),
    accountName,
    triggerDateTime: fired.firedAt.toISOString(),
    message: fired.message,
    accountGroupShare,
  });

const SensorRule = closed({
  ruleId: Text,
  ruleName: Text,
  deviceid: Text,
  state: Type.Enum(['raised', 'cleared']),
  reading: FreeForm,
  message: Text,
});

const SensorRulePayload = alertOf(SensorRule);

export const sensorRuleAlert = (
  requestId: string,
  rule: Static<typeof SensorRule>,
): Static<typeof SensorRulePayload> => alert(requestId, only(SensorRule, rule));

export const TRIGGER: FiredTrigger = {
  requestId: REQUEST_ID,
  triggerId: TRIGGER_ID,
  triggerName: 'Pilot lines over 4 MB',
  firedAt: MOMENT,
  message: 'Usage of 4.2 MB is above 4 MB.',
};
const MOVED: PlanMoves = {
  effectiveDate: MOMENT.toISOString(),
  bufferReduced: 42_949_673,
  devicePerPricePlan: [
    {
      deviceCount: 3,
      fromCarrierServicePlanCode: 'S-1GB',
      fromServicePlanDescription: 'Share 1 GB',
      toCarrierServicePlanCode: 'S-2GB',
      toServicePlanDescription: 'Share 2 GB',
    },
  ],
};

const alerts = eventsOfService('AlertService');

/** Sent when a condition that the account has set is met. */
export const alertEvents = {
  payAsYouGoAlert: alerts(
    'Usage on a pay-as-you-go plan has met the condition of a trigger.',
    PayAsYouGoPayload,
    payAsYouGoAlert(TRIGGER, {
      accountName: ACCOUNT,
      carrierServicePlanCode: PLAN,
      servicePlanDescription: '5 MB',
      deviceIds: [IMEI, MSISDN, MDN],
      triggerValue: 4_403,
      cycleType: 'Daily',
      threshold: 4,
      thresholdUnit: 'MB',
    }),
  ),
  accountGroupShareAlert: alerts(
    'Usage in an account group share has met the condition of a trigger.',
    AccountGroupSharePayload,
    accountGroupShareAlert(
      { ...TRIGGER, triggerName: 'Pool above 100 %', message: 'The pool is used to 104 %.' },
      {
        accountName: ACCOUNT,
        servicePlanGroupId: 101,
        allowance: 1_073_741_824,
        action: {
          changePlan: { changePlanAutomation: 'customerAutomation', moreThan100Percentage: MOVED },
        },
      },
    ),
  ),
  sensorRuleAlert: alerts(
    'A rule on sensor readings is met, or no longer met.',
    SensorRulePayload,
    sensorRuleAlert(REQUEST_ID, {
      ruleId: '0d8f4a26-71c3-4be9-a2f5-6c19e7b3d850',
      ruleName: 'Too warm',
      deviceid: 'e1a9d3f7-6b24-4c80-b5d1-93c2f8a07e64',
      state: 'raised',
      reading: { temperature: 8.4 },
      message: 'temperature 8.4 is above 8.',
    }),
  ),
};
