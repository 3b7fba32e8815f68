import type { Answer } from '../../../sdk/index.ts';
import { call } from './client.ts';

const USAGE = 'GET /console/v1/accounts/{accountName}/overview/usage';
const FIRINGS = 'GET /console/v1/accounts/{accountName}/overview/firings';
const DELIVERIES = 'GET /console/v1/accounts/{accountName}/overview/deliveries';
const ACCOUNTS = 'GET /console/v1/usage/accounts';

export type UsageOverview = Answer<typeof USAGE>;
export type AccountUsage = Answer<typeof ACCOUNTS>['accounts'][number];
export type FiringOverview = Answer<typeof FIRINGS>;
export type Firing = FiringOverview['latest'][number];
export type DeliveryHealth = Answer<typeof DELIVERIES>;
export type ListenerHealth = DeliveryHealth['listeners'][number];

export const readUsageOverview = (accountName: string, signal?: AbortSignal) =>
  call(USAGE, { path: { accountName }, signal });

export const readFiringOverview = (accountName: string, signal?: AbortSignal) =>
  call(FIRINGS, { path: { accountName }, signal });

export const readDeliveryOverview = (accountName: string, signal?: AbortSignal) =>
  call(DELIVERIES, { path: { accountName }, signal });

export const listAccountUsage = (page: string | undefined, signal?: AbortSignal) =>
  call(ACCOUNTS, { query: { page }, signal });
