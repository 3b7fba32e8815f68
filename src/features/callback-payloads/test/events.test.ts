import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { payAsYouGoAlert, TRIGGER } from '../alerts.ts';
import { suspended } from '../carrier.ts';
import { payloadText } from '../envelope.ts';
import { REQUEST } from '../event.ts';
import { ANSWERING_SERVICES, EVENT_NAMES, EVENTS, type EventName, eventsOf, FAILURE } from '../events.ts';
import { suspensionStatus } from '../notices.ts';
import { LISTENER_SERVICES } from '../service-names.ts';
import { billingSummary } from '../usage.ts';

const ajv = new Ajv({ allErrors: true, strict: true });
const sent = (payload: object) => JSON.parse(payloadText(payload)) as object;

/** Every member as a path, lists and their indices as []. */
function members(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => members(item, `${at}[]`));
  if (typeof value !== 'object' || value === null) return [at];
  const inner = Object.entries(value).flatMap(([name, member]) =>
    members(member, at === '' ? name : `${at}.${name}`),
  );
  return inner.length === 0 ? [at] : inner;
}
const membersOf = (payload: object) => [...new Set(members(sent(payload)))];

const IDS = ['deviceIds[].id', 'deviceIds[].kind'];
const under = (path: string, names: string) => names.split(' ').map((name) => `${path}.${name}`);
const common = (...response: readonly string[]) => ['requestId', ...IDS, ...response, 'status'];

/** As the interface and the rulings have them, without credentials and counts. */
const DOCUMENTED: Partial<Record<EventName, readonly string[]>> = {
  planChange: common('deviceResponse.changeServicePlanResponse.effectiveDate'),
  activate: common(
    ...under(
      'deviceResponse.activateResponse',
      'deviceIds[].id deviceIds[].kind ipAddress state servicePlan featureCodes[] deviceCredential.username deviceCredential.password',
    ),
  ),
  suspend: [
    ...common(
      ...under(
        'deviceResponse.suspendResponse',
        'expectedResumeDate maxSuspendDaysAllowed numDaysSuspendedLast12Months numDaysSuspendAllowedCurrent12Months',
      ),
    ),
    'comment',
  ],
  restore: common('deviceResponse.restoreResponse.restored'),
  deactivate: common('deviceResponse.deactivateResponse.deactivated'),
  license: common(...under('deviceResponse.licenseResponse', 'skuNumber action assigned')),
  payAsYouGoAlert: [
    'requestId',
    ...under(
      'deviceResponse.alertServiceResponse',
      'triggerId triggerName triggerCategory accountName payAsYouGo.carrierServicePlanCode payAsYouGo.servicePlanDescription payAsYouGo.deviceIds[].id payAsYouGo.deviceIds[].kind payAsYouGo.triggerDateTime payAsYouGo.triggerValue payAsYouGo.cycleType payAsYouGo.threshold payAsYouGo.thresholdUnit payAsYouGo.thresholdUnits payAsYouGo.message',
    ),
  ],
  accountGroupShareAlert: [
    'requestId',
    ...under(
      'deviceResponse.alertServiceResponse',
      'triggerId triggerName triggerCategory accountName triggerDateTime message accountGroupShare.servicePlanGroupId accountGroupShare.allowance accountGroupShare.action.changePlan.changePlanAutomation',
    ),
    ...under(
      'deviceResponse.alertServiceResponse.accountGroupShare.action.changePlan.moreThan100Percentage',
      'effectiveDate bufferReduced devicePerPricePlan[].deviceCount devicePerPricePlan[].fromCarrierServicePlanCode devicePerPricePlan[].fromServicePlanDescription devicePerPricePlan[].toCarrierServicePlanCode devicePerPricePlan[].toServicePlanDescription',
    ),
  ],
  sensorRuleAlert: [
    'requestId',
    ...under(
      'deviceResponse.alertServiceResponse',
      'ruleId ruleName deviceid state reading.temperature message',
    ),
  ],
  consentReport: [
    'appName',
    'addressScheme',
    ...under(
      'message',
      'accountName transactionID reportType status allDeviceConsent deviceList[].id deviceList[].kind deviceList[].mdn deviceList[].consent',
    ),
  ],
  consentFailure:
    'accountName transactionID reportType status allDeviceConsent deviceList[].id deviceList[].kind deviceList[].mdn deviceList[].consent deviceList[].error.info deviceList[].error.type'.split(
      ' ',
    ),
  deviceLocation: [
    'appName',
    'addressScheme',
    ...under(
      'message',
      'accountName transactionID reportType status deviceList[].msid deviceList[].pd.x deviceList[].pd.y deviceList[].pd.radius deviceList[].pd.qos deviceList[].pd.time deviceList[].error',
    ),
  ],
  deviceLocationFailure:
    'accountName transactionID reportType status deviceList[].msid deviceList[].pd deviceList[].error.type deviceList[].error.info deviceList[].error.time'.split(
      ' ',
    ),
  locationReportCompleted: ['accountName', 'txid', 'status', 'totalCount'],
  usageTriggerFired: [
    'accountName',
    ...under(
      'trigger',
      'triggerId triggerName accountName serviceName thresholdValue allowExcess sendSmsNotification smsPhoneNumbers sendEmailNotification emailAddresses createDate updateDate',
    ),
    ...under('usage', 'used allowed percent month'),
  ],
  throttle: ['accountName', ...IDS, 'servicePlan', 'throttle', 'percent'],
  prlInformation: common('deviceResponse.prlInformationResponse.prlVersion'),
  smsDelivery: common('deviceResponse.smsDeliveryResponse.confirmation'),
  deviceMessage: ['requestId', ...IDS, 'smsMessage', 'status'],
};

