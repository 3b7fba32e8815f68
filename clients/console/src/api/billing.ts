import { get, ofAccount } from './http.ts';

export interface BilledSum {
  readonly totalBytes: number;
  readonly billedBytes: number;
  readonly amount: number;
}
export interface BilledCountry extends BilledSum {
  readonly countryCode: string;
}
export interface BilledGroup extends BilledSum {
  readonly name: string;
  readonly countries: readonly BilledCountry[];
  readonly delayed: readonly BilledCountry[];
}
export interface Bill extends BilledSum {
  readonly month: string;
  readonly from: string;
  readonly to: string;
  readonly by: 'apn' | 'rating_group';
  readonly groups: readonly BilledGroup[];
  readonly more: boolean;
}
export interface BillMonths {
  readonly current: string;
  readonly months: readonly (BilledSum & { readonly month: string })[];
}

export const readBillMonths = (accountName: string, signal?: AbortSignal) =>
  get<BillMonths>(ofAccount(accountName, '/billing'), {}, signal);

export const readBill = (accountName: string, month: string, signal?: AbortSignal) =>
  get<Bill>(ofAccount(accountName, `/billing/${month}`), {}, signal);
