import type { Static, TObject } from 'typebox';
import type { ListenerService } from './service-names.ts';

/** One kind of message: its listener service and its contents, apart from what an attempt adds. */
export interface CallbackEvent {
  readonly serviceName: ListenerService;
  /** One sentence: what has happened when the message arrives. */
  readonly summary: string;
  readonly schema: TObject;
  /** A valid payload that is always the same. */
  readonly sample: object;
}

export const eventsOfService =
  <S extends ListenerService>(serviceName: S) =>
  <T extends TObject>(summary: string, schema: T, sample: Static<T>) => ({
    serviceName,
    summary,
    schema,
    sample: sample as object,
  });

// The data of the samples: one account with one device, at one time. All of it is made up.

export const REQUEST_ID = '5c7d2b1e-0f43-4c38-9d6a-7f1f0a4f6b21';
export const TRIGGER_ID = 'b3f0c6d2-9a51-4f7e-8a0c-2d5e91c7a4f3';
export const ACCOUNT = '0000123456-00001';
export const PLAN = 'IOT-5MB';
export const MOMENT = new Date('2026-03-04T15:16:17.000Z');

export const IMEI = { id: '353238063280152', kind: 'imei' };
export const ICCID = { id: '89148000005283219876', kind: 'iccid' };
export const MDN = { id: '5125550147', kind: 'mdn' };
export const MSISDN = { id: '15125550147', kind: 'msisdn' };

export const REQUEST = { requestId: REQUEST_ID, deviceIds: [IMEI, ICCID] };
