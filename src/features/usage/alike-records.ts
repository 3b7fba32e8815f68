import { exactSumOf, type LedgerRecord, planOf } from './ledger.ts';
import type { AccountDay, BillDay } from './sql-counters.ts';

interface Group {
  /** Any record of the group, for the fields that all of them share. */
  readonly like: LedgerRecord;
  readonly records: LedgerRecord[];
}

/** The records of a batch, grouped by what a bill distinguishes. A batch of thousands has few groups. */
export interface AlikeRecords {
  readonly records: readonly LedgerRecord[];
  readonly groups: readonly Group[];
  /** The number of each record's group, from 1. */
  readonly groupOf: readonly number[];
}

const keyOf = (r: LedgerRecord): string =>
  `${r.accountName}\n${r.day}\n${r.planCode}\n${r.delayed}\n${r.serviceName}\n${r.countryCode}\n${r.ratingGroup}\n${r.apn}`;

export function groupAlike(records: readonly LedgerRecord[]): AlikeRecords {
  const numbers = new Map<string, number>();
  const groups: Group[] = [];
  const groupOf = records.map((record) => {
    const key = keyOf(record);
    const known = numbers.get(key);
    if (known !== undefined) {
      groups[known - 1]!.records.push(record);
      return known;
    }
    const number = groups.push({ like: record, records: [record] });
    numbers.set(key, number);
    return number;
  });
  return { records, groups, groupOf };
}

const fractionOf = (amount: string): string => amount.split('.')[1] ?? '';

/** Exact, with as many decimals as the finest amount. Most amounts repeat, so each distinct one is parsed once. */
function sumOfCharges(records: readonly LedgerRecord[]): string {
  const counts = new Map<string, number>();
  for (const { chargeAmount } of records)
    if (chargeAmount !== undefined) counts.set(chargeAmount, (counts.get(chargeAmount) ?? 0) + 1);
  const digits = Math.max(0, ...[...counts.keys()].map((amount) => fractionOf(amount).length));
  let sum = 0n;
  for (const [amount, count] of counts) {
    const fraction = fractionOf(amount);
    const whole = amount.slice(0, fraction === '' ? undefined : -fraction.length - 1);
    sum += BigInt(whole + fraction.padEnd(digits, '0')) * BigInt(count);
  }
  const text = String(sum).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** What the data records add to bills. */
export const billDaysOf = ({ groups }: AlikeRecords): readonly BillDay[] =>
  groups.flatMap(({ like, records }) =>
    like.serviceName !== undefined
      ? []
      : [
          {
            accountName: like.accountName,
            day: like.day,
            planCode: planOf(like),
            apn: like.apn ?? '',
            ratingGroup: like.ratingGroup ?? '',
            countryCode: like.countryCode ?? '',
            delayed: like.delayed,
            bytes: String(exactSumOf(records)),
            chargedBytes: String(exactSumOf(records.filter((r) => r.chargeAmount !== undefined))),
            chargeAmount: sumOfCharges(records),
          },
        ],
  );

/** Merges bill days: bills distinguish more than the counters of accounts do. */
export function accountDaysOf(billDays: readonly BillDay[]): readonly AccountDay[] {
  const byDay = Map.groupBy(
    billDays,
    ({ accountName, day, planCode }) => `${accountName}\n${day}\n${planCode}`,
  );
  return [...byDay.values()].map((some) => {
    const { accountName, day, planCode } = some[0]!;
    const bytes = String(some.reduce((sum, one) => sum + BigInt(one.bytes), 0n));
    return { accountName, day, planCode, bytes };
  });
}
