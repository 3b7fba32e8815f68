import { DEVICE_ERROR_TYPES, deviceErrorTypes } from '../../kernel/device-error.ts';
import type { CacheMode, DeviceFailure, Fix, Outcome } from './location.ts';
import type { UsageReport } from './report-usage.ts';
import type { WireEntry, WireUsage } from './schemas.ts';

/** yyyyMMddHHmmss. Times are UTC, so that no offset has to be written. Cut, because a page has a thousand of them. */
function toWireTime(at: Date): string {
  const iso = at.toISOString();
  return (
    iso.slice(0, 4) +
    iso.slice(5, 7) +
    iso.slice(8, 10) +
    iso.slice(11, 13) +
    iso.slice(14, 16) +
    iso.slice(17, 19)
  );
}

/** Decimal digits, never an exponent; a millionth of a degree is a tenth of a metre. */
function toWireNumber(value: number): string {
  const text = String(value);
  return text.length <= SHORT && !text.includes('e') ? text : String(Number(value.toFixed(6)));
}
/** As long as a coordinate with six decimals can be. */
const SHORT = '-180.000000'.length;

/** When the caller left it open, the answer says where the position came from. */
const CAME_FROM = { cache: '2', network: '0' } as const;

export const toWirePosition = (fix: Fix, cached: boolean, cacheMode: CacheMode) => ({
  x: toWireNumber(fix.latitude),
  y: toWireNumber(fix.longitude),
  radius: toWireNumber(fix.radiusM),
  qos: false,
  time: toWireTime(fix.at),
  ...(cacheMode === 1 && { cacheMode: CAME_FROM[cached ? 'cache' : 'network'] }),
});

export interface EntryWriter {
  readonly error: (failure: DeviceFailure, at: Date) => { type: string; info: string; time: string };
  readonly entry: (msid: string, outcome: Outcome | undefined, cacheMode: CacheMode) => WireEntry;
}

/** Writes what is said about a device, with the installation's own prefix in the types of errors. */
export function entryWriter(prefix: string): EntryWriter {
  const own = deviceErrorTypes(prefix);
  const byType = new Map(DEVICE_ERROR_TYPES.map(({ type }, n) => [type, own[n]!]));
  const error: EntryWriter['error'] = ({ type, info }, at) => {
    const known = byType.get(type) ?? { type, info: '' };
    return { type: known.type, info: info ?? known.info, time: toWireTime(at) };
  };
  return {
    error,
    entry(msid, outcome, cacheMode) {
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
