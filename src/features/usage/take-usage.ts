import type { Ctx } from '../../platform/context/context.ts';
import { type FeedShare, type Outcomes, tallyOf } from '../../platform/feeds/feed.ts';
import type { ParsedRecord } from '../../platform/feeds/parse-records.ts';
import { type Taken, takeFeed } from '../../platform/feeds/take-feed.ts';
import { findDevicesOnPlans } from '../devices/index.ts';
import type { UsageEvaluator } from './evaluate-usage.ts';
import { type Judged, judgeRecords, type Known } from './judge-records.ts';
import { listEarlierPlans } from './list-earlier-plans.ts';
import { LineHasLeft } from './moving/replan-records.ts';
import { writeWhatFits } from './room/write-what-fits.ts';
import { listLedgerAccounts } from './sql-feed.ts';
import { readUsageRecord, type UsageRecord } from './usage-record.ts';
import type { Part } from './write-records.ts';

export interface FeedPolicy {
  readonly keptDays: number;
  readonly evaluator: UsageEvaluator;
  readonly share: FeedShare;
  readonly watch: {
    readonly records: (outcome: 'accepted' | 'duplicate' | 'rejected', count: number) => void;
    readonly batchSeconds: (seconds: number) => void;
  };
}

type Read = readonly ParsedRecord<UsageRecord>[];

/** What is known of records, and which they are. */
interface Found extends Known {
  readonly records: Read;
}

const lookUp = ({ db }: Ctx, records: Read): Promise<Found> =>
  // In a transaction for the sake of a connection of its own: reads of one row do not queue behind thousands. And of one moment:
  // an account's last move is the one after which its lines' plans were read.
  db.tx(
    async (tx) => {
      const devices = await findDevicesOnPlans(
        tx,
        records.map(({ record: { device, atMs } }) => ({ id: device, atMs })),
      );
      const accountNames = new Set(devices.flatMap((device) => device?.accountName ?? []));
      const listed = await listLedgerAccounts(tx, [...accountNames]);
      const accounts = new Map(listed.map((account) => [account.accountName, account]));
      const earlierPlans = await listEarlierPlans(tx, records, { devices, accounts });
      return { records, devices, accounts, earlierPlans };
    },
    { isolation: 'repeatable read', readOnly: true },
  );

/** So often lines of one batch may leave their accounts while it is written. */
const LOOKS_MAX = 5;

const OUTCOMES = ['accepted', 'duplicates'] as const;
type Outcome = Outcomes<(typeof OUTCOMES)[number]>;

/** Writes what belongs to one profile. Records of lines that leave their account meanwhile are looked up again, and may be another's. */
async function writeLooking(
  ctx: Ctx,
  { ecpdId, records, accounts, read }: Part & { readonly read: Read },
  { judge, evaluator }: { readonly judge: Judge; readonly evaluator: UsageEvaluator },
  looks = 1,
): Promise<readonly Outcome[]> {
  try {
    return [await writeWhatFits(ctx, { ecpdId, records, accounts }, evaluator)];
  } catch (error) {
    if (!(error instanceof LineHasLeft) || looks === LOOKS_MAX) throw error;
    const lines = new Set(records.map(({ line }) => line));
    const found = await lookUp(
      ctx,
      read.filter(({ line }) => lines.has(line)),
    );
    const { parts, duplicates, rejected } = judge(found.records, found);
    const written: Outcome[] = [{ counts: { duplicates }, rejected }];
    for (const [owner, part] of parts)
      written.push(
        ...(await writeLooking(
          ctx,
          { ecpdId: owner, records: part, accounts: found.accounts, read },
          { judge, evaluator },
          looks + 1,
        )),
      );
    return written;
  }
}

type Judge = (records: Read, known: Known) => Judged;

/** Takes a feed of usage records. Feeding it again adds only what was not committed: the rest are duplicates. */
export const takeUsage = (
  ctx: Ctx,
  bytes: AsyncIterable<Buffer>,
  { keptDays, evaluator, share, watch }: FeedPolicy,
): Promise<Taken<'accepted' | 'duplicates'>> => {
  const judge: Judge = (records, known) =>
    judgeRecords(records, known, { nowMs: ctx.now().getTime(), keptDays, aheadMs: share.aheadMs });
  return takeFeed(bytes, {
    name: 'usage',
    ctx,
    share,
    outcomes: OUTCOMES,
    parse: readUsageRecord,
    lookUp: (records) => lookUp(ctx, records),
    evaluate(records, known) {
      const { parts, duplicates, rejected } = judge(records, known);
      return { parts, counts: { duplicates }, rejected };
    },
    async write(ecpdId, records, { accounts, records: read }) {
      const whole = tallyOf<'accepted' | 'duplicates'>(OUTCOMES);
      const part = { ecpdId, records, accounts, read };
      for (const one of await writeLooking(ctx, part, { judge, evaluator })) whole.add(one);
      return { counts: whole.counts(), rejected: whole.rejected };
    },
    measure({ accepted, duplicates, rejected }, seconds) {
      watch.records('accepted', accepted);
      watch.records('duplicate', duplicates);
      watch.records('rejected', rejected);
      watch.batchSeconds(seconds);
    },
  });
};
