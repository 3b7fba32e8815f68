import type { Ctx } from '../../platform/context.ts';
import type { FeedShare } from '../../platform/http/feed.ts';
import type { ReadRecord } from '../../platform/http/record-stream.ts';
import { type Taken, takeFeed } from '../../platform/http/take-feed.ts';
import { findDevicesOnPlans } from '../devices/index.ts';
import type { UsageEvaluator } from './evaluate-usage.ts';
import { judgeRecords, type Known } from './judge-records.ts';
import { listEarlierPlans } from './list-earlier-plans.ts';
import { writeWhatFits } from './room/write-what-fits.ts';
import { listLedgerAccounts } from './sql-feed.ts';
import { readUsageRecord, type UsageRecord } from './usage-record.ts';

export interface FeedPolicy {
  readonly keptDays: number;
  readonly evaluator: UsageEvaluator;
  readonly share: FeedShare;
  readonly watch: {
    readonly records: (outcome: 'accepted' | 'duplicate' | 'rejected', count: number) => void;
    readonly batchSeconds: (seconds: number) => void;
  };
}

const lookUp = ({ db }: Ctx, records: readonly ReadRecord<UsageRecord>[]): Promise<Known> =>
  // In a transaction for the sake of a connection of its own: reads of one row do not queue behind thousands. And of one moment:
  // an account's last move is the one after which its lines' plans were read.
  db.tx(
    async (tx) => {
      const devices = await findDevicesOnPlans(
        tx,
        records.map(({ record }) => record.device),
      );
      const accountNames = new Set(devices.flatMap((device) => device?.accountName ?? []));
      const listed = await listLedgerAccounts(tx, [...accountNames]);
      const accounts = new Map(listed.map((account) => [account.accountName, account]));
      return { devices, accounts, earlierPlans: await listEarlierPlans(tx, records, { devices, accounts }) };
    },
    { isolation: 'repeatable read', readOnly: true },
  );

/** Takes a feed of usage records. Feeding it again adds only what was not committed: the rest are duplicates. */
export const takeUsage = (
  ctx: Ctx,
  bytes: AsyncIterable<Buffer>,
  { keptDays, evaluator, share, watch }: FeedPolicy,
): Promise<Taken<'accepted' | 'duplicates'>> =>
  takeFeed(bytes, {
    name: 'usage',
    ctx,
    share,
    outcomes: ['accepted', 'duplicates'],
    read: readUsageRecord,
    lookUp: (records) => lookUp(ctx, records),
    judge(records, known) {
      const limits = { nowMs: ctx.now().getTime(), keptDays, aheadMs: share.aheadMs };
      const { parts, duplicates, rejected } = judgeRecords(records, known, limits);
      return { parts, counts: { duplicates }, rejected };
    },
    write: (ecpdId, records, { accounts }) => writeWhatFits(ctx, { ecpdId, records, accounts }, evaluator),
    watch({ accepted, duplicates, rejected }, seconds) {
      watch.records('accepted', accepted);
      watch.records('duplicate', duplicates);
      watch.records('rejected', rejected);
      watch.batchSeconds(seconds);
    },
  });
