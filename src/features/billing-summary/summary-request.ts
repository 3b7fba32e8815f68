import type { Static } from 'typebox';
import type { DeviceId } from '../../kernel/device-id.ts';
import type { Label, Month, WorkPayload } from './schemas.ts';

export { KEPT_MS, keptSince } from '../../platform/flow-control/open-requests.ts';

export interface NamedDevice extends DeviceId {
  /** As the request wrote the kind. */
  readonly spelled: string;
}

/** Whose usage: of the devices that are named, or that carry a label, or of the whole account. */
export type Subject =
  | { readonly devices: readonly NamedDevice[] }
  | { readonly label: Label }
  | { readonly wholeAccount: true };

export type Asked =
  | {
      readonly what: 'bill';
      readonly from: Month;
      readonly to: Month;
      /** A bill for each line, and not one for all. */
      readonly lineLevel: boolean;
      readonly subject: Subject;
    }
  | {
      readonly what: 'usage';
      /** Half-open, in the days of the account. */
      readonly fromDay: string;
      readonly toDay: string;
      readonly subject: Subject;
    };

export interface SummaryRequest {
  readonly requestId: string;
  readonly asked: Asked;
}

/** How far a request has been answered. */
export type Cursor = Omit<Static<typeof WorkPayload>, 'accountName' | 'requestId'>;

export const BEGINNING: Cursor = { done: 0, told: false };

export const DEVICES_MAX = 10_000;
export const MONTHS_MAX = 12;
/** Requests of one account that are not yet answered to their end. */
export const OPEN_MAX = 100;
/** What is answered in one transaction. */
export const LINES_PER_STEP = 250;
/** APNs or rating groups in one message. */
export const GROUPS_PER_PAGE = 100;
