import type { Ctx } from '../../../platform/context/context.ts';
import type { RejectedRecord } from '../../../platform/feeds/parse-records.ts';
import { planOf } from '../counted-usage.ts';
import type { UsageEvaluator } from '../evaluate-usage.ts';
import type { LedgerRecord } from '../ledger.ts';
import { type Part, writeRecords } from '../write-records.ts';
import { listAccountDays, listKnownRecords } from './sql-room.ts';

/** What a counter holds. Those of lines, and those that bills are made of, are parts of an account's. */
export const COUNTER_MAX = 2n ** 63n - 1n;

/** Other feeds fill the same counters; who has lost so often is left to the ways of what nobody foresaw. */
const ATTEMPTS_MAX = 3;

const isOverflow = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '22003';

const counterOf = (record: LedgerRecord) => `${record.accountName} ${record.day} ${planOf(record)}`;

/** In the order of the feed: one that no longer fits leaves its room to those behind it. */
async function splitByRoom({ db }: Ctx, { ecpdId, records }: Part) {
  const known = new Set(
    await listKnownRecords(
      db,
      ecpdId,
      records.map(({ id }) => id),
    ),
  );
  const counts = ({ id, serviceName }: LedgerRecord) => serviceName === undefined && !known.has(id);
  const counters = new Map(records.filter(counts).map((record) => [counterOf(record), record]));
  const days = [...counters.values()].map((record) => ({
    accountName: record.accountName,
    day: record.day,
    planCode: planOf(record),
  }));
  const standing = await listAccountDays(db, ecpdId, days);
  const full = new Map([...counters.keys()].map((key, n) => [key, standing[n]!]));
  const [fitting, overflowing]: [LedgerRecord[], LedgerRecord[]] = [[], []];
  for (const record of records) {
    const key = counterOf(record);
    const sum = (full.get(key) ?? 0n) + BigInt(record.bytes);
    if (counts(record) && sum > COUNTER_MAX) overflowing.push(record);
    else fitting.push(record);
    if (counts(record) && sum <= COUNTER_MAX) full.set(key, sum);
  }
  return { fitting, overflowing };
}

const reject = (records: readonly LedgerRecord[], reason: string): RejectedRecord[] =>
  records.map(({ line }) => ({ line, reason }));

/** Writes the part of a profile. Records that a counter has no room for are rejected; the others are taken. */
export async function writeWhatFits(ctx: Ctx, whole: Part, evaluator: UsageEvaluator) {
  let part = whole;
  const rejected: RejectedRecord[] = [];
  for (let attempt = 1; ; attempt++)
    try {
      const { orphans, ...counts } = await writeRecords(ctx, part, evaluator);
      return { counts, rejected: [...rejected, ...reject(orphans, 'device is not known')] };
    } catch (error) {
      if (!isOverflow(error) || attempt === ATTEMPTS_MAX) throw error;
      const { fitting, overflowing } = await splitByRoom(ctx, part);
      if (overflowing.length === 0) throw error;
      rejected.push(...reject(overflowing, `bytes would bring a counter beyond ${COUNTER_MAX}`));
      if (fitting.length === 0) return { counts: {}, rejected };
      part = { ...part, records: fitting };
    }
}
