import { type Static, type TSchema, Type } from 'typebox';
import { Count, closed, DateTime, DeviceRefs, FreeForm, listOf, RequestId, Text } from './shapes.ts';

/** Nobody asked for an alert: it has no device and no status beside what it says. */
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
  /** Usage was moved to the plan, and none has come. */
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
        'Usage was moved to the plan by a change that begins in the past; absent where usage came, or a cycle ended',
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
  // Absent where the condition has none: a share of the allowance has no unit, time on the plan no cycle.
  cycleType: Type.Optional(Type.String({ pattern: '^[A-Z]+$', description: 'DAILY, WEEKLY or MONTHLY' })),
  threshold: Type.Optional(Type.Integer()),
  thresholdUnit: Type.Optional(Unit),
  // The interface's table spells it so, its body the other way: clients read either.
  thresholdUnits: Type.Optional(Unit),
  message: Text,
});

export const PayAsYouGoPayload = alertOf(closed({ ...Trigger, accountName: Text, payAsYouGo: PayAsYouGo }));

/** Kinds and the cycle may come in any letter case; they leave in capitals. */
export const payAsYouGoAlert = (
  fired: FiredTrigger,
  usage: Omit<Static<typeof PayAsYouGo>, 'triggerDateTime' | 'thresholdUnits' | 'message'> & {
    readonly accountName: string;
  },
): Static<typeof PayAsYouGoPayload> =>
  alert(fired.requestId, {
    ...trigger(fired),
    accountName: usage.accountName,
    payAsYouGo: {
      carrierServicePlanCode: usage.carrierServicePlanCode,
      servicePlanDescription: usage.servicePlanDescription,
      deviceIds: usage.deviceIds.map(({ id, kind }) => ({ id, kind: kind.toUpperCase() })),
      triggerDateTime: fired.firedAt.toISOString(),
      triggerValue: usage.triggerValue,
      ...(usage.cycleType !== undefined && { cycleType: usage.cycleType.toUpperCase() }),
      ...(usage.threshold !== undefined && { threshold: usage.threshold }),
      ...(usage.thresholdUnit !== undefined && {
        thresholdUnit: usage.thresholdUnit,
        thresholdUnits: usage.thresholdUnit,
      }),
      message: fired.message,
    },
  });

/** How devices are moved when the pool is below, or above, all of its allowance. */
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

/** What the devices of a pool were moved to. */
export type PlanMoves = Static<typeof Moves>;

const AccountGroupShare = closed({
  servicePlanGroupId: Type.Integer(),
  allowance: Type.Integer({ description: 'Of the pool, or of the line that it is about; in bytes' }),
  // Absent where it is about the whole pool.
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

export const AccountGroupSharePayload = alertOf(
  closed({
    ...Trigger,
    accountName: Text,
    triggerDateTime: DateTime,
    message: Text,
    accountGroupShare: AccountGroupShare,
  }),
);

/** `action` only where the trigger changes plans. */
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

export const SensorRulePayload = alertOf(SensorRule);

export const sensorRuleAlert = (
  requestId: string,
  { ruleId, ruleName, deviceid, state, reading, message }: Static<typeof SensorRule>,
): Static<typeof SensorRulePayload> =>
  alert(requestId, { ruleId, ruleName, deviceid, state, reading, message });
