import { type Static, type TSchema, Type } from 'typebox';
import { ACCOUNT, eventsOfService, IMEI, MDN, REQUEST_ID, TRIGGER_ID } from './event.ts';
import { AccountName, Count, closed, listOf, OptionalText, only, RequestId, Text } from './shapes.ts';

const APP_NAME = 'Linekeeper';
const ADDRESS_SCHEME = 'IMEI';

/** Location reports call the id of their request `transactionID`. */
interface Reported {
  readonly accountName: string;
  readonly transactionID: string;
}

const reportOf = <
  T extends 'CONSENT_RESPONSE' | 'LOCATION_REPORT',
  S extends 'SUCCESS' | 'FAILED',
  D extends TSchema,
>(
  reportType: T,
  status: S,
  device: D,
) => ({
  accountName: AccountName,
  transactionID: RequestId,
  reportType: Type.Enum([reportType]),
  status: Type.Enum([status]),
  deviceList: listOf(device),
});

/** A success is nested in `message`; a failure has its fields at the top level. */
const nested = <M extends TSchema>(message: M) =>
  closed({ appName: Type.Enum([APP_NAME]), addressScheme: Type.Enum([ADDRESS_SCHEME]), message });

const nest = <M>(message: M) => ({
  appName: APP_NAME as typeof APP_NAME,
  addressScheme: ADDRESS_SCHEME as typeof ADDRESS_SCHEME,
  message,
});

const Level = Type.Integer({ minimum: 0, maximum: 3 });
const AllDeviceConsent = Type.String({ pattern: '^[0-3]$' });
const Consented = { id: Text, kind: Text, mdn: OptionalText, consent: Level };
const ConsentedDevice = closed(Consented);
const RefusedDevice = closed({ ...Consented, error: closed({ info: Text, type: Text }) });

const ConsentReportPayload = nested(
  closed({
    ...reportOf('CONSENT_RESPONSE', 'SUCCESS', ConsentedDevice),
    allDeviceConsent: AllDeviceConsent,
  }),
);
const ConsentFailurePayload = closed({
  ...reportOf('CONSENT_RESPONSE', 'FAILED', RefusedDevice),
  allDeviceConsent: AllDeviceConsent,
});

interface ConsentUpdate<D> extends Reported {
  readonly level: 0 | 1 | 2 | 3;
  readonly deviceList: readonly D[];
}

const consents = <D, S extends 'SUCCESS' | 'FAILED'>(
  { accountName, transactionID, level, deviceList }: ConsentUpdate<D>,
  status: S,
) => ({
  accountName,
  transactionID,
  reportType: 'CONSENT_RESPONSE' as const,
  status,
  allDeviceConsent: `${level}`,
  deviceList,
});

export const consentReport = (
  update: ConsentUpdate<Static<typeof ConsentedDevice>>,
): Static<typeof ConsentReportPayload> => nest(consents(update, 'SUCCESS'));

export const consentFailure = (
  update: ConsentUpdate<Static<typeof RefusedDevice>>,
): Static<typeof ConsentFailurePayload> => consents(update, 'FAILED');

const Utc = Type.String({ pattern: '^\\d{14}$', description: 'yyyyMMddHHmmss in UTC' });
const Position = closed({
  x: Type.String({ description: 'Latitude in decimal degrees' }),
  y: Type.String({ description: 'Longitude in decimal degrees' }),
  radius: Type.String({ description: 'Metres' }),
  qos: Type.Boolean(),
  time: Utc,
  utcoffset: OptionalText,
  cacheMode: Type.Optional(Type.Enum(['0', '1', '2'])),
});
const PositionError = closed({ type: Text, info: Text, time: Utc, utcoffset: OptionalText });
const Located = closed({ msid: Text, pd: Position, error: closed({}) });
const NotLocated = closed({ msid: Text, pd: closed({}), error: PositionError });

const DeviceLocationPayload = nested(closed(reportOf('LOCATION_REPORT', 'SUCCESS', Located)));
const DeviceLocationFailurePayload = closed(reportOf('LOCATION_REPORT', 'FAILED', NotLocated));

