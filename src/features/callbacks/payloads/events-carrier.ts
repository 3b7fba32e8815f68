import * as alerts from './alerts.ts';
import * as carrier from './carrier.ts';
import type { CallbackEvent } from './event.ts';
import * as sample from './sample-values.ts';

const SUSPENSION = {
  resumesAt: sample.RESUMES,
  maxSuspendDaysAllowed: 90,
  numDaysSuspendedLast12Months: 12,
  numDaysSuspendAllowedCurrent12Months: 168,
};

/** Results of requests that change a line. */
export const carrierEvents = {
  planChange: {
    serviceName: 'CarrierService',
    summary: 'A device has another service plan.',
    schema: carrier.PlanChangePayload,
    sample: carrier.planChanged(sample.REQUEST, { effectiveAt: sample.MOMENT }),
  },
  activate: {
    serviceName: 'CarrierService',
    summary: 'A device is active.',
    schema: carrier.ActivatePayload,
    sample: carrier.activated(sample.REQUEST, {
      deviceIds: sample.LINE,
      ipAddress: '10.20.30.40',
      servicePlan: sample.PLAN,
      featureCodes: ['DATA', 'SMS'],
      deviceCredential: { username: '5125550147@linekeeper', password: 'made-up-for-this-line' },
    }),
  },
  suspend: {
    serviceName: 'CarrierService',
    summary: 'A device is suspended.',
    schema: carrier.SuspendPayload,
    sample: carrier.suspended(sample.REQUEST, SUSPENSION),
  },
  restore: {
    serviceName: 'CarrierService',
    summary: 'A suspended device is active again.',
    schema: carrier.RestorePayload,
    sample: carrier.restored(sample.REQUEST),
  },
  deactivate: {
    serviceName: 'CarrierService',
    summary: 'A device is deactivated.',
    schema: carrier.DeactivatePayload,
    sample: carrier.deactivated(sample.REQUEST),
  },
  license: {
    serviceName: 'CarrierService',
    summary: 'A licence was assigned to a device or taken from it.',
    schema: carrier.LicensePayload,
    sample: carrier.licenseChanged(sample.REQUEST, { skuNumber: 'SIMSec-IoT', action: 'assign' }),
  },
} as const satisfies Record<string, CallbackEvent>;

/** Sent when a condition is met that the account has set. */
export const alertEvents = {
  payAsYouGoAlert: {
    serviceName: 'AlertService',
    summary: 'Usage on a pay-as-you-go plan has met the condition of a trigger.',
    schema: alerts.PayAsYouGoPayload,
    sample: alerts.payAsYouGoAlert(sample.TRIGGER, {
      accountName: sample.ACCOUNT,
      carrierServicePlanCode: sample.PLAN,
      servicePlanDescription: '5 MB',
      deviceIds: [sample.IMEI, sample.MSISDN, sample.MDN],
      triggerValue: 4_403,
      cycleType: 'Daily',
      threshold: 4,
      thresholdUnit: 'MB',
    }),
  },
  accountGroupShareAlert: {
    serviceName: 'AlertService',
    summary: 'Usage in an account group share has met the condition of a trigger.',
    schema: alerts.AccountGroupSharePayload,
    sample: alerts.accountGroupShareAlert(
      { ...sample.TRIGGER, triggerName: 'Pool above 100 %', message: 'The pool is used to 104 %.' },
      {
        accountName: sample.ACCOUNT,
        servicePlanGroupId: 101,
        allowance: 1_073_741_824,
        action: {
          changePlan: {
            changePlanAutomation: 'customerAutomation',
            moreThan100Percentage: {
              effectiveDate: sample.MOMENT.toISOString(),
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
            },
          },
        },
      },
    ),
  },
  sensorRuleAlert: {
    serviceName: 'AlertService',
    summary: 'A rule on sensor readings is met, or no longer met.',
    schema: alerts.SensorRulePayload,
    sample: alerts.sensorRuleAlert(sample.REQUEST_ID, {
      ruleId: sample.RULE_ID,
      ruleName: 'Too warm',
      deviceid: sample.DEVICE_UUID,
      state: 'raised',
      reading: { temperature: 8.4 },
      message: 'temperature 8.4 is above 8.',
    }),
  },
} as const satisfies Record<string, CallbackEvent>;
