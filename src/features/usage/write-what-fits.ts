import { addDays } from '../../kernel/bill-cycle.ts';
import type { Ctx } from '../../platform/context/context.ts';
import type { RejectedRecord } from '../../platform/feeds/parse-records.ts';
import { type LedgerRecord, planOf } from './ledger.ts';
import { sumAccountDays } from './sql-cycle.ts';
import { listKnownRecords } from './sql-feed.ts';
import type { UsageEvaluator } from './usage-evaluator.ts';
import { type Part, writeRecords } from './write-records.ts';

/** The largest value of a counter. Counters of lines and bills are parts of an account's counter. */
const COUNTER_MAX = 2n ** 63n - 1n;

/** Other feeds fill the same counters; after this many attempts the batch fails with the error. */
const ATTEMPTS_MAX = 3;

const isOverflow = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '22003';

const counterOf = (record: LedgerRecord) => `${record.accountName} ${record.day} ${planOf(record)}`;

/** In feed order: a record that does not fit leaves its room to later ones. */
async function splitByRoom({ db }: Ctx, { ecpdId, records }: Part) {
  const ids = records.map(({ id }) => id);
  const known = new Set(await listKnownRecords(db, ecpdId, ids));
  const counts = ({ id, serviceName }: LedgerRecord) => serviceName === undefined && !known.has(id);
  const counters = new Map(records.filter(counts).map((record) => [counterOf(record), record]));
  const days = [...counters.values()].map((record) => ({
    accountName: record.accountName,
    planCode: planOf(record),
    from: record.day,
    to: addDays(record.day, 1),
    pieces: [],
  }));
  const sums = await sumAccountDays(db, ecpdId, days);
  const full = new Map([...counters.keys()].map((key, n) => [key, BigInt(sums[n]!)]));
  const { fitting = [], overflowing = [] } = Object.groupBy(records, (record) => {
    if (!counts(record)) return 'fitting';
    const key = counterOf(record);
    const sum = full.get(key)! + BigInt(record.bytes);
    if (sum > COUNTER_MAX) return 'overflowing';
    full.set(key, sum);
    return 'fitting';
  });
  return { fitting, overflowing };
}

const reject = (records: readonly LedgerRecord[], reason: string): RejectedRecord[] =>
  records.map(({ line }) => ({ line, reason }));

/** Writes the part of a profile. Records that do not fit into a counter are rejected; the others are written. */
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
