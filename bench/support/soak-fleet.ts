import { ACCOUNT, SMALL_FLEET } from '../../test/support/fleet.ts';

export const PLANS = ['P-5MB', 'P-50MB'];
/** Lines that are fed, suspended and restored from the first minute to the last. */
export const STEADY_LINES = 5_000;
/** A line changes its plan four times a month at most, and crosses a threshold once: each minute has its own. */
export const LINES_A_MINUTE = 60;
/** Far above what ordinary records of the steady lines add up to. */
const THRESHOLD_MB = 100_000;
export const BYTES_THAT_CROSS = 2 * THRESHOLD_MB * 1_048_576;
/** Raises an alert of a line with a rule whose last reading was below. */
export const TOO_WARM = 45;
export const hasRule = (n: number): boolean => n < STEADY_LINES && n % 50 === 0;

export const imeiOf = (n: number): string => String(990_000_100_000_000 + n);

/** The n-th line that crosses or changes its plan, behind the steady ones. */
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

/** One account with as many lines as the run spends, rules on some of them, a trigger, and listeners for all of it. */
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
