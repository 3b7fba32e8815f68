import type { Dialect } from '../../platform/http/dialect.ts';
import { locationDialect } from '../../platform/http/dialects.ts';
import { LOCATION_KINDS, type LocationKind } from './device-ref.ts';

/** The identifiers of the location area and the number of a device, as columns of its row. */
export type LocationIds = { readonly [K in LocationKind]: string | null } & { readonly mdn: string | null };

export interface WireDeviceRef {
  readonly id: string;
  readonly kind: string;
  readonly mdn?: string;
}

/** Formats a device for the location area; undefined if it has no suitable identifier, such as a sensor without modem. */
export function toWireDevice(ids: LocationIds): WireDeviceRef | undefined {
  const kind = LOCATION_KINDS.find((known) => ids[known] !== null);
  if (kind === undefined) return undefined;
  return { id: ids[kind]!, kind: kind.toUpperCase(), ...(ids.mdn !== null && { mdn: ids.mdn }) };
}

/** `2018-05-18 19:20:50.076 +0000 UTC`: the text format for times of the location area. */
export const toTextTimestamp = (at: Date): string =>
  `${at.toISOString().replace('T', ' ').replace('Z', '')} +0000 UTC`;

/** Published clients read either spelling. */
export const queued = (transactionID: string) => ({
  transactionID,
  transactionId: transactionID,
  status: 'QUEUED' as const,
});

const { malformed, invalid, sessionMissing, sessionExpired, sessionInvalid } = locationDialect.faults;
const OF_JSON_OR_SESSION: ReadonlySet<string> = new Set(
  [malformed, invalid, sessionMissing, sessionExpired, sessionInvalid].map(({ message }) => message),
);

/** For changes of the exclusion list: there a refusal that is about neither the JSON nor the session has its own code. */
export const exclusionDialect: Dialect = {
  ...locationDialect,
  body: (kind, ...rest) => {
    const isOwn = kind.code === 'INVALID_PARAMETER' && !OF_JSON_OR_SESSION.has(kind.message);
    return locationDialect.body(isOwn ? { ...kind, code: 'PARAMETER_ERROR' } : kind, ...rest);
  },
};
