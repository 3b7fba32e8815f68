import { DEVICE_ERROR_TYPES, deviceErrorTypes } from '../../kernel/device-error.ts';
import { type CacheMode, CONSENT_FAILED, type DeviceFailure, type Outcome } from './location.ts';
import type { UsageReport } from './report-usage.ts';
import type { WireEntry, WireUsage } from './schemas.ts';

/** yyyyMMddHHmmss. Times are UTC, so that no offset has to be written. */
const toWireTime = (at: Date): string => at.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '');

/** Like 2018-05-18 19:20:50.076 +0000 UTC. */
export const toWireTimestamp = (at: Date): string =>
  at.toISOString().replace('T', ' ').replace('Z', ' +0000 UTC');

export interface EntryWriter {
  readonly entry: (msid: string, outcome: Outcome | undefined, cacheMode: CacheMode) => WireEntry;
  readonly withdrawn: (msid: string, at: Date) => WireEntry;
}

/** Writes what is said about a device, with the installation's own prefix in the types of errors. */
export function entryWriter(prefix: string): EntryWriter {
  const own = deviceErrorTypes(prefix);
  const byType = new Map(DEVICE_ERROR_TYPES.map(({ type }, n) => [type, own[n]!]));
  const toWireError = ({ type, info }: DeviceFailure, at: Date): WireEntry['error'] => {
    const known = byType.get(type) ?? { type, info: '' };
    return { type: known.type, info: info ?? known.info, time: toWireTime(at) };
  };
  const entry: EntryWriter['entry'] = (msid, outcome, cacheMode) => {
    if (outcome === undefined) return { msid, pd: {}, error: {} };
    if ('failure' in outcome) return { msid, pd: {}, error: toWireError(outcome.failure, outcome.at) };
    const { fix, cached } = outcome;
    const pd = {
      x: String(fix.latitude),
      y: String(fix.longitude),
      radius: String(fix.radiusM),
      qos: false,
      time: toWireTime(fix.at),
      ...(cacheMode === 1 && { cacheMode: cached ? '2' : '0' }),
    };
    return { msid, pd, error: {} };
  };
  return { entry, withdrawn: (msid, at) => entry(msid, { failure: CONSENT_FAILED, at }, 2) };
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
