import type { AccountName, EcpdId } from '../../kernel/account-name.ts';

export interface Account {
  readonly ecpdId: EcpdId;
  readonly accountName: AccountName;
  readonly organizationName: string | null;
  readonly timeZone: string;
  readonly billCycleDay: number;
  readonly realTimeRating: boolean;
  readonly aggregatedBilling: boolean;
  readonly locationRegistered: boolean;
  /** Three letters of ISO 4217: all its amounts are in it. */
  readonly currency: string;
  readonly contactEmail: string | null;
  readonly createdAt: Date;
}

/** True for names that the runtime can compute local times in. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}

/** What can be billed with a primary account, as answers spell it. */
export const MANAGED_SERVICES = ['Location', 'fota'] as const;
export type ManagedService = (typeof MANAGED_SERVICES)[number];

/** How one account is managed by another for a service. Several may have added it; it is activated with one of them. */
export interface ManagedAccount {
  readonly accountName: string;
  readonly paccountName: string;
  readonly skuName: string;
  readonly state: 'added' | 'provisioned' | 'cancelled';
  /** Of the last action of this primary and this account. */
  readonly txid: string;
  /** The one that the activation replaced. */
  readonly addedTxid: string | null;
}

/** One that is not over. */
export interface LastingRelation extends ManagedAccount {
  readonly state: 'added' | 'provisioned';
}
