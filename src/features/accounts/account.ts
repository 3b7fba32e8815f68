import type { AccountName, EcpdId } from '../../kernel/account-name.ts';
import type { Boundaries } from '../../kernel/calendar.ts';

export interface Account extends Boundaries {
  readonly ecpdId: EcpdId;
  readonly accountName: AccountName;
  readonly organizationName: string | null;
  readonly realTimeRating: boolean;
  readonly aggregatedBilling: boolean;
  readonly locationRegistered: boolean;
  /** The ISO 4217 code of the currency of all its amounts. */
  readonly currency: string;
  readonly contactEmail: string | null;
  readonly createdAt: Date;
}

/** True for names of time zones that the runtime supports. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}

/** Services that can be billed with a primary account, as answers spell them. */
export const MANAGED_SERVICES = ['Location', 'fota'] as const;
export type ManagedService = (typeof MANAGED_SERVICES)[number];

/** How a primary account manages another one for a service. Several may have added it; only one activates it. */
export interface ManagedAccount {
  readonly accountName: string;
  readonly paccountName: string;
  readonly skuName: string;
  readonly state: 'added' | 'provisioned' | 'cancelled';
  /** The id of the last action of this primary on this account. */
  readonly txid: string;
  /** The id that the activation replaced. */
  readonly addedTxid: string | null;
}

/** A relation that was not cancelled. */
export interface LastingRelation extends ManagedAccount {
  readonly state: 'added' | 'provisioned';
}
