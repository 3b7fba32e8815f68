import { type Static, type TSchema, Type } from 'typebox';
import { AccountName, closed, listOf, OptionalText, RequestId, Text } from './shapes.ts';

const APP_NAME = 'Linekeeper';
const ADDRESS_SCHEME = 'IMEI';

/** Reports about locations name their request `transactionID`. */
export interface Reported {
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

/** A success stands under `message`; a failure has its fields at the top level. */
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

export const ConsentReportPayload = nested(
  closed({
    ...reportOf('CONSENT_RESPONSE', 'SUCCESS', ConsentedDevice),
    allDeviceConsent: AllDeviceConsent,
  }),
);
export const ConsentFailurePayload = closed({
  ...reportOf('CONSENT_RESPONSE', 'FAILED', RefusedDevice),
  allDeviceConsent: AllDeviceConsent,
});

interface ConsentUpdate<D> extends Reported {
  readonly level: 0 | 1 | 2 | 3;
  readonly deviceList: readonly D[];
}

export const consentReport = (
  update: ConsentUpdate<Static<typeof ConsentedDevice>>,
): Static<typeof ConsentReportPayload> =>
  nest({
    accountName: update.accountName,
    transactionID: update.transactionID,
    reportType: 'CONSENT_RESPONSE',
    status: 'SUCCESS',
    allDeviceConsent: `${update.level}`,
    deviceList: update.deviceList,
  });

export const consentFailure = (
  update: ConsentUpdate<Static<typeof RefusedDevice>>,
): Static<typeof ConsentFailurePayload> => ({
  accountName: update.accountName,
  transactionID: update.transactionID,
  reportType: 'CONSENT_RESPONSE',
  status: 'FAILED',
  allDeviceConsent: `${update.level}`,
  deviceList: update.deviceList,
});

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

export const DeviceLocationPayload = nested(closed(reportOf('LOCATION_REPORT', 'SUCCESS', Located)));
export const DeviceLocationFailurePayload = closed(reportOf('LOCATION_REPORT', 'FAILED', NotLocated));

export const deviceLocated = (
  { accountName, transactionID }: Reported,
  { msid, pd }: Pick<Static<typeof Located>, 'msid' | 'pd'>,
): Static<typeof DeviceLocationPayload> =>
  nest({
    accountName,
    transactionID,
    reportType: 'LOCATION_REPORT',
    status: 'SUCCESS',
    deviceList: [{ msid, pd, error: {} }],
  });

export const deviceNotLocated = (
  { accountName, transactionID }: Reported,
  { msid, error }: Pick<Static<typeof NotLocated>, 'msid' | 'error'>,
): Static<typeof DeviceLocationFailurePayload> => ({
  accountName,
  transactionID,
  reportType: 'LOCATION_REPORT',
  status: 'FAILED',
  deviceList: [{ msid, pd: {}, error }],
});
