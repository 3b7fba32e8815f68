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
