import { addDays, type Cycle, type LocalDay } from '../../../kernel/bill-cycle.ts';
import { calendarOf, dateOf } from '../../../kernel/calendar.ts';
import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { type CountedUsage, loadCounted, type Step } from '../counted-usage.ts';
import type { CountedRecord, LedgerAccount } from '../ledger.ts';
import { linesOf } from '../line-months.ts';
import { drawBatch, listLedgerAccounts, placeBatch, waitForOthers } from '../sql-feed.ts';
import { evaluationOf } from '../usage-cycle.ts';
import type { MoveWatcher } from '../usage-evaluator.ts';
import { countRecordsToMove, type MovedDay, type MovedLine, moveRecords } from './sql-move.ts';
import { holdLevelsAlone, holdUsageAlone, waitAsUsual } from './sql-seen-moves.ts';

/** Each line is one step with all its bytes. A line that adds no bytes is no step. */
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

/** The moved usage as the evaluator sees it: the counters of the new plan grew, line by line. Nothing else adds to them. */
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

/** At most this much is moved in one transaction, because feeds of the account wait for it. */
const RECORDS_MAX = 50_000;
const LINES_MAX = 100;

async function findLedgerAccount({ db }: Ctx, tenant: Tenant): Promise<LedgerAccount> {
  const [account] = await listLedgerAccounts(db, [tenant]);
  if (account === undefined) throw new Error('the account is held, and was not found');
  return account;
}

/** Lines, and the plan that their usage will count for. */
interface PlanMove {
  readonly planCode: string;
  readonly lines: readonly MovedLine[];
}

/** A change of zone across the date line repeats dates. */
const DATES_BACK = 2;

/** Adds the days of the lines' records. No usage is later than tomorrow, in whichever zone the account was when it arrived. */
function inDays(account: LedgerAccount, given: readonly MovedLine[], nowMs: number) {
  const { datesOf, dayAt } = calendarOf(account);
  const lines = given.map((line) => ({
    ...line,
    fromDay: addDays(dateOf(dayAt(line.since.getTime())), -DATES_BACK),
  }));
  const end = addDays(dateOf(dayAt(nowMs)), 2);
  const from = lines.reduce((day, { fromDay }) => (fromDay < day ? fromDay : day), end);
  const days: LocalDay[] = [...datesOf({ from, to: end }).pieces];
  for (let day = from; day < end; day = addDays(day, 1)) days.push(day);
  return { lines, days };
}

/** Call this before moving usage of accounts or removing lines from them, first in the transaction and before any other lock. */
export async function prepareMove(
  { db }: Ctx,
  ecpdId: string,
  accountNames: readonly string[],
): Promise<void> {
  await waitForOthers(db);
  await holdUsageAlone(db, ecpdId, accountNames);
  // Feeds wait from now on: do not wait as long as they do for other locks.
  await waitAsUsual(db);
}

/** How many of the lines, counted from the first, can be moved at once; at least one. */
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
 * From now on all usage of each line since its `since` counts for the plan. Ledger, counters and bills change together,
 * and the levels that the plan's counters pass are evaluated. Call this in the transaction that put the lines on the
 * plan, after `prepareMove`.
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
