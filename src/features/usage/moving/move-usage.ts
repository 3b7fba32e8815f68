import { addDays, type LocalDay } from '../../../kernel/bill-cycle.ts';
import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import type { MoveWatcher } from '../evaluate-usage.ts';
import type { LedgerAccount } from '../ledger.ts';
import { daysIn } from '../local-days.ts';
import { listLedgerAccounts, placeBatch, waitForOthers } from '../sql-feed.ts';
import { readMoved } from './read-moved.ts';
import { countRecordsToMove, drawBatch, type MovedLine, moveRecords } from './sql-move.ts';
import { holdLevelsAlone, holdUsageAlone, waitAsUsual } from './sql-seen-moves.ts';

/** What is moved in one transaction: feeds of the account wait for it. */
const RECORDS_MAX = 50_000;
const LINES_MAX = 100;

async function findLedgerAccount({ db }: Ctx, { accountName }: Tenant): Promise<LedgerAccount> {
  const [account] = await listLedgerAccounts(db, [accountName]);
  if (account === undefined) throw new Error('the account is held, and was not found');
  return account;
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
export async function countMovable(
  ctx: Ctx,
  tenant: Tenant,
  { planCode, lines }: { readonly planCode: string; readonly lines: readonly MovedLine[] },
): Promise<number> {
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
 * together, and what the counters of the plan have passed by it is looked at. Call it in the transaction that has put the lines on
 * the plan, and has called `prepareMove` first.
 */
export async function moveUsage(
  ctx: Ctx,
  tenant: Tenant,
  {
    requestId,
    planCode,
    lines,
  }: { readonly requestId: string; readonly planCode: string; readonly lines: readonly MovedLine[] },
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
    const watch = { cycles, nowMs: movedAt.getTime() };
    await evaluateMove(ctx, tenant, requestId, await readMoved(db, account, { planCode, days }, watch));
  }
  await placeBatch(db, ecpdId, batchNo, movedAt);
}
