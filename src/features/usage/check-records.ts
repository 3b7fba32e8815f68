import { calendarOf, dateOf } from '../../kernel/calendar.ts';
import { recordKey } from '../../kernel/record-key.ts';
import { aheadReason, occurredAt } from '../../platform/feeds/fed-record.ts';
import type { ParsedRecord, RejectedRecord } from '../../platform/feeds/parse-records.ts';
import type { DeviceOnPlan } from '../devices/index.ts';
import { DAY_MS, type LedgerAccount, type LedgerRecord } from './ledger.ts';
import type { UsageRecord } from './usage-record.ts';

export interface CheckedRecords {
  /** Records by profile. Each part is written in a transaction of its own. */
  readonly parts: ReadonlyMap<string, readonly LedgerRecord[]>;
  readonly duplicates: number;
  readonly rejected: readonly RejectedRecord[];
}

export interface Known {
  /** In the order of the records. */
  readonly devices: readonly (DeviceOnPlan | undefined)[];
  readonly accounts: ReadonlyMap<string, LedgerAccount>;
  /** The plans of records that are older than their device's present plan, by the record's index in the batch. */
  readonly earlierPlans: ReadonlyMap<number, string>;
}

/** Whether the record is older than the device's present plan, so that its plan must come from the history. */
export const isBeforePlan = ({ planSinceMs }: DeviceOnPlan, atMs: number): boolean =>
  planSinceMs !== null && atMs < planSinceMs;

/** An account with the values that are the same for all its records. */
function withDays(account: LedgerAccount, nowMs: number) {
  const { cycleAt, dayAt } = calendarOf(account);
  // Cycles follow each other without gaps: everything before the open cycle belongs to a closed one.
  return { ...account, dayAt, openFromMs: cycleAt('Monthly', nowMs).fromMs };
}

/** Decides which account, day and plan each record counts for, or why it is rejected. */
export function checkRecords(
  records: readonly ParsedRecord<UsageRecord>[],
  known: Known,
  {
    nowMs,
    keptDays,
    aheadMs,
    source,
  }: { nowMs: number; keptDays: number; aheadMs: number; source?: string | undefined },
): CheckedRecords {
  const parts = new Map<string, LedgerRecord[]>();
  const rejected: RejectedRecord[] = [];
  /** By profile. */
  const seen = new Map<string, Set<string>>();
  const earliestMs = nowMs - keptDays * DAY_MS;
  let duplicates = 0;
  const accounts = new Map([...known.accounts].map(([name, account]) => [name, withDays(account, nowMs)]));
  for (const [n, { line, record }] of records.entries()) {
    const reject = (reason: string) => void rejected.push({ line, reason });
    const device = known.devices[n];
    const account = device && accounts.get(device.accountName);
    if (device === undefined || account === undefined) {
      reject('device is not known');
      continue;
    }
    const atMs = occurredAt(record.atMs, nowMs, aheadMs);
    if (atMs === undefined) {
      reject(aheadReason(aheadMs));
      continue;
    }
    const day = account.dayAt(atMs);
    if (atMs < earliestMs || (account.startsOn !== null && dateOf(day) < account.startsOn)) {
      reject(`at is before the ledger begins: records are kept for ${keptDays} days`);
      continue;
    }
    const ids = seen.get(account.ecpdId) ?? new Set<string>();
    if (ids.has(record.id)) {
      duplicates++;
      continue;
    }
    if (ids.size === 0) seen.set(account.ecpdId, ids);
    ids.add(record.id);
    const part = parts.get(account.ecpdId) ?? [];
    if (part.length === 0) parts.set(account.ecpdId, part);
    part.push({
      line,
      id: recordKey(source, record.id),
      accountName: device.accountName,
      deviceId: device.deviceId,
      atMs,
      day,
      bytes: record.bytes,
      apn: record.apn,
      ratingGroup: record.ratingGroup,
      countryCode: record.countryCode,
      chargeAmount: record.chargeAmount,
      serviceName: record.serviceName,
      planCode: isBeforePlan(device, atMs) ? known.earlierPlans.get(n) : (device.servicePlan ?? undefined),
      delayed: atMs < account.openFromMs,
    });
  }
  return { parts, duplicates, rejected };
}
