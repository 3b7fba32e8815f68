import { type Static, Type } from 'typebox';
import { type Answered, envelopeOf, Fault, succeeded } from './envelope.ts';
import { AccountName, closed, DeviceRefs, OptionalText, RequestId, Text } from './shapes.ts';

export const PrlPayload = envelopeOf(
  closed({ prlInformationResponse: closed({ prlVersion: Text, faultResponse: Type.Optional(Fault) }) }),
);

export const prlInformation = (
  request: Answered,
  { prlVersion }: { readonly prlVersion: string },
): Static<typeof PrlPayload> => succeeded(request, { prlInformationResponse: { prlVersion } });

export const SmsDeliveryPayload = envelopeOf(
  closed({ smsDeliveryResponse: closed({ confirmation: Text, faultResponse: Type.Optional(Fault) }) }),
);

export const smsDelivered = (
  request: Answered,
  { confirmation }: { readonly confirmation: string },
): Static<typeof SmsDeliveryPayload> => succeeded(request, { smsDeliveryResponse: { confirmation } });

/** What a device has sent; nobody asked for it, and the id is the message's own. */
export const DeviceMessagePayload = closed({
  requestId: RequestId,
  deviceIds: DeviceRefs,
  smsMessage: Text,
  status: Type.Enum(['Success']),
});

export const deviceMessage = (
  { requestId, deviceIds }: Pick<Answered, 'requestId' | 'deviceIds'>,
  { smsMessage }: { readonly smsMessage: string },
): Static<typeof DeviceMessagePayload> => ({ requestId, deviceIds, smsMessage, status: 'Success' });

const Line = { accountName: AccountName, deviceIds: DeviceRefs };
const Uplink = closed({
  accountName: AccountName,
  message: Type.String({ description: 'Base64' }),
  deviceIds: DeviceRefs,
});
const Report = closed({ ...Line, reason: OptionalText });

/** The result stands beside deviceIds, not in a deviceResponse. */
export const NiddPayload = closed({
  requestId: RequestId,
  deviceIds: DeviceRefs,
  niddResponse: Type.Union([
    closed({ niddMONotificationResponse: Uplink }),
    closed({ niddMTDeliveryResponse: Report }),
    closed({ niddConfigResponse: Report }),
  ]),
  status: Type.Enum(['Delivered', 'Queued', 'DeliveryFailed', 'ConfigCreated']),
});

type Nidd = Static<typeof NiddPayload>;
type Named = Pick<Answered, 'requestId' | 'deviceIds'> & { readonly accountName: string };

const nidd = (
  { requestId, deviceIds }: Named,
  niddResponse: Nidd['niddResponse'],
  status: Nidd['status'],
) => ({
  requestId,
  deviceIds,
  niddResponse,
  status,
});

/** Data from a device. */
export const niddUplink = (line: Named, message: Uint8Array): Nidd => {
  const { accountName, deviceIds } = line;
  const base64 = Buffer.from(message).toString('base64');
  return nidd(line, { niddMONotificationResponse: { accountName, message: base64, deviceIds } }, 'Delivered');
};

interface Fate {
  readonly status: 'Delivered' | 'Queued' | 'DeliveryFailed';
  readonly reason?: string;
}

/** What became of data to a device. */
export const niddDelivery = (line: Named, { status, reason }: Fate): Nidd => {
  const { accountName, deviceIds } = line;
  const report = { accountName, deviceIds, ...(reason !== undefined && { reason }) };
  return nidd(line, { niddMTDeliveryResponse: report }, status);
};

/** The second callback after a change of state or plan on an NB-IoT line. */
export const niddConfigured = (line: Named): Nidd => {
  const { accountName, deviceIds } = line;
  return nidd(line, { niddConfigResponse: { accountName, deviceIds } }, 'ConfigCreated');
};
