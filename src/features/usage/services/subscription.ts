import { spellSkuName } from '../../../kernel/sku-name.ts';

/** The services whose use is counted against a subscription, as responses spell them. */
export const METERED_SERVICES = ['Location', 'fota'] as const;
export type MeteredService = (typeof METERED_SERVICES)[number];

export interface Subscription {
  readonly skuName: string;
  /** A calendar day. */
  readonly since: string;
  /** Null: the SKU defines the allowance, or there is none. */
  readonly allowance: number | null;
}

/** The monthly allowance of location SKUs, by the end of their name; the beginning is the installation's prefix. */
const ALLOWANCES: ReadonlyMap<string, number> = new Map([
  ['5K', 5_000],
  ['10K', 10_000],
  ['100K', 100_000],
  ['1M', 1_000_000],
]);

const LOCATION_SKU = /^[A-Za-z0-9]+-LOC-COARSE-CellID-(.+)$/;

/**
 * The name of a fixed-size SKU defines its allowance; for all others the subscription does, or there is none. Names
 * stored before spelling was normalised may differ in letter case.
 */
export const allowanceOf = (skuName: string, subscribed: number | null): number =>
  ALLOWANCES.get(LOCATION_SKU.exec(spellSkuName(skuName))?.[1] ?? '') ?? subscribed ?? 0;
