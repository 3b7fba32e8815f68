import { cycleOf } from '../../kernel/bill-cycle.ts';
import type { ReadRecord, RejectedRecord } from '../../platform/http/record-stream.ts';
import { DAY_MS, isClosed, type KnownDevice, type LedgerAccount, type LedgerRecord } from './ledger.ts';
import { daysIn } from './local-days.ts';
import type { UsageRecord } from './usage-record.ts';

export interface Judged {
  /** By profile: each part is a transaction of its own. */
  readonly parts: ReadonlyMap<string, readonly LedgerRecord[]>;
  readonly duplicates: number;
  readonly rejected: readonly RejectedRecord[];
}

export interface Known {
  readonly device: (record: UsageRecord) => KnownDevice | undefined;
  readonly account: (accountName: string) => LedgerAccount | undefined;
}

/** The plan as far as it is known: nobody has written down what a device had before its present one. */
const planAt = ({ servicePlan, planSince }: KnownDevice, atMs: number): string | undefined =>
  servicePlan !== null && planSince !== null && planSince.getTime() <= atMs ? servicePlan : undefined;

/** Decides for each record what it counts for, or why it cannot be taken. */
export function judgeRecords(
  records: readonly ReadRecord<UsageRecord>[],
  known: Known,
  { nowMs, keptDays }: { nowMs: number; keptDays: number },
): Judged {
  const parts = new Map<string, LedgerRecord[]>();
  const rejected: RejectedRecord[] = [];
  const seen = new Set<string>();
  const earliestMs = nowMs - keptDays * DAY_MS;
  let duplicates = 0;
  for (const { line, record } of records) {
    const reject = (reason: string) => void rejected.push({ line, reason });
    const device = known.device(record);
    const account = device && known.account(device.accountName);
    if (device === undefined || account === undefined) {
      reject('device is not known');
      continue;
    }
    const { atMs } = record;
    if (atMs > nowMs) {
      reject('at lies in the future');
      continue;
    }
    const { dayAt } = daysIn(account.timeZone);
    const day = dayAt(atMs);
    if (atMs < earliestMs || (account.startsOn !== null && day < account.startsOn)) {
      reject(`at is before the ledger begins: records are kept for ${keptDays} days`);
      continue;
    }
    const key = `${account.ecpdId} ${record.id}`;
    if (seen.has(key)) {
      duplicates++;
      continue;
    }
    seen.add(key);
    const part = parts.get(account.ecpdId) ?? [];
    if (part.length === 0) parts.set(account.ecpdId, part);
    part.push({
      line,
      id: record.id,
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
      planCode: planAt(device, atMs),
      delayed: isClosed(cycleOf('Monthly', day, account.billCycleDay), dayAt(nowMs)),
    });
  }
  return { parts, duplicates, rejected };
}
