import type { Tenant } from '../tenants.ts';

/** A request that was answered as accepted, and its expected results. */
export interface Taken {
  readonly tenant: Tenant;
  readonly what: 'event' | 'suspend' | 'restore' | 'plan' | 'report' | 'consent' | 'bill';
  readonly requestId: string;
  /** The service of its callbacks, of which there are exactly `messages`. */
  readonly service: string;
  readonly messages: number;
  /** Devices that must each have one message, if there are several messages. */
  readonly devices?: readonly string[];
}

/** A user profile with its version, which each change increases, and a usage trigger. */
export interface Written {
  readonly profile: { readonly id: string; readonly version: string; readonly versionid: string };
  readonly triggerId: string;
  /** Written into both. */
  readonly nth: number;
}

/** What customers know: exactly what the responses said. */
export interface Diary {
  readonly taken: Taken[];
  /** By month and tenant, from the records that were answered as accepted or known. */
  readonly usedBytes: Map<string, number>;
  /** By month, tenant and service. */
  readonly uses: Map<string, number>;
  /** A moment of each month in which something was used. */
  readonly months: Date[];
  /** The last values written to the owners' own records. */
  readonly written: Map<number, Written>;
  /** How often each tenant was refused another tenant's data, with valid credentials. */
  readonly refusals: Map<number, number>;
  /** The last requested state and plan of each device. */
  readonly states: Map<string, { readonly state: string; readonly plan: string }>;
  /** The number of readings of each watched device; every other one is too hot. */
  readonly readings: Map<string, number>;
  /** Feeds that were answered, to be sent again after all work has ended. */
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
