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

/** A user profile with its version, which grows with each change, and a usage trigger. */
export interface Written {
  readonly profile: { readonly id: string; readonly version: string; readonly versionid: string };
  readonly triggerId: string;
  /** Stands in both. */
  readonly nth: number;
}

/** What customers know: all that was answered to them, and nothing else. */
export interface Diary {
  readonly taken: Taken[];
  /** Of each month and tenant, by the records that were answered as accepted or known. */
  readonly usedBytes: Map<string, number>;
  /** Of each month, tenant and service. */
  readonly uses: Map<string, number>;
  /** When something was used: a moment of each month. */
  readonly months: Date[];
  /** What the owners' own records were last brought to. */
  readonly written: Map<number, Written>;
  /** How often each tenant was refused what is another's, with credentials that were good. */
  readonly refusals: Map<number, number>;
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
  uses: new Map(),
  months: [],
  written: new Map(),
  refusals: new Map(),
  states: new Map(),
  readings: new Map(),
  feeds: [],
});

export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);
export const bytesKey = (at: Date, { n }: Tenant) => `${monthOf(at)}/${n}`;
export const usesKey = (at: Date, { n }: Tenant, service: string) => `${monthOf(at)}/${n}/${service}`;

export const add = <K>(counts: Map<K, number>, key: K, count: number): void =>
  void counts.set(key, (counts.get(key) ?? 0) + count);
