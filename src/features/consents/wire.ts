import { LOCATION_KINDS, type LocationKind } from './device-ref.ts';

/** What a device has of these, as columns of its row. */
export type LocationIds = { readonly [K in LocationKind]: string | null } & { readonly mdn: string | null };

export interface WireDeviceRef {
  readonly id: string;
  readonly kind: string;
  readonly mdn?: string;
}

/** How the location area writes a device; undefined for one that it has no name for, such as a sensor without modem. */
export function toWireDevice(ids: LocationIds): WireDeviceRef | undefined {
  const kind = LOCATION_KINDS.find((known) => ids[known] !== null);
  if (kind === undefined) return undefined;
  return { id: ids[kind]!, kind: kind.toUpperCase(), ...(ids.mdn !== null && { mdn: ids.mdn }) };
}

/** `2018-05-18 19:20:50.076 +0000 UTC`: how the location area writes times as text. */
export const toTextTimestamp = (at: Date): string =>
  `${at.toISOString().replace('T', ' ').replace('Z', '')} +0000 UTC`;

/** Published clients read one spelling or the other. */
export const queued = (transactionID: string) => ({
  transactionID,
  transactionId: transactionID,
  status: 'QUEUED' as const,
});