describe('callback events', () => {
  for (const name of EVENT_NAMES) {
    // proves 6.1/DevicePRLInformation 6.1/DeviceProfileService 6.1/DeviceService 6.1/DiagnosticsService
    // proves 6.1/EnhancedConnectivityService 6.1/IntelligenceService 6.1/NiddService 6.1/PromoChanges
    // proves 6.1/SMSDeliveryConfirmation 6.1/StateService
    it(`${name}: has a valid sample, and a schema that allows no other members`, () => {
      const { schema, sample, summary } = EVENTS[name];
      const validate = ajv.compile(schema);
      assert.ok(validate(sent(sample)), JSON.stringify(validate.errors));
      assert.ok(!validate({ ...sent(sample), callbackCount: 1 }));
      assert.match(summary, /^[A-Z].*\.$/);
    });
  }

  for (const [name, documented] of Object.entries(DOCUMENTED)) {
    // proves 6.3/plan-change 6.3/activate 6.3/suspend 6.3/restore 6.3/pay-as-you-go-fired 6.3/group-share-fired
    // proves 6.3/consent-report callbacks/undescribed-payloads price-plan-triggers/values
    it(`${name}: has exactly the documented members`, () =>
      assert.deepEqual(membersOf(EVENTS[name as EventName].sample), documented));
  }

  // proves callbacks/undescribed-payloads
  it('exist for every service that can have a listener, with a failure for those that answer', () => {
    for (const service of LISTENER_SERVICES) assert.notDeepEqual(eventsOf(service), [], service);
    assert.ok(ajv.compile(FAILURE.schema)(sent(FAILURE.sample)));
    for (const service of ANSWERING_SERVICES) assert.ok(LISTENER_SERVICES.includes(service));
  });

  // proves 6.3/pay-as-you-go-fired
  it('spell kinds and cycles of alerts in capitals and times as ISO', () => {
    const { payAsYouGo } = payAsYouGoAlert(TRIGGER, {
      accountName: '0000123456-00001',
      carrierServicePlanCode: 'P',
      servicePlanDescription: 'P',
      deviceIds: [{ id: '353238063280152', kind: 'Imei' }],
      triggerValue: 5,
      cycleType: 'Weekly',
      threshold: 4,
      thresholdUnit: 'GB',
    }).deviceResponse.alertServiceResponse;
    assert.deepEqual(
      [payAsYouGo.deviceIds[0]?.kind, payAsYouGo.cycleType, payAsYouGo.triggerDateTime],
      ['IMEI', 'WEEKLY', '2026-03-04T15:16:17.000Z'],
    );
  });

  // proves callbacks/undescribed-payloads
  it('have suspension dates in the account’s time zone, or only counts', () => {
    const counts = {
      maxSuspendDaysAllowed: 90,
      numDaysSuspendedLast12Months: 1,
      numDaysSuspendAllowedCurrent12Months: 179,
    };
    const days = { ...counts, resumesAt: new Date('2026-04-01T02:00:00Z'), timeZone: 'America/Chicago' };
    assert.deepEqual(suspended(REQUEST, days).deviceResponse.suspendResponse, {
      expectedResumeDate: '03/31/2026',
      ...counts,
    });
    const active = suspensionStatus(REQUEST, { state: 'active', ...counts });
    assert.deepEqual(active.deviceResponse, { suspensionStatusResponse: { state: 'active', ...counts } });
    assert.ok(ajv.compile(EVENTS.suspensionStatus.schema)(sent(active)));
  });

  // proves 2.11/deviceIdentifier 6.3/billing-data-summary
  it('have usage by APN or by rating group in a billing summary, with device and label if they were named', () => {
    const month = { year: 2026, month: 2 };
    const sums = {
      accountName: '0000123456-00001',
      totalBilledAmount: 0,
      totalBilledUsage: 0,
      totalUsage: 0,
      billingCycle: { from: month, to: month },
    };
    const label = { name: 'VIN', value: '1' };
    const details = { countryCode: 'USA', totalChargeAmount: 0, totalBilledUsage: 0, totalUsage: 0 };
    const usageApns = [
      {
        billedAmount: 0,
        billedUsage: 0,
        totalUsage: 0,
        name: 'iot.apn',
        pageNumber: 1,
        apnDetails: { totalDelayedUsageDetails: [details], totalUsageDetails: [details] },
      },
    ];
    const payload = billingSummary({ requestId: 'r-1' }, { ...sums, label, usageApns });
    assert.deepEqual(payload.deviceResponse.billingUsageSummary, {
      ...sums,
      label,
      unitOfMeasure: 'BYTES',
      usageApns,
    });
    assert.deepEqual(Object.keys(payload), ['requestId', 'deviceResponse', 'status']);
    assert.ok(ajv.compile(EVENTS.billingSummary.schema)(sent(payload)));
  });
});
