import type { Answer, Query } from '../../../sdk/index.ts';
import { call } from './client.ts';

const DEVICES = 'GET /console/v1/accounts/{accountName}/devices';
const DEVICE = 'GET /console/v1/accounts/{accountName}/devices/{deviceId}';
const CONSENTS = 'GET /console/v1/accounts/{accountName}/devices/{deviceId}/consents';

export type FoundDevice = Answer<typeof DEVICES>['devices'][number];
export type DeviceFilter = Pick<Query<typeof DEVICES>, 'search' | 'state'>;
export type DeviceDetail = Answer<typeof DEVICE>;
export type DeviceRef = DeviceDetail['ids'][number];
export type ConsentInterval = Answer<typeof CONSENTS>['intervals'][number];

export const listDevices = (accountName: string, filter: DeviceFilter, page?: string, signal?: AbortSignal) =>
  call(DEVICES, { path: { accountName }, query: { ...filter, page }, signal });

export const readDevice = (accountName: string, deviceId: string, signal?: AbortSignal) =>
  call(DEVICE, { path: { accountName, deviceId }, signal });

export const readDeviceUsage = (accountName: string, deviceId: string, signal?: AbortSignal) =>
  call('GET /console/v1/accounts/{accountName}/devices/{deviceId}/usage', {
    path: { accountName, deviceId },
    signal,
  });

export const readConsents = (accountName: string, deviceId: string, signal?: AbortSignal) =>
  call(CONSENTS, { path: { accountName, deviceId }, signal });
