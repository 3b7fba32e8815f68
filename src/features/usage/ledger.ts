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

/** Empty: not known. */
export const planOf = ({ planCode }: CountedRecord): string => planCode ?? '';

export const isExact = (bytes: number): boolean => bytes <= Number.MAX_SAFE_INTEGER;

const sumOf = (records: readonly CountedRecord[]) => records.reduce((sum, { bytes }) => sum + bytes, 0);

/** Exact, and a bigint only where it must be. */
export function exactSumOf(records: readonly CountedRecord[]): number | bigint {
  const sum = sumOf(records);
  return isExact(sum) ? sum : records.reduce((exact, { bytes }) => exact + BigInt(bytes), 0n);
}

/**
 * How a counter grew by these records. What it was before is exact as long as it is no more than a level can be, whatever
 * it is after: a rounded difference would be beyond a level that was not passed, or before one that was.
 */
export function grownBy(after: number | bigint, records: readonly CountedRecord[]) {
  if (typeof after === 'number') return { beforeBytes: after - sumOf(records), afterBytes: after };
  return { beforeBytes: Number(after - BigInt(exactSumOf(records))), afterBytes: Number(after) };
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
  /** The last move of usage from plan to plan of any of its lines. */
  readonly lastMove: bigint;
}

export const DAY_MS = 86_400_000;
export const LATE_DAYS = 3;

/**
 * What usage in a cycle means to a trigger at a time: open; late, for 72 hours after the cycle closed, when it may be
 * reported and nothing else; over, when it is history.
 */
export type Timeliness = 'open' | 'late' | 'over';

export function timeliness(closesAtMs: number, nowMs: number): Timeliness {
  if (nowMs < closesAtMs) return 'open';
  return nowMs < closesAtMs + LATE_DAYS * DAY_MS ? 'late' : 'over';
}

/** The first day that is surely kept for as long as a record may still come: zones are up to a day apart. */
export const firstDayKept = (nowMs: number, keptDays: number): LocalDay =>
  new Date(nowMs - (keptDays + 1) * DAY_MS).toISOString().slice(0, 10);

/** Half-open. */
export interface DaySpan {
  readonly from: LocalDay;
  readonly to: LocalDay;
}
