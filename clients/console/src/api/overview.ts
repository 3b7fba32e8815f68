import { get, ofAccount } from './http.ts';

export interface UsageOverview {
  readonly cycle: { readonly from: string; readonly to: string };
  readonly usedBytes: number;
  readonly allowanceBytes: number | null;
  readonly plans: readonly {
    readonly planCode: string;
    readonly planName: string | null;
    readonly lines: number;
    readonly usedBytes: number;
    readonly allowanceBytes: number | null;
  }[];
  readonly days: readonly { readonly day: string; readonly bytes: number }[];
  readonly states: readonly { readonly state: string; readonly devices: number }[];
}

export interface AccountUsage {
  readonly accountName: string;
  readonly organizationName: string | null;
  readonly usedBytes: number;
  readonly allowanceBytes: number | null;
  readonly activeLines: number;
}

export interface Firing {
  readonly firingId: string;
  readonly triggerId: string;
  readonly kind: 'usage' | 'pricePlan';
  readonly accountName: string;
  readonly subject: string;
  readonly level: number;
  readonly levelKind: string;
  readonly before: number;
  readonly after: number;
  readonly threshold: number;
  readonly firedAt: string;
  readonly late: boolean;
}

export interface FiringOverview {
  readonly days: readonly { readonly day: string; readonly firings: number }[];
  readonly latest: readonly Firing[];
}

export interface ListenerHealth {
  readonly serviceName: string;
  readonly url: string | null;
  readonly paused: boolean;
  readonly failingSince: string | null;
  readonly lastFailure: string | null;
  readonly waiting: number;
}

export interface DeliveryHealth {
  readonly listeners: readonly ListenerHealth[];
  readonly hours: readonly {
    readonly hour: string;
    readonly delivered: number;
    readonly failed: number;
    readonly pending: number;
    readonly latencyMs: number | null;
  }[];
}

export const readUsageOverview = (accountName: string, signal?: AbortSignal) =>
  get<UsageOverview>(ofAccount(accountName, '/overview/usage'), {}, signal);

export const readFiringOverview = (accountName: string, signal?: AbortSignal) =>
  get<FiringOverview>(ofAccount(accountName, '/overview/firings'), {}, signal);

export const readDeliveryOverview = (accountName: string, signal?: AbortSignal) =>
  get<DeliveryHealth>(ofAccount(accountName, '/overview/deliveries'), {}, signal);

export const listAccountUsage = (page: string | undefined, signal?: AbortSignal) =>
  get<{ accounts: readonly AccountUsage[]; next?: string }>('/usage/accounts', { page }, signal);
