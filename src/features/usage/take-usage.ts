import type { Ctx } from '../../platform/context.ts';
import { FeedError } from '../../platform/http/record-lines.ts';
import { type RecordBatch, type RejectedRecord, readRecords } from '../../platform/http/record-stream.ts';
import type { Turnstile } from '../../platform/turnstile.ts';
import type { UsageEvaluator } from './evaluate-usage.ts';
import { judgeRecords, type Known } from './judge-records.ts';
import { listEarlierPlans } from './list-earlier-plans.ts';
import { listDevicesByIdentifier, listLedgerAccounts } from './sql-feed.ts';
import { readUsageRecord, type UsageRecord } from './usage-record.ts';
import { writeRecords } from './write-records.ts';

/** What commits at once, in each profile. */
const BATCH = { recordsMax: 5_000, charsMax: 4 * 1024 * 1024 };
/** As many of the rejected records are named; all are counted. */
export const REJECTED_MAX = 1_000;

export interface FeedPolicy {
  readonly keptDays: number;
  readonly evaluator: UsageEvaluator;
  /** Shared by all feeds of a process, so that they leave connections to others. */
  readonly turns: Turnstile;
  readonly watch: {
    readonly records: (outcome: 'accepted' | 'duplicate' | 'rejected', count: number) => void;
    readonly batchSeconds: (seconds: number) => void;
  };
}

export interface Taken {
  accepted: number;
  duplicates: number;
  rejectedTotal: number;
  rejected: RejectedRecord[];
  /** Set where the body could not be read to its end: completes "The body …". */
  brokenBecause?: string;
}

async function lookUp({ db }: Ctx, batch: RecordBatch<UsageRecord>): Promise<Known> {
  const names = batch.records.map(({ record: { device } }) => `${device.kind} ${device.value}`);
  const ids = new Map(batch.records.map(({ record }, n) => [names[n]!, record.device]));
  // In a transaction for the sake of a connection of its own: reads of one row do not queue behind thousands.
  return db.tx(
    async (tx) => {
      const found = await listDevicesByIdentifier(tx, [...ids.values()]);
      const accountNames = [...new Set(found.map((device) => device.accountName))];
      const listed = await listLedgerAccounts(tx, accountNames);
      const distinct = [...ids.keys()];
      const byName = new Map(found.map((device) => [distinct[device.nth - 1], device]));
      const devices = names.map((name) => byName.get(name));
      const accounts = new Map(listed.map((account) => [account.accountName, account]));
      return {
        devices,
        accounts,
        earlierPlans: await listEarlierPlans(tx, batch.records, { devices, accounts }),
      };
    },
    { readOnly: true },
  );
}

/**
 * Takes a feed of usage records batch by batch. While one batch is written the next is read and looked up, and no more:
 * that is all the memory a feed needs, whatever its length. Batches are written in the order of the feed. What was
 * committed when a feed breaks off stays, and feeding it again adds only the rest.
 */
export async function takeUsage(ctx: Ctx, bytes: AsyncIterable<Buffer>, policy: FeedPolicy): Promise<Taken> {
  const { turns, watch } = policy;
  const taken: Taken = { accepted: 0, duplicates: 0, rejectedTotal: 0, rejected: [] };
  const reject = (records: readonly RejectedRecord[]) => {
    taken.rejectedTotal += records.length;
    taken.rejected.push(...records.slice(0, REJECTED_MAX - taken.rejected.length));
    watch.records('rejected', records.length);
  };

  const write = async (batch: RecordBatch<UsageRecord>, known: Known) => {
    const startedMs = performance.now();
    const limits = { nowMs: ctx.now().getTime(), keptDays: policy.keptDays };
    const { parts, duplicates, rejected } = judgeRecords(batch.records, known, limits);
    const written = await Promise.all(
      [...parts].map(([ecpdId, records]) =>
        turns.pass(() => writeRecords(ctx, { ecpdId, records, accounts: known.accounts }, policy.evaluator)),
      ),
    );
    const orphans = written.flatMap((part) => part.orphans);
    const lost = orphans.map(({ line }) => ({ line, reason: 'device is not known' }));
    reject([...batch.rejected, ...rejected, ...lost].sort((a, b) => a.line - b.line));
    const accepted = written.reduce((sum, part) => sum + part.accepted, 0);
    const repeated = written.reduce((sum, part) => sum + part.duplicates, duplicates);
    taken.accepted += accepted;
    taken.duplicates += repeated;
    watch.records('accepted', accepted);
    watch.records('duplicate', repeated);
    watch.batchSeconds((performance.now() - startedMs) / 1_000);
  };

  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const batch of readRecords(bytes, readUsageRecord, BATCH)) {
      const known = await turns.pass(() => lookUp(ctx, batch));
      await writing;
      writing = write(batch, known);
      // Awaited one batch later, or at the end; until then a failure must not end the process.
      writing.catch(() => {});
    }
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    taken.brokenBecause = error.message;
  }
  await writing;
  return taken;
}
