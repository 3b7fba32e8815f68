import type { LocalDay } from '../../kernel/bill-cycle.ts';

/** Bytes that were counted for a line on a day and plan. */
export interface CountedRecord {
  /** Null: not of a single record, but what a change of plan has moved. */
  readonly id: string | null;
  readonly accountName: string;
  readonly deviceId: string;
  readonly day: LocalDay;
  readonly bytes: number;
  readonly planCode: string | undefined;
}

/** A record that the ledger can take: its device is known, and so are the day and the plan that it counts for. */
export interface LedgerRecord extends CountedRecord {
  readonly line: number;
  readonly id: string;
  readonly atMs: number;
  readonly apn: string | undefined;
  readonly ratingGroup: string | undefined;
  readonly countryCode: string | undefined;
  readonly chargeAmount: string | undefined;
  readonly serviceName: 'fota' | undefined;
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
  /** The last move of usage from plan to plan that its lines had when it was read. */
  readonly lastMove: bigint;
}

export const DAY_MS = 86_400_000;
export const LATE_DAYS = 3;

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

/** A counter that is not what the ledger adds up to. */
export interface Difference {
  /** Null: the account's own counter. */
  readonly deviceId: string | null;
  /** Empty: not known. */
  readonly planCode: string;
  readonly day: LocalDay;
  readonly countedBytes: string;
  readonly ledgerBytes: string;
  /** Set where the counter is one of a metered service: uses, and no bytes. */
  readonly service?: {
    readonly serviceName: string;
    /**
     * `day` and `own`, a month, have the account's own uses, whoever paid; `billedDay`, `line`, a month, and `month` have what
     * is billed to it, the first two by the account that used it. Of a month the day is its first.
     */
    readonly counter: 'day' | 'own' | 'billedDay' | 'line' | 'month';
    readonly usedBy: string;
    readonly counted: string;
    readonly recorded: string;
  };
  /** Set where the counter is one that bills are made of. */
  readonly bill?: {
    readonly apn: string;
    readonly ratingGroup: string;
    readonly countryCode: string;
    readonly delayed: boolean;
    readonly countedChargedBytes: string;
    readonly ledgerChargedBytes: string;
    readonly countedAmount: string;
    readonly ledgerAmount: string;
  };
}

export interface Compared {
  /** Days of counters that were looked at. */
  readonly checked: number;
  readonly differences: Difference[];
}

/** Half-open. */
export interface DaySpan {
  readonly from: LocalDay;
  readonly to: LocalDay;
}
