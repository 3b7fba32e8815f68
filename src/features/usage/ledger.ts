import type { LocalDay } from '../../kernel/bill-cycle.ts';

/** A record that the ledger can take: its device is known, and so are the day and the plan that it counts for. */
export interface LedgerRecord {
  readonly line: number;
  readonly id: string;
  readonly accountName: string;
  readonly deviceId: string;
  readonly atMs: number;
  readonly day: LocalDay;
  readonly bytes: number;
  readonly apn: string | undefined;
  readonly ratingGroup: string | undefined;
  readonly countryCode: string | undefined;
  readonly chargeAmount: string | undefined;
  readonly serviceName: 'fota' | undefined;
  readonly planCode: string | undefined;
  readonly delayed: boolean;
}

/** The accounts of a profile as a batch needs them. */
export interface LedgerAccount {
  readonly ecpdId: string;
  readonly accountName: string;
  readonly timeZone: string;
  readonly billCycleDay: number;
  /** The first day of which the ledger has every record; null while nothing was removed. */
  readonly startsOn: LocalDay | null;
}

export interface KnownDevice {
  readonly accountName: string;
  readonly deviceId: string;
  readonly servicePlan: string | null;
  readonly planSinceMs: number | null;
}

export const DAY_MS = 86_400_000;
const LATE_DAYS = 3;

/**
 * What usage in a cycle means to a trigger at a time: open; late, for 72 hours after the cycle closed, when it may be
 * told and nothing else; over, when it is history.
 */
export type Timeliness = 'open' | 'late' | 'over';

export function timeliness(closesAtMs: number, nowMs: number): Timeliness {
  if (nowMs < closesAtMs) return 'open';
  return nowMs < closesAtMs + LATE_DAYS * DAY_MS ? 'late' : 'over';
}

/** The first day that is surely kept for as long as a record may still come: zones are up to a day apart. */
export const firstDayKept = (nowMs: number, keptDays: number): LocalDay =>
  new Date(nowMs - (keptDays + 1) * DAY_MS).toISOString().slice(0, 10);
