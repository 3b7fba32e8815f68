import type { Tenant } from '../tenants.ts';

/** A request that was answered as taken, and what must come of it. */
export interface Taken {
  readonly tenant: Tenant;
  readonly what: 'event' | 'suspend' | 'restore' | 'plan' | 'report' | 'consent' | 'bill';
  readonly requestId: string;
  /** Callbacks of this service, so many, no more. */
  readonly service: string;
  readonly messages: number;
  /** Devices that each must be told about once, where there are several messages. */
  readonly devices?: readonly string[];
}

/** What customers know: all that was answered to them, and nothing else. */
export interface Diary {
  readonly taken: Taken[];
  /** Bytes that the fed devices used by the records that were answered as accepted or known. */
  readonly usedBytes: Map<string, number>;
  readonly serviceUses: Map<number, number>;
  readonly located: Map<number, number>;
  /** State and plan that each device was brought to. */
  readonly states: Map<string, { readonly state: string; readonly plan: string }>;
  /** How many readings each watched device has sent; every other one is too hot. */
  readonly readings: Map<string, number>;
  /** Feeds that were answered, to be sent again when all is quiet. */
  readonly feeds: string[];
}

export const openDiary = (): Diary => ({
  taken: [],
  usedBytes: new Map(),
  serviceUses: new Map(),
  located: new Map(),
  states: new Map(),
  readings: new Map(),
  feeds: [],
});

export const add = <K>(counts: Map<K, number>, key: K, count: number): void =>
  void counts.set(key, (counts.get(key) ?? 0) + count);
