import { findLocationSku, spellSkuName } from '../../kernel/sku-name.ts';
import { MANAGED_SERVICES, type ManagedService } from '../accounts/index.ts';

/** Limit of accounts in one request. */
export const ADD_MAX = 1_000;

/** Accepts any letter case. Undefined if the service cannot be managed. */
export const parseService = (text: string): ManagedService | undefined =>
  MANAGED_SERVICES.find((name) => name.toLowerCase() === text.toLowerCase());

/** The SKU of a type; undefined if there is none. For fota, each installation chooses its own SKUs. */
export const parseType = (serviceName: ManagedService, type: string, prefix: string): string | undefined =>
  serviceName === 'Location' ? findLocationSku(type, prefix) : spellSkuName(type);

/** The states that can be listed. A cancelled account is no longer managed. */
export const LISTED_STATES = ['added', 'provisioned'] as const;
export type ListedState = (typeof LISTED_STATES)[number];

/** Why an action on one account succeeded or failed, in an answer without an error. The interface defines the first two. */
export const REASONS = {
  success: 'Success',
  alreadyActivated: 'Acct Already activated',
  activatedByOther: 'Acct Already activated for another primary account',
  invalidType: 'Invalid service type',
  /** Also for an account of another customer, so as not to reveal whether it exists. */
  unknown: 'Invalid account name',
  itself: 'A primary account cannot manage itself',
  managesOthers: 'An account that manages others cannot be managed',
  isManaged: 'An account that is managed cannot manage others',
  notAggregated: 'The accounts must be enabled for aggregated billing',
  tooMany: 'The primary account has no room for more managed accounts',
} as const;
export type Reason = (typeof REASONS)[keyof typeof REASONS];

export interface ActionResult {
  readonly status: 'Success' | 'Fail';
  readonly reason: Reason;
}

export const SUCCESS: ActionResult = { status: 'Success', reason: REASONS.success };
export const fail = (reason: Reason): ActionResult => ({ status: 'Fail', reason });
