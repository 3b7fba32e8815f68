import { ACCOUNT, SMALL_FLEET } from '../../test/support/fleet.ts';

export const PLANS = ['P-5MB', 'P-50MB'];
/** Lines that are fed, suspended and restored throughout the run. */
export const STEADY_LINES = 5_000;
/** Each minute uses new lines, because a line may change its plan only four times a month, and crosses a threshold once. */
export const LINES_A_MINUTE = 60;
/** Far above the sum of the ordinary records of the steady lines. */
const THRESHOLD_MB = 100_000;
export const BYTES_THAT_CROSS = 2 * THRESHOLD_MB * 1_048_576;
/** Raises an alert for a line with a rule whose previous reading was below the limit. */
export const TOO_WARM = 45;
export const hasRule = (n: number): boolean => n < STEADY_LINES && n % 50 === 0;

export const imeiOf = (n: number): string => String(990_000_100_000_000 + n);

/** The n-th line that crosses a threshold or changes its plan, numbered after the steady ones. */
export const spentLine = (n: number, kind: 'crosses' | 'changes'): string =>
  imeiOf(STEADY_LINES + 2 * n + (kind === 'crosses' ? 0 : 1));

const trigger = {
  triggerName: 'suspends lines',
  ecpdId: '9000001',
  pricePlanTrigger: {
    payAsYouGo: {
      filterCriteria: { carrierServicePlanCode: PLANS[0], accountNameList: [ACCOUNT] },
      condition: {
        conditionType: 'Individual',
        comparator: 'gt',
        threshold: THRESHOLD_MB,
        thresholdUnit: 'MB',
        cycleType: 'Monthly',
      },
      action: { suspend: true, suspendDetails: { suspendDuration: '30', suspendOption: 'WithBilling' } },
    },
  },
  notification: { notificationType: 'PerEvent', callback: true },
};

/** One account with all lines that the run needs, rules for some of them, a trigger, and listeners. */
export function soakFleet(minutes: number, listenerUrl: string) {
  const lines = Array.from({ length: STEADY_LINES + 2 * LINES_A_MINUTE * Math.ceil(minutes) }, (_, n) =>
    imeiOf(n),
  );
  return {
    lines,
    document: {
      ...SMALL_FLEET,
      plans: PLANS.map((code) => ({ code, name: code, kind: 'payAsYouGo', allowanceBytes: 5_242_880 })),
      devices: lines.map((imei) => ({ accountName: ACCOUNT, imei, servicePlan: PLANS[0] })),
      rules: lines
        .filter((_, n) => hasRule(n))
        .map((deviceImei) => ({
          accountName: ACCOUNT,
          deviceImei,
          name: 'too warm',
          rulesyntax: 'json',
          rulechain: { when: { field: 't', operator: 'gt', value: TOO_WARM - 10 } },
        })),
      listeners: ['AlertService', 'CarrierService', 'DeviceSuspensionStatus'].map((serviceName) => ({
        ...{ accountName: ACCOUNT, serviceName, username: 'u', password: 'p' },
        url: `${listenerUrl}/timed/${serviceName}`,
      })),
      pricePlanTriggers: [trigger],
    },
  };
}
