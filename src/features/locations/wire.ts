import { DEVICE_ERRORS, spellDeviceError } from '../../kernel/device-error.ts';
import type { CacheMode, DeviceFailure, Fix, Outcome } from './location.ts';
import type { UsageReport } from './report-usage.ts';
import type { WireEntry, WireUsage } from './schemas.ts';

/** yyyyMMddHHmmss. Times are UTC, so that no offset has to be written. Cut, because a page has a thousand of them. */
function toWireTime(at: Date): string {
  const iso = at.toISOString();
  const day = iso.slice(0, 4) + iso.slice(5, 7) + iso.slice(8, 10);
  return day + iso.slice(11, 13) + iso.slice(14, 16) + iso.slice(17, 19);
}

/** Decimal digits, never an exponent; a millionth of a degree is a tenth of a metre. */
function toWireNumber(value: number): string {
  const text = String(value);
  return text.length <= SHORT && !text.includes('e') ? text : String(Number(value.toFixed(6)));
}
/** As long as a coordinate with six decimals can be. */
const SHORT = '-180.000000'.length;

export const toWirePosition = (fix: Fix, cached: boolean, cacheMode: CacheMode) => ({
  x: toWireNumber(fix.latitude),
  y: toWireNumber(fix.longitude),
  radius: toWireNumber(fix.radiusM),
  qos: false,
  time: toWireTime(fix.at),
  // When the caller left it open, the answer says where the position came from.
  ...(cacheMode === 1 && { cacheMode: cached ? ('2' as const) : ('0' as const) }),
});

export type EntryWriter = ReturnType<typeof entryWriter>;

/** Writes what is said about a device, with the installation's own prefix in the types of errors. */
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

/** Both spellings of two names: published clients read one or the other. */
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
