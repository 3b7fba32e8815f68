import { get, ofAccount } from './http.ts';

export interface DeviceRef {
  readonly kind: string;
  readonly id: string;
}

interface Shown {
  readonly deviceId: string;
  readonly name: string | null;
  readonly model: string | null;
  readonly state: string;
  readonly servicePlan: string | null;
  readonly planSince: string | null;
  readonly online: boolean;
  readonly ids: readonly DeviceRef[];
}

export interface FoundDevice extends Shown {
  readonly usedBytes: number;
}

export interface DeviceDetail extends Shown {
  readonly kind: string;
  readonly description: string | null;
  readonly manufacturer: string | null;
  readonly software: string | null;
  readonly iot: boolean;
  readonly labels: readonly { readonly name: string; readonly value: string }[];
  readonly plans: readonly {
    readonly planCode: string;
    readonly since: string;
    readonly cause: string;
    readonly changedAt: string;
    readonly changedBy: string;
  }[];
  readonly suspensions: readonly {
    readonly suspendedAt: string;
    readonly resumesAt: string;
    readonly resumedAt: string | null;
    readonly withBilling: boolean;
    readonly reason: string;
  }[];
}

export interface ConsentInterval {
  readonly from: string;
  readonly to: string;
  readonly coarse: boolean;
  readonly precise: boolean;
  readonly basis: string;
  readonly level: number | null;
  readonly since: string | null;
  readonly actor: string | null;
}

export interface DeviceFilter {
  readonly search: string;
  readonly state: string;
}

export const listDevices = (accountName: string, filter: DeviceFilter, page?: string, signal?: AbortSignal) =>
  get<{ devices: readonly FoundDevice[]; next?: string }>(
    ofAccount(accountName, '/devices'),
    { ...filter, page },
    signal,
  );

export const readDevice = (accountName: string, deviceId: string, signal?: AbortSignal) =>
  get<DeviceDetail>(ofAccount(accountName, `/devices/${deviceId}`), {}, signal);

export const readDeviceUsage = (accountName: string, deviceId: string, signal?: AbortSignal) =>
  get<{ days: readonly { readonly day: string; readonly bytes: number }[] }>(
    ofAccount(accountName, `/devices/${deviceId}/usage`),
    {},
    signal,
  );

export const readConsents = (accountName: string, deviceId: string, signal?: AbortSignal) =>
  get<{ from: string; to: string; intervals: readonly ConsentInterval[]; hasMoreData: boolean }>(
    ofAccount(accountName, `/devices/${deviceId}/consents`),
    {},
    signal,
  );
