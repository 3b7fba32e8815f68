import { Type } from 'typebox';
import { envelopeOf, Fault, FreeFormPayload, succeeded } from './envelope.ts';
import { ACCOUNT, eventsOfService, ICCID, REQUEST } from './event.ts';
import type { ListenerService } from './service-names.ts';
import { AccountName, closed, DeviceRefs, OptionalText, RequestId, Text } from './shapes.ts';

// An operator forwards these messages. The service never creates them, so each has only its schema and a sample.

const PrlPayload = envelopeOf(
  closed({ prlInformationResponse: closed({ prlVersion: Text, faultResponse: Type.Optional(Fault) }) }),
);

const SmsDeliveryPayload = envelopeOf(
  closed({ smsDeliveryResponse: closed({ confirmation: Text, faultResponse: Type.Optional(Fault) }) }),
);

/** A message from a device. It answers no request, so the id is the message's own. */
const DeviceMessagePayload = closed({
  requestId: RequestId,
  deviceIds: DeviceRefs,
  smsMessage: Text,
  status: Type.Enum(['Success']),
});

const Report = closed({ accountName: AccountName, deviceIds: DeviceRefs, reason: OptionalText });

/** The result is next to deviceIds instead of in a deviceResponse. */
const NiddPayload = closed({
  requestId: RequestId,
  deviceIds: DeviceRefs,
  niddResponse: Type.Union([
    closed({
      niddMONotificationResponse: closed({
        accountName: AccountName,
        message: Type.String({ description: 'Base64' }),
        deviceIds: DeviceRefs,
      }),
    }),
    closed({ niddMTDeliveryResponse: Report }),
    closed({ niddConfigResponse: Report }),
  ]),
  status: Type.Enum(['Delivered', 'Queued', 'DeliveryFailed', 'ConfigCreated']),
});

const LINE = { accountName: ACCOUNT, deviceIds: REQUEST.deviceIds };
const connectivity = eventsOfService('EnhancedConnectivityService');
const nidd = eventsOfService('NiddService');

export const messageEvents = {
  prlInformation: eventsOfService('DevicePRLInformation')(
    'The preferred roaming list of a device.',
    PrlPayload,
    succeeded(REQUEST, { prlInformationResponse: { prlVersion: '15433' } }),
  ),
  smsDelivery: eventsOfService('SMSDeliveryConfirmation')(
    'A device has acknowledged an SMS.',
    SmsDeliveryPayload,
    succeeded(REQUEST, { smsDeliveryResponse: { confirmation: 'Message has been received.' } }),
  ),
  deviceMessage: connectivity('A device has sent an SMS.', DeviceMessagePayload, {
    ...REQUEST,
    smsMessage: 'door open',
    status: 'Success',
  }),
  smsSent: connectivity(
    'An SMS was sent to a device.',
    FreeFormPayload,
    succeeded(REQUEST, { enhancedConnectivityResponse: { sent: true } }),
  ),
  niddUplink: nidd('A device has sent data without IP.', NiddPayload, {
    ...REQUEST,
    niddResponse: {
      niddMONotificationResponse: {
        accountName: ACCOUNT,
        message: Buffer.from('temperature=8.4').toString('base64'),
        deviceIds: REQUEST.deviceIds,
      },
    },
    status: 'Delivered',
  }),
  niddDelivery: nidd('The delivery result of data without IP to a device.', NiddPayload, {
    ...REQUEST,
    niddResponse: { niddMTDeliveryResponse: { ...LINE, reason: 'Buffered, device not reachable' } },
    status: 'Queued',
  }),
  niddConfig: nidd('A line is set up for data without IP.', NiddPayload, {
    ...REQUEST,
    niddResponse: { niddConfigResponse: LINE },
    status: 'ConfigCreated',
  }),
};

const freeForm = <S extends ListenerService>(service: S, summary: string, deviceResponse: object) =>
  eventsOfService(service)(summary, FreeFormPayload, succeeded(REQUEST, { ...deviceResponse }));

/** The interface names these services without describing their results: the sender decides the contents. */
export const freeFormEvents = {
  state: freeForm('StateService', 'The result of a request to change a state.', {
    goToStateResponse: { stateName: 'Ready' },
  }),
  device: freeForm('DeviceService', 'The result of an availability list or of an upload of devices.', {
    availabilityResponse: { available: true },
  }),
  deviceProfile: freeForm('DeviceProfileService', 'A profile was downloaded, enabled, disabled or deleted.', {
    profileResponse: { action: 'enable', iccid: ICCID.id },
  }),
  diagnostics: freeForm('DiagnosticsService', 'A device has fallen asleep or woken up.', {
    diagnosticsResponse: { state: 'awake' },
  }),
  intelligence: freeForm('IntelligenceService', 'The requested network conditions or coverage.', {
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
};
