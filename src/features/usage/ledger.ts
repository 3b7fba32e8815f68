import type { LocalDay } from '../../kernel/bill-cycle.ts';
import type { Boundaries } from '../../kernel/calendar.ts';

/** Bytes that were counted for a line on a day and plan. */
export interface CountedRecord {
  /** Null: not a single record, but usage that a change of plan moved. */
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

/** Exact. A bigint only where a number would be rounded. */
export function exactSumOf(records: readonly CountedRecord[]): number | bigint {
  const sum = sumOf(records);
  return isExact(sum) ? sum : records.reduce((exact, { bytes }) => exact + BigInt(bytes), 0n);
}

/**
 * How these records made a counter grow. The value before is exact up to the highest possible level, even if the value
 * after is not: a rounded difference could lie beyond a level that was not passed, or below one that was.
 */
export function grownBy(after: number | bigint, records: readonly CountedRecord[]) {
  if (typeof after === 'number') return { beforeBytes: after - sumOf(records), afterBytes: after };
  return { beforeBytes: Number(after - BigInt(exactSumOf(records))), afterBytes: Number(after) };
}

/** A record that the ledger can store: its device is known, and the day and plan that it counts for. */
export interface LedgerRecord extends CountedRecord {
  readonly line: number;
  /** With its source (`recordKey`): unique in a profile. */
  readonly id: string;
  readonly atMs: number;
  readonly apn: string | undefined;
  readonly ratingGroup: string | undefined;
  readonly countryCode: string | undefined;
  readonly chargeAmount: string | undefined;
  readonly serviceName: 'fota' | undefined;
  readonly delayed: boolean;
}

/** An account, with what a batch needs to know about it. */
export interface LedgerAccount extends Boundaries {
  readonly ecpdId: string;
  readonly accountName: string;
  /** The first day for which the ledger has every record; null while nothing was deleted. */
  readonly startsOn: LocalDay | null;
  /** The last move of usage between plans for any line of the account. */
  readonly lastMove: bigint;
}

export const DAY_MS = 86_400_000;
export const LATE_DAYS = 3;

/**
 * For triggers: an `open` cycle fires, a `late` one (72 hours after it closed) is only reported, one that is `over` is
 * ignored.
 */
export type Timeliness = 'open' | 'late' | 'over';

export function timeliness(closesAtMs: number, nowMs: number): Timeliness {
  if (nowMs < closesAtMs) return 'open';
  return nowMs < closesAtMs + LATE_DAYS * DAY_MS ? 'late' : 'over';
}

/** The first day for which a record may still arrive: one day before the setting's, because zones are up to a day apart. */
export const firstDayKept = (nowMs: number, keptDays: number): LocalDay =>
  new Date(nowMs - (keptDays + 1) * DAY_MS).toISOString().slice(0, 10);
