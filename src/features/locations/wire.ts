import { DEVICE_ERRORS, spellDeviceError } from '../../kernel/device-error.ts';
import type { CacheMode, DeviceFailure, Fix, Outcome } from './location.ts';
import type { UsageReport } from './report-usage.ts';
import type { WireEntry, WireUsage } from './schemas.ts';

/** yyyyMMddHHmmss in UTC, which needs no offset. String slices are fast; a page has a thousand times. */
function toWireTime(at: Date): string {
  const iso = at.toISOString();
  const day = iso.slice(0, 4) + iso.slice(5, 7) + iso.slice(8, 10);
  return day + iso.slice(11, 13) + iso.slice(14, 16) + iso.slice(17, 19);
}

/** Decimal digits without an exponent. A millionth of a degree is a tenth of a metre. */
function toWireNumber(value: number): string {
  const text = String(value);
  return text.length <= SHORT && !text.includes('e') ? text : String(Number(value.toFixed(6)));
}
/** The longest coordinate with six decimals. */
const SHORT = '-180.000000'.length;

export const toWirePosition = (fix: Fix, cached: boolean, cacheMode: CacheMode) => ({
  x: toWireNumber(fix.latitude),
  y: toWireNumber(fix.longitude),
  radius: toWireNumber(fix.radiusM),
  qos: false,
  time: toWireTime(fix.at),
  // If the caller allowed both, the answer says whether the position came from the cache.
  ...(cacheMode === 1 && { cacheMode: cached ? ('2' as const) : ('0' as const) }),
});

export type EntryWriter = ReturnType<typeof entryWriter>;

/** Writes the results for devices, with the installation's prefix in the error types. */
export function entryWriter(prefix: string) {
  const error = ({ type, info }: DeviceFailure, at: Date) => ({
    type: spellDeviceError(type, prefix),
    info: info ?? DEVICE_ERRORS[type] ?? '',
    time: toWireTime(at),
  });
  return {
    error,
    entry(msid: string, outcome: Outcome | undefined, cacheMode: CacheMode): WireEntry {
      if (outcome === undefined) return { msid, pd: {}, error: {} };
      if ('failure' in outcome) return { msid, pd: {}, error: error(outcome.failure, outcome.at) };
      return { msid, pd: toWirePosition(outcome.fix, outcome.cached, cacheMode), error: {} };
    },
  };
}

/** Has both spellings of two names, because published clients read one or the other. */
export function toWireUsage(accountName: string, forAllAccounts: boolean, usage: UsageReport): WireUsage {
  const toWireCount = ({ accountName, count }: { accountName: string; count: bigint }) => ({
    accountName,
    transactionsCount: String(count),
  });
  const primary = usage.primary === undefined ? {} : toWireCount(usage.primary);
  return {
    accountName,
    usageForAllAccounts: forAllAccounts,
    usageForAllAcounts: forAllAccounts,
    skuName: usage.skuName,
    transactionsAllowed: String(usage.allowed),
    totalTransactionCount: String(usage.total),
    PrimaryAccount: primary,
    primaryAccount: primary,
    ManagedAccounts: usage.managed.map(toWireCount),
  };
}
