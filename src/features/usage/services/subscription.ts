/** The services whose use is counted against what an account subscribed to, as answers spell them. */
export const METERED_SERVICES = ['Location', 'fota'] as const;
export type MeteredService = (typeof METERED_SERVICES)[number];

export interface Subscription {
  readonly skuName: string;
  /** A calendar day. */
  readonly since: string;
  /** Null: the SKU says it, or nothing does. */
  readonly allowance: number | null;
}