const located = <D, S extends 'SUCCESS' | 'FAILED'>(
  { accountName, transactionID }: Reported,
  status: S,
  device: D,
) => ({
  accountName,
  transactionID,
  reportType: 'LOCATION_REPORT' as const,
  status,
  deviceList: [device],
});

export const deviceLocated = (
  reported: Reported,
  { msid, pd }: Pick<Static<typeof Located>, 'msid' | 'pd'>,
): Static<typeof DeviceLocationPayload> => nest(located(reported, 'SUCCESS', { msid, pd, error: {} }));

export const deviceNotLocated = (
  reported: Reported,
  { msid, error }: Pick<Static<typeof NotLocated>, 'msid' | 'error'>,
): Static<typeof DeviceLocationFailurePayload> => located(reported, 'FAILED', { msid, pd: {}, error });

const ReportCompletedPayload = closed({
  accountName: AccountName,
  txid: Text,
  status: Type.Enum(['COMPLETED']),
  totalCount: Count,
});

export const reportCompleted = (report: Omit<Static<typeof ReportCompletedPayload>, 'status'>) =>
  only(ReportCompletedPayload, { ...report, status: 'COMPLETED' });

const UsageTrigger = closed({
  triggerId: Text,
  triggerName: Text,
  accountName: AccountName,
  serviceName: Text,
  thresholdValue: Text,
  allowExcess: Type.Boolean(),
  sendSmsNotification: Type.Boolean(),
  smsPhoneNumbers: Text,
  sendEmailNotification: Type.Boolean(),
  emailAddresses: Text,
  createDate: OptionalText,
  updateDate: OptionalText,
});

const UsageTriggerFiredPayload = closed({
  accountName: AccountName,
  trigger: UsageTrigger,
  usage: closed({
    used: Count,
    allowed: Count,
    percent: Type.Number({ minimum: 0 }),
    month: Type.String({ pattern: '^\\d{4}-\\d{2}$', description: 'yyyy-mm' }),
  }),
});

export const usageTriggerFired = (fired: Static<typeof UsageTriggerFiredPayload>) =>
  only(UsageTriggerFiredPayload, fired);

const REPORTED = { accountName: ACCOUNT, transactionID: REQUEST_ID };
const DEVICE = { id: IMEI.id, kind: 'IMEI', mdn: MDN.id, consent: 1 };
const TIME = '20260304151617';

const consent = eventsOfService('consentEnableReport');
const deviceLocation = eventsOfService('DeviceLocation');
const location = eventsOfService('Location');

export const locationEvents = {
  consentReport: consent(
    'Consent levels of devices were changed.',
    ConsentReportPayload,
    consentReport({ ...REPORTED, level: 1, deviceList: [DEVICE] }),
  ),
  consentFailure: consent(
    'Consent levels of devices could not be changed.',
    ConsentFailurePayload,
    consentFailure({
      ...REPORTED,
      level: 1,
      deviceList: [{ ...DEVICE, error: { info: 'The level could not be stored.', type: 'INTERNAL ERROR' } }],
    }),
  ),
  deviceLocation: deviceLocation(
    'A device was located.',
    DeviceLocationPayload,
    deviceLocated(REPORTED, {
      msid: MDN.id,
      pd: { x: '32.9343', y: '-97.0781', radius: '300', qos: false, time: TIME },
    }),
  ),
  deviceLocationFailure: deviceLocation(
    'A device could not be located.',
    DeviceLocationFailurePayload,
    deviceNotLocated(REPORTED, {
      msid: MDN.id,
      error: { type: 'ABSENT SUBSCRIBER', info: 'The device cannot be reached.', time: TIME },
    }),
  ),
  locationReportCompleted: location(
    'A location report is complete and can be read.',
    ReportCompletedPayload,
    reportCompleted({ accountName: ACCOUNT, txid: REQUEST_ID, totalCount: 250 }),
  ),
  usageTriggerFired: location(
    'Use of a subscription has reached the percentage of a usage trigger.',
    UsageTriggerFiredPayload,
    usageTriggerFired({
      accountName: ACCOUNT,
      trigger: {
        triggerId: TRIGGER_ID,
        triggerName: 'Ninety percent',
        accountName: ACCOUNT,
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
  ),
};
