import { addDays, type Cycle, type LocalDay } from '../../../kernel/bill-cycle.ts';
import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { type CountedUsage, loadCounted, type Step } from '../counted-usage.ts';
import type { CountedRecord, LedgerAccount } from '../ledger.ts';
import { linesOf } from '../line-months.ts';
import { drawBatch, listLedgerAccounts, placeBatch, waitForOthers } from '../sql-feed.ts';
import { daysIn, evaluationOf } from '../usage-cycle.ts';
import type { MoveWatcher } from '../usage-evaluator.ts';
import { countRecordsToMove, type MovedDay, type MovedLine, moveRecords } from './sql-move.ts';
import { holdLevelsAlone, holdUsageAlone, waitAsUsual } from './sql-seen-moves.ts';

/** Each line is one step, of all that it brought; one that brought nothing is none. */
function stepsOf(some: readonly CountedRecord[]): readonly Step[] {
  const byLine = Map.groupBy(some, ({ deviceId }) => deviceId);
  return [...byLine.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, own]) => ({ id: null, bytes: own.reduce((sum, { bytes }) => sum + bytes, 0) }))
    .filter(({ bytes }) => bytes > 0);
}

interface Moved {
  readonly planCode: string;
  readonly days: readonly MovedDay[];
  readonly cycles: readonly Cycle[];
  readonly nowMs: number;
}

/** What was moved, as the evaluator sees it: the counters of the new plan have grown, line by line. Nobody else adds to them. */
async function loadMoved(
  db: Db,
  account: LedgerAccount,
  { planCode, days, cycles, nowMs }: Moved,
): Promise<CountedUsage> {
  const { ecpdId, accountName } = account;
  const used = days.filter(([, , , bytes]) => bytes > 0);
  const records = used.map(([deviceId, day, , bytes]) => {
    return { id: null, accountName, deviceId, day, bytes, planCode };
  });
  const taken = used.map(([, , fromPlan, bytes], n) => ({
    ...records[n]!,
    planCode: fromPlan,
    bytes: -bytes,
  }));
  const evaluation = evaluationOf(records, new Map([[accountName, account]]), cycles, nowMs);
  const own = { ecpdId, records, lines: linesOf(records), counted: [] };
  const counted = await loadCounted(db, own, evaluation);
  return { ...counted, taken, cause: 'planChange', stepsOf };
}

/** What is moved in one transaction: feeds of the account wait for it. */
const RECORDS_MAX = 50_000;
const LINES_MAX = 100;

async function findLedgerAccount({ db }: Ctx, tenant: Tenant): Promise<LedgerAccount> {
  const [account] = await listLedgerAccounts(db, [tenant]);
  if (account === undefined) throw new Error('the account is held, and was not found');
  return account;
}

/** Lines, and the plan that their usage is going to count for. */
interface PlanMove {
  readonly planCode: string;
  readonly lines: readonly MovedLine[];
}

/** With the days of the lines' records; nothing was used after tomorrow, wherever the account was when it came. */
function inDays({ timeZone }: LedgerAccount, given: readonly MovedLine[], nowMs: number) {
  const { dayAt } = daysIn(timeZone);
  const lines = given.map((line) => ({ ...line, fromDay: dayAt(line.since.getTime()) }));
  const tomorrow = addDays(dayAt(nowMs), 1);
  const days: LocalDay[] = [];
  const first = lines.reduce((day, { fromDay }) => (fromDay < day ? fromDay : day), tomorrow);
  for (let day = first; day <= tomorrow; day = addDays(day, 1)) days.push(day);
  return { lines, days };
}

/**
 * Whoever is going to move usage of accounts, or to take lines out of them, calls it first in the transaction, before anything is
 * locked.
 */
export async function prepareMove(
  { db }: Ctx,
  ecpdId: string,
  accountNames: readonly string[],
): Promise<void> {
  await waitForOthers(db);
  await holdUsageAlone(db, ecpdId, accountNames);
  // Feeds wait from now on, and not for others too.
  await waitAsUsual(db);
}

/** How many of the lines, from the first on, can be moved at once; at least one. */
export async function countMovable(ctx: Ctx, tenant: Tenant, { planCode, lines }: PlanMove): Promise<number> {
  const few = lines.slice(0, LINES_MAX);
  const account = await findLedgerAccount(ctx, tenant);
  const move = { planCode, ...inDays(account, few, ctx.now().getTime()) };
  let left = RECORDS_MAX;
  const counts = await countRecordsToMove(ctx.db, tenant, move);
  const fitting = counts.findIndex((count) => {
    left -= count;
    return left < 0;
  });
  return fitting === -1 ? few.length : Math.max(1, fitting);
}

/**
 * All usage of the lines since a time, each line's own, counts for the plan from now on: ledger, counters and bills change
 * together, and what the counters of the plan have passed by it is evaluated. Call it in the transaction that has put the lines on
 * the plan, and has called `prepareMove` first.
 */
export async function moveUsage(
  ctx: Ctx,
  tenant: Tenant,
  { requestId, planCode, lines }: PlanMove & { readonly requestId: string },
  { cyclesOf, evaluateMove }: MoveWatcher,
): Promise<void> {
  if (lines.length === 0) return;
  const { db } = ctx;
  const { ecpdId } = tenant;
  const movedAt = ctx.now();
  await holdLevelsAlone(db, tenant);
  const account = await findLedgerAccount(ctx, tenant);
  const batchNo = await drawBatch(db);
  const move = { planCode, movedAt, ...inDays(account, lines, movedAt.getTime()) };
  const { days } = await moveRecords(db, tenant, batchNo, move);
  const cycles = await cyclesOf(ctx, ecpdId);
  if (cycles.length > 0 && days.some(([, , , bytes]) => bytes > 0)) {
    const moved = { planCode, days, cycles, nowMs: movedAt.getTime() };
    await evaluateMove(ctx, tenant, requestId, await loadMoved(db, account, moved));
  }
  await placeBatch(db, ecpdId, batchNo, movedAt);
}
