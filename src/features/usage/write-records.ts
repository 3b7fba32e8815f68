import { CYCLES, type Cycle } from '../../kernel/bill-cycle.ts';
import { type Ctx, inTx } from '../../platform/context/context.ts';
import { accountDaysOf, billDaysOf, groupAlike } from './alike-records.ts';
import { loadCounted } from './counted-usage.ts';
import type { LedgerAccount, LedgerRecord } from './ledger.ts';
import { grownMonths, linesOf } from './line-months.ts';
import { replanRecords } from './moving/replan-records.ts';
import { shareUsage } from './moving/sql-seen-moves.ts';
import { recordTransactions } from './services/record-transactions.ts';
import { addToAccountDays, addToBillDays } from './sql-counters.ts';
import {
  drawBatch,
  holdAccounts,
  lockAccounts,
  placeBatch,
  shareUnwatched,
  waitForOthers,
} from './sql-feed.ts';
import { countLines, insertLedgerRows, insertNewIds, type RepeatingFeeds } from './sql-insert-records.ts';
import { evaluationOf } from './usage-cycle.ts';
import type { UsageEvaluator, WatchServices } from './usage-evaluator.ts';

export interface Part {
  readonly ecpdId: string;
  readonly records: readonly LedgerRecord[];
  readonly accounts: ReadonlyMap<string, LedgerAccount>;
  /** Profiles that repeat records; absent for senders that never do. */
  readonly repeating?: RepeatingFeeds | undefined;
}

interface Written {
  readonly accepted: number;
  readonly duplicates: number;
  /** Records of accounts that were deleted before the records were written. */
  readonly orphans: readonly LedgerRecord[];
}

const isData = ({ serviceName }: LedgerRecord): boolean => serviceName === undefined;

/** Counts uses of metered services, once for each record; they are not data. */
const countServiceUse = (ctx: Ctx, ecpdId: string, records: readonly LedgerRecord[], watch: WatchServices) =>
  recordTransactions(
    ctx,
    ecpdId,
    records.flatMap(({ serviceName, accountName, id, deviceId, atMs }) =>
      serviceName === undefined
        ? []
        : [{ accountName, serviceName, requestRef: id, deviceId, at: new Date(atMs) }],
    ),
    watch,
  );

/** For statements sent one after the other: if the first fails, so does the second, and only the first error gives the reason. */
async function together<A, B>(first: Promise<A>, second: Promise<B>): Promise<readonly [A, B]> {
  second.catch(() => {});
  return [await first, await second];
}

/** The evaluation of another cycle began after the batch did. */
class NewCycle extends Error {}

/** Called under the locks that a start of evaluation waits for: usage of its cycle would be counted and never compared. */
async function requireSameCycles(
  ctx: Ctx,
  ecpdId: string,
  known: readonly Cycle[],
  { cyclesOf }: UsageEvaluator,
): Promise<void> {
  const cycles = await cyclesOf(ctx, ecpdId);
  if (cycles.some((cycle) => !known.includes(cycle))) throw new NewCycle();
}

/** Writes the part of a batch that belongs to one profile: ledger, counters and everything that triggers do commit together. */
export async function writeRecords(outer: Ctx, part: Part, evaluator: UsageEvaluator): Promise<Written> {
  // Each retry finds at least one more cycle, and there are three of them.
  for (let attempt = 0; ; attempt++)
    try {
      return await writeOnce(outer, part, evaluator);
    } catch (error) {
      if (!(error instanceof NewCycle) || attempt === CYCLES.length) throw error;
    }
}

const writeOnce = (outer: Ctx, part: Part, evaluator: UsageEvaluator): Promise<Written> =>
  inTx(
    outer,
    async (ctx) => {
      const { ecpdId } = part;
      const takenAt = ctx.now();
      await waitForOthers(ctx.db);
      const named = [...new Set(part.records.map((record) => record.accountName))];
      await shareUsage(ctx.db, ecpdId, named);
      const [locked, batchNo] = await Promise.all([lockAccounts(ctx.db, ecpdId, named), drawBatch(ctx.db)]);
      const alive = new Set(locked.map(({ accountName }) => accountName));
      const orphans =
        alive.size === named.length ? [] : part.records.filter((record) => !alive.has(record.accountName));
      const kept =
        orphans.length === 0 ? part.records : part.records.filter((record) => alive.has(record.accountName));
      const records = await replanRecords(ctx.db, ecpdId, kept, { known: part.accounts, now: locked });
      if (records.length === 0) return { accepted: 0, duplicates: 0, orphans };
      const cycles = await evaluator.cyclesOf(ctx, ecpdId);
      const evaluation =
        cycles.length === 0 ? undefined : evaluationOf(records, part.accounts, cycles, takenAt.getTime());
      const batch = { batchNo, takenAt, repeating: part.repeating };
      const fresh = await insertNewIds(ctx.db, ecpdId, records, batch);
      const data = fresh.every(isData) ? fresh : fresh.filter(isData);
      const alike = groupAlike(fresh);
      const lines = linesOf(data);
      const [counted] = await together(
        data.length === 0
          ? Promise.resolve([])
          : countLines(ctx.db, ecpdId, grownMonths(lines), evaluation?.days ?? []),
        fresh.length === 0 ? Promise.resolve(0) : insertLedgerRows(ctx.db, ecpdId, alike, batch),
      );
      await countServiceUse(ctx, ecpdId, fresh, evaluator.watchServices);
      if (data.length > 0) {
        // A cycle has several counters: comparing their sum requires all that other batches added to any of them.
        if (evaluation !== undefined) await holdAccounts(ctx.db, ecpdId, named);
        else await shareUnwatched(ctx.db, ecpdId);
        await requireSameCycles(ctx, ecpdId, cycles, evaluator);
        const billDays = billDaysOf(alike);
        await together(
          addToBillDays(ctx.db, ecpdId, billDays),
          addToAccountDays(ctx.db, ecpdId, accountDaysOf(billDays)),
        );
        if (evaluation !== undefined) {
          const own = { ecpdId, records: data, lines, counted };
          await evaluator.evaluate(ctx, ecpdId, await loadCounted(ctx.db, own, evaluation));
        }
        await placeBatch(ctx.db, ecpdId, batchNo, takenAt);
      }
      return { accepted: fresh.length, duplicates: records.length - fresh.length, orphans };
    },
    part.ecpdId,
  );
