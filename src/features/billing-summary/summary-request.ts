import type { Static } from 'typebox';
import type { DeviceId } from '../../kernel/device-id.ts';
import type { Label, Month, WorkPayload } from './schemas.ts';

export { KEPT_MS, keptSince } from '../../platform/flow-control/open-requests.ts';

export interface NamedDevice extends DeviceId {
  /** The kind as the request spells it. */
  readonly spelled: string;
}

/** Whose usage is requested: that of named devices, of devices with a label, or of the whole account. */
export type Subject =
  | { readonly devices: readonly NamedDevice[] }
  | { readonly label: Label }
  | { readonly wholeAccount: true };

export type Asked =
  | {
      readonly what: 'bill';
      readonly from: Month;
      readonly to: Month;
      /** Whether each line gets its own bill. */
      readonly lineLevel: boolean;
      readonly subject: Subject;
    }
  | {
      readonly what: 'usage';
      /** The first day, and the day after the last one, in days of the account's time zone. */
      readonly fromDay: string;
      readonly toDay: string;
      readonly subject: Subject;
    };

export interface SummaryRequest {
  readonly requestId: string;
  readonly asked: Asked;
}

/** The progress of a request. */
export type Cursor = Omit<Static<typeof WorkPayload>, 'accountName' | 'requestId'>;

export const BEGINNING: Cursor = { done: 0, told: false };

export const DEVICES_MAX = 10_000;
export const MONTHS_MAX = 12;
/** Unfinished requests of one account. */
export const OPEN_MAX = 100;
/** Lines answered in one transaction. */
export const LINES_PER_STEP = 250;
/** APNs or rating groups in one message. */
export const GROUPS_PER_PAGE = 100;
