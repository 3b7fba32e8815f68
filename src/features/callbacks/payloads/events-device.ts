import { FreeFormPayload, succeeded } from './envelope.ts';
import type { CallbackEvent } from './event.ts';
import * as messages from './messages.ts';
import * as notices from './notices.ts';
import * as sample from './sample-values.ts';

const LINE = { ...sample.REQUEST, accountName: sample.ACCOUNT };

export const noticeEvents = {
  throttle: {
    serviceName: 'SubscriptionNotificationService',
    summary: 'Data of a device will be throttled, in part or completely.',
    schema: notices.ThrottlePayload,
    sample: notices.throttleNotice({
      accountName: sample.ACCOUNT,
      deviceIds: [sample.IMEI, sample.MDN],
      servicePlan: sample.PLAN,
      throttle: 'partial',
      percent: 100,
    }),
  },
  suspensionStatus: {
    serviceName: 'DeviceSuspensionStatus',
    summary: 'How long a device is and was suspended.',
    schema: notices.SuspensionStatusPayload,
    sample: notices.suspensionStatus(sample.REQUEST, {
      state: 'suspend',
      suspendedAt: sample.MOMENT,
      resumesAt: sample.RESUMES,
      maxSuspendDaysAllowed: 90,
      numDaysSuspendedLast12Months: 12,
      numDaysSuspendAllowedCurrent12Months: 168,
    }),
  },
  resumeNotice: {
    serviceName: 'ResumeTrackingNotification',
    summary: 'A suspended device will become active by itself.',
    schema: notices.ResumeNoticePayload,
    sample: notices.resumeNotice(sample.REQUEST, { resumesAt: sample.RESUMES }),
  },
  provisioningChange: {
    serviceName: 'ExternalProvisioningChanges',
    summary: 'A device was changed outside the interface.',
    schema: notices.ProvisioningChangePayload,
    sample: notices.provisioningChanged(sample.REQUEST, {
      source: 'operator',
      change: 'Change Service Plan',
      accountName: sample.ACCOUNT,
      carrierInformation: { carrierName: 'Linekeeper', servicePlan: sample.BIGGER_PLAN, state: 'active' },
    }),
  },
} as const satisfies Record<string, CallbackEvent>;

export const messageEvents = {
  prlInformation: {
    serviceName: 'DevicePRLInformation',
    summary: 'The preferred roaming list of a device.',
    schema: messages.PrlPayload,
    sample: messages.prlInformation(sample.REQUEST, { prlVersion: '15433' }),
  },
  smsDelivery: {
    serviceName: 'SMSDeliveryConfirmation',
    summary: 'A device has acknowledged an SMS.',
    schema: messages.SmsDeliveryPayload,
    sample: messages.smsDelivered(sample.REQUEST, { confirmation: 'Message has been received.' }),
  },
  deviceMessage: {
    serviceName: 'EnhancedConnectivityService',
    summary: 'A device has sent an SMS.',
    schema: messages.DeviceMessagePayload,
    sample: messages.deviceMessage(sample.REQUEST, { smsMessage: 'door open' }),
  },
  smsSent: {
    serviceName: 'EnhancedConnectivityService',
    summary: 'An SMS was sent to a device.',
    schema: FreeFormPayload,
    sample: succeeded(sample.REQUEST, { enhancedConnectivityResponse: { sent: true } }),
  },
  niddUplink: {
    serviceName: 'NiddService',
    summary: 'A device has sent data without IP.',
    schema: messages.NiddPayload,
    sample: messages.niddUplink(LINE, Buffer.from('temperature=8.4')),
  },
  niddDelivery: {
    serviceName: 'NiddService',
    summary: 'What became of data without IP to a device.',
    schema: messages.NiddPayload,
    sample: messages.niddDelivery(LINE, { status: 'Queued', reason: 'Buffered, device not reachable' }),
  },
  niddConfig: {
    serviceName: 'NiddService',
    summary: 'A line is set up for data without IP.',
    schema: messages.NiddPayload,
    sample: messages.niddConfigured(LINE),
  },
} as const satisfies Record<string, CallbackEvent>;

const freeForm = <S extends CallbackEvent['serviceName']>(
  serviceName: S,
  summary: string,
  deviceResponse: object,
) => ({ serviceName, summary, schema: FreeFormPayload, sample: succeeded(sample.REQUEST, deviceResponse) });

/** The interface names these services and does not show their results: the sender says what stands in them. */
export const freeFormEvents = {
  state: freeForm('StateService', 'The result of a request to go to a state.', {
    goToStateResponse: { stateName: 'Ready' },
  }),
  device: freeForm('DeviceService', 'The result of an availability list or of an upload of devices.', {
    availabilityResponse: { available: true },
  }),
  deviceProfile: freeForm('DeviceProfileService', 'A profile was downloaded, enabled, disabled or deleted.', {
    profileResponse: { action: 'enable', iccid: sample.ICCID.id },
  }),
  diagnostics: freeForm('DiagnosticsService', 'A device has fallen asleep or woken up.', {
    diagnosticsResponse: { state: 'awake' },
  }),
  intelligence: freeForm('IntelligenceService', 'Network conditions or coverage that were asked for.', {
    deviceExperienceResponse: { score: 87 },
  }),
  promoChange: freeForm('PromoChanges', 'A promotion was removed from a device.', {
    promoChangeResponse: { promoCode: 'WELCOME', change: 'removed' },
  }),
  networkEvent: freeForm('NetworkEventService', 'Something has happened in the network.', {
    networkEventResponse: { event: 'attached' },
  }),
  fota: freeForm('Fota', 'A step of a firmware upgrade.', {
    upgradeResponse: { firmwareTo: '1.4.2', state: 'installed' },
  }),
} as const satisfies Record<string, CallbackEvent>;
