import type { Answer } from '../../../sdk/index.ts';
import { call } from './client.ts';

const MONTHS = 'GET /console/v1/accounts/{accountName}/billing';
const MONTH = 'GET /console/v1/accounts/{accountName}/billing/{month}';
export type BillMonths = Answer<typeof MONTHS>;
export type Bill = Answer<typeof MONTH>;
export type BilledGroup = Bill['groups'][number];
export type BilledCountry = BilledGroup['countries'][number];
export type BilledSum = Pick<Bill, 'totalBytes' | 'billedBytes' | 'amount'>;

export const readBillMonths = (accountName: string, signal?: AbortSignal) =>
  call(MONTHS, { path: { accountName }, signal });

export const readBill = (accountName: string, month: string, signal?: AbortSignal) =>
  call(MONTH, { path: { accountName, month }, signal });
