import type { Answer, Query } from '../../../sdk/index.ts';
import { call } from './client.ts';

const DEVICES = 'GET /console/v1/accounts/{accountName}/devices';
const COUNT = 'GET /console/v1/accounts/{accountName}/device-count';
const DEVICE = 'GET /console/v1/accounts/{accountName}/devices/{deviceId}';
const HISTORY = 'GET /console/v1/accounts/{accountName}/devices/{deviceId}/history';
const POSITIONS = 'GET /console/v1/accounts/{accountName}/devices/{deviceId}/positions';

export type FoundDevice = Answer<typeof DEVICES>['devices'][number];
export type DeviceFilter = Query<typeof COUNT>;
export type DeviceOrder = NonNullable<Query<typeof DEVICES>['order']>;
export type DevicePage = Answer<typeof DEVICES>;
export type HistoryEvent = Answer<typeof HISTORY>['events'][number];
export type HistoryKind = HistoryEvent['kind'];
export type Fixes = Answer<typeof POSITIONS>;
export type DeviceDetail = Answer<typeof DEVICE>;
export type DataSession = DeviceDetail['sessions'][number];
export type DeviceRef = DeviceDetail['ids'][number];
export type ConsentInterval = DeviceDetail['consents']['intervals'][number];

export const listDevices = (
  accountName: string,
  query: Query<typeof DEVICES>,
  signal?: AbortSignal,
): Promise<DevicePage> => call(DEVICES, { path: { accountName }, query, signal });

export const countDevices = (accountName: string, filter: DeviceFilter, signal?: AbortSignal) =>
  call(COUNT, { path: { accountName }, query: filter, signal });

/** Page size for reading all devices. */
const READ_PAGE = 5_000;

/** All matching devices, page by page, up to `limit` or until the signal aborts. */
export async function* readAllDevices(
  accountName: string,
  filter: DeviceFilter & { readonly order?: DeviceOrder | undefined },
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<readonly FoundDevice[]> {
  let page: string | undefined;
  let read = 0;
  do {
    const { devices, next } = await listDevices(
      accountName,
      { ...filter, page, limit: Math.min(READ_PAGE, limit - read) },
      signal,
    );
    read += devices.length;
    yield devices;
    page = next;
  } while (page !== undefined && read < limit);
}

const HISTORY_PAGE = 30;
export const listHistory = (
  accountName: string,
  deviceId: string,
  { kind, page }: { readonly kind: HistoryKind | undefined; readonly page: string | undefined },
  signal?: AbortSignal,
) => call(HISTORY, { path: { accountName, deviceId }, query: { kind, page, limit: HISTORY_PAGE }, signal });

export const listFixes = (accountName: string, deviceId: string, limit: number, signal?: AbortSignal) =>
  call(POSITIONS, { path: { accountName, deviceId }, query: { limit }, signal });

export const readDevice = (accountName: string, deviceId: string, signal?: AbortSignal) =>
  call(DEVICE, { path: { accountName, deviceId }, signal });
