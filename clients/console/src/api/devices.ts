import type { Answer, Query } from '../../../sdk/index.ts';
import { call } from './client.ts';

const DEVICES = 'GET /console/v1/accounts/{accountName}/devices';
const DEVICE = 'GET /console/v1/accounts/{accountName}/devices/{deviceId}';

export type FoundDevice = Answer<typeof DEVICES>['devices'][number];
export type DeviceFilter = Pick<Query<typeof DEVICES>, 'search' | 'state'>;
export type DeviceDetail = Answer<typeof DEVICE>;
export type DeviceRef = DeviceDetail['ids'][number];
export type ConsentInterval = DeviceDetail['consents']['intervals'][number];

export const listDevices = (accountName: string, filter: DeviceFilter, page?: string, signal?: AbortSignal) =>
  call(DEVICES, { path: { accountName }, query: { ...filter, page }, signal });

export const readDevice = (accountName: string, deviceId: string, signal?: AbortSignal) =>
  call(DEVICE, { path: { accountName, deviceId }, signal });
