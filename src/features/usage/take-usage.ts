import { type Ctx, forWork } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Feed, type FeedShare, type Outcomes, tallyOf } from '../../platform/feeds/feed.ts';
import type { ParsedRecord, RecordBatch } from '../../platform/feeds/parse-records.ts';
import { type Taken, takeBatches, takeFeed, type WrittenBatch } from '../../platform/feeds/take-feed.ts';
import { findDevicesOnPlans, listPlansAt } from '../devices/index.ts';
import { type CheckedRecords, checkRecords, isBeforePlan, type Known } from './check-records.ts';
import type { LedgerRecord } from './ledger.ts';
import { LineHasLeft } from './moving/replan-records.ts';
import { listLedgerAccounts } from './sql-feed.ts';
import type { RepeatingFeeds } from './sql-insert-records.ts';
import type { UsageEvaluator } from './usage-evaluator.ts';
import { parseUsageRecord, type UsageRecord } from './usage-record.ts';
import type { Part } from './write-records.ts';
import { writeWhatFits } from './write-what-fits.ts';

export interface FeedPolicy {
  readonly keptDays: number;
  readonly evaluator: UsageEvaluator;
  readonly share: FeedShare;
  readonly repeating: RepeatingFeeds;
  readonly watch: {
    readonly records: (outcome: 'accepted' | 'duplicate' | 'rejected', count: number) => void;
    readonly batchSeconds: (seconds: number) => void;
  };
}

type Records = readonly ParsedRecord<UsageRecord>[];

/** Finds plans in the history, only for records to which the present plan does not apply; most batches have none. */
async function listEarlierPlans(
  db: Db,
  records: Records,
  { devices, accounts }: Omit<Known, 'earlierPlans'>,
): Promise<Known['earlierPlans']> {
  const older = records.flatMap(({ record: { atMs } }, n) => {
    const device = devices[n];
    const account = device && accounts.get(device.accountName);
    if (account === undefined || !isBeforePlan(device!, atMs)) return [];
    return [{ n, ecpdId: account.ecpdId, deviceId: device!.deviceId, atMs }];
  });
  const earlier = new Map<number, string>();
  for (const [ecpdId, moments] of Map.groupBy(older, (moment) => moment.ecpdId))
    for (const { nth, planCode } of await listPlansAt(db, ecpdId, moments))
      earlier.set(moments[nth]!.n, planCode);
  return earlier;
}

/** Records, with the devices, accounts and plans found for them. */
interface Found extends Known {
  readonly records: Records;
}

export const lookUp = ({ db }: Ctx, records: Records): Promise<Found> =>
  // It runs in a transaction to have a connection of its own: single-row reads do not queue behind thousands. All reads
  // see one snapshot: an account's last move is the one after which its lines' plans were read. A cluster has no common
  // snapshot of its servers.
  db.tx(
    async (tx) => {
      const [devices, listed] = await findDevicesOnPlans(
        tx,
        records.map(({ record: { device, atMs } }) => ({ id: device, atMs })),
        (owners) => listLedgerAccounts(tx, owners),
      );
      const accounts = new Map(listed.map((account) => [account.accountName, account]));
      const earlierPlans = await listEarlierPlans(tx, records, { devices, accounts });
      return { records, devices, accounts, earlierPlans };
    },
    { isolation: db.sharded ? 'read committed' : 'repeatable read', readOnly: true },
  );

/** How many times lines of one batch may leave their accounts while it is written. */
const LOOKUPS_MAX = 5;

const OUTCOMES = ['accepted', 'duplicates'] as const;
type Outcome = (typeof OUTCOMES)[number];

interface Writing {
  readonly check: (found: Found) => CheckedRecords;
  readonly evaluator: UsageEvaluator;
}

/**
 * Writes the part of one profile. If lines leave their account at the same time, their records are looked up again, and
 * may then belong to another profile.
 */
async function writePart(
  ctx: Ctx,
  { given, ...part }: Part & { readonly given: Records },
  writing: Writing,
  lookups = 1,
): Promise<readonly Outcomes<Outcome>[]> {
  try {
    return [await writeWhatFits(ctx, part, writing.evaluator)];
  } catch (error) {
    if (!(error instanceof LineHasLeft) || lookups === LOOKUPS_MAX) throw error;
    const lines = new Set(part.records.map(({ line }) => line));
    const some = given.filter(({ line }) => lines.has(line));
    const found = await lookUp(ctx, some);
    const { parts, duplicates, rejected } = writing.check(found);
    const written: Outcomes<Outcome>[] = [{ counts: { duplicates }, rejected }];
    for (const [ecpdId, records] of parts) {
      const own = { ...part, ecpdId, records, accounts: found.accounts, given };
      written.push(...(await writePart(ctx, own, writing, lookups + 1)));
    }
    return written;
  }
}

const usageFeed = (
  ctx: Ctx,
  { keptDays, evaluator, share, repeating, watch }: FeedPolicy,
  source: string | undefined,
): Feed<UsageRecord, Found, LedgerRecord, Outcome> => {
  const check: Writing['check'] = (found) =>
    checkRecords(found.records, found, {
      nowMs: ctx.now().getTime(),
      keptDays,
      aheadMs: share.aheadMs,
      source,
    });
  return {
    name: 'usage',
    ctx,
    share,
    outcomes: OUTCOMES,
    parse: parseUsageRecord,
    lookUp: (records) => lookUp(ctx, records),
    evaluate(_records, found) {
      const { parts, duplicates, rejected } = check(found);
      return { parts, counts: { duplicates }, rejected };
    },
    async write(ecpdId, records, { accounts, records: given }) {
      const whole = tallyOf<Outcome>(OUTCOMES);
      const part = { ecpdId, records, accounts, repeating, given };
      const own = forWork(ctx, () => `usage ${ecpdId} ${records[0]?.line}`);
      for (const one of await writePart(own, part, { check, evaluator })) whole.add(one);
      return { counts: whole.counts(), rejected: whole.rejected };
    },
    measure({ accepted, duplicates, rejected }, seconds) {
      watch.records('accepted', accepted);
      watch.records('duplicate', duplicates);
      watch.records('rejected', rejected);
      watch.batchSeconds(seconds);
    },
  };
};

/**
 * Takes a feed of usage records. A repeated feed of the same source adds only records that were not committed; the
 * others are duplicates.
 */
export const takeUsage = (ctx: Ctx, bytes: AsyncIterable<Buffer>, policy: FeedPolicy, source?: string) =>
  takeFeed(bytes, usageFeed(ctx, policy, source));

/** Takes records that the caller has already parsed. */
export const takeUsageBatches = (
  ctx: Ctx,
  batches: AsyncIterable<RecordBatch<UsageRecord>>,
  policy: FeedPolicy,
  source: string | undefined,
  onWritten: (batch: WrittenBatch<Outcome>) => Promise<void>,
): Promise<Taken<Outcome>> => takeBatches(batches, usageFeed(ctx, policy, source), onWritten);
