import type { CountedRecord } from './ledger.ts';

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
