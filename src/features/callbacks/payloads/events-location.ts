import * as reports from './consent-reports.ts';
import type { CallbackEvent } from './event.ts';
import * as locations from './locations.ts';
import * as sample from './sample-values.ts';
import * as usage from './usage.ts';

const REPORTED = { accountName: sample.ACCOUNT, transactionID: sample.REQUEST_ID };
const DEVICE = { id: sample.IMEI.id, kind: 'IMEI', mdn: sample.MDN.id, consent: 1 };

export const locationEvents = {
  consentReport: {
    serviceName: 'consentEnableReport',
    summary: 'Consent levels of devices were changed.',
    schema: reports.ConsentReportPayload,
    sample: reports.consentReport({ ...REPORTED, level: 1, deviceList: [DEVICE] }),
  },
  consentFailure: {
    serviceName: 'consentEnableReport',
    summary: 'Consent levels of devices could not be changed.',
    schema: reports.ConsentFailurePayload,
    sample: reports.consentFailure({
      ...REPORTED,
      level: 1,
      deviceList: [{ ...DEVICE, error: { info: 'The level could not be stored.', type: 'INTERNAL ERROR' } }],
    }),
  },
  deviceLocation: {
    serviceName: 'DeviceLocation',
    summary: 'A device was located.',
    schema: reports.DeviceLocationPayload,
    sample: reports.deviceLocated(REPORTED, {
      msid: sample.MDN.id,
      pd: { x: '32.9343', y: '-97.0781', radius: '300', qos: false, time: '20260304151617' },
    }),
  },
  deviceLocationFailure: {
    serviceName: 'DeviceLocation',
    summary: 'A device could not be located.',
    schema: reports.DeviceLocationFailurePayload,
    sample: reports.deviceNotLocated(REPORTED, {
      msid: sample.MDN.id,
      error: { type: 'ABSENT SUBSCRIBER', info: 'The device cannot be reached.', time: '20260304151617' },
    }),
  },
  locationReportCompleted: {
    serviceName: 'Location',
    summary: 'A location report can be read.',
    schema: locations.ReportCompletedPayload,
    sample: locations.reportCompleted({
      accountName: sample.ACCOUNT,
      txid: sample.REQUEST_ID,
      totalCount: 250,
    }),
  },
  usageTriggerFired: {
    serviceName: 'Location',
    summary: 'Use of a subscription has reached the percentage of a usage trigger.',
    schema: locations.UsageTriggerFiredPayload,
    sample: locations.usageTriggerFired({
      accountName: sample.ACCOUNT,
      trigger: {
        triggerId: sample.TRIGGER_ID,
        triggerName: 'Ninety percent',
        accountName: sample.ACCOUNT,
        serviceName: 'Location',
        thresholdValue: '90',
        allowExcess: true,
        sendSmsNotification: false,
        smsPhoneNumbers: '',
        sendEmailNotification: true,
        emailAddresses: 'fleet@example.com',
        createDate: '2026-01-15',
        updateDate: '2026-02-01',
      },
      usage: { used: 4_500, allowed: 5_000, percent: 90, month: '2026-03' },
    }),
  },
} as const satisfies Record<string, CallbackEvent>;

const MONTH = { year: 2026, month: 2 };

export const usageEvents = {
  billingSummary: {
    serviceName: 'DeviceUsage',
    summary: 'The billing data summary that was asked for.',
    schema: usage.BillingSummaryPayload,
    sample: usage.billingSummary(
      { requestId: sample.REQUEST_ID },
      {
        accountName: sample.ACCOUNT,
        deviceIdentifier: sample.ICCID,
        totalBilledAmount: 1.25,
        totalBilledUsage: 2_621_440,
        totalUsage: 3_145_728,
        billingCycle: { from: MONTH, to: MONTH },
        usageSegments: [
          {
            ratingGroup: '100',
            ratingGroupBilledAmount: 1.25,
            ratingGroupBilledUsage: 2_621_440,
            ratingGroupTotalUsage: 3_145_728,
            ratingGroupDetails: {
              totalDelayedUsageDetails: [],
              totalUsageDetails: [
                {
                  chargeAmount: 1.25,
                  totalBilledUsage: 2_621_440,
                  totalUsage: 3_145_728,
                  countryCode: 'USA',
                },
              ],
            },
          },
        ],
      },
    ),
  },
  aggregateUsage: {
    serviceName: 'DeviceUsage',
    summary: 'The total usage of devices that was asked for.',
    schema: usage.AggregateUsagePayload,
    sample: usage.aggregateUsage(sample.REQUEST, [
      { deviceIds: [sample.IMEI, sample.MDN], bytesUsed: 3_145_728, smsUsed: 4, servicePlan: sample.PLAN },
    ]),
  },
} as const satisfies Record<string, CallbackEvent>;
