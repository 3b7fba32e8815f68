import { Type } from 'typebox';
import type { Cycle } from '../../../kernel/bill-cycle.ts';
import { calendarOf } from '../../../kernel/calendar.ts';
import { type Ctx, inTx } from '../../../platform/context/context.ts';
import { enqueueJobs } from '../../../platform/jobs/enqueue.ts';
import {
  type KeepLevels,
  listTriggerIds,
  listTriggersById,
  parseRule,
  placeRules,
  type Rule,
} from '../../price-plan-triggers/index.ts';
import { dropActions } from '../../trigger-actions/index.ts';
import { timeliness, waitForUnwatched } from '../../usage/index.ts';
import { ledByClosings, scheduleClosings } from '../closings/schedule.ts';
import { listCycles } from '../sql-counters.ts';
import { keepLeaders, type LedSum } from './leaders.ts';
import type { CycleAccount } from './level.ts';
import { levelsOf } from './levels-of.ts';
import {
  deleteLevels,
  holdAccounts,
  insertBehind,
  insertLevels,
  insertSums,
  listComparedAccounts,
  type OpenCycle,
} from './sql-levels.ts';

interface WrittenTrigger {
  readonly triggerId: string;
  readonly active: boolean;
  readonly rule: Rule;
}

/** The open cycle, and closed ones in which late usage still fires. */
function openAndLateCycles(account: CycleAccount, cycle: Cycle, nowMs: number): OpenCycle[] {
  const { cycleAt, dayAt, daysOf } = calendarOf(account);
  const { accountName } = account;
  const found: OpenCycle[] = [];
  let span = cycleAt(cycle, nowMs);
  for (; timeliness(span.toMs, nowMs) !== 'over'; span = cycleAt(cycle, span.fromMs - 1))
    found.push({ accountName, cycle, key: dayAt(span.fromMs), ...daysOf(span) });
  return found;
}

/** A sum may be compared with usage and checked at its end. */
const distinct = <T extends LedSum>(sums: readonly T[]): T[] => [
  ...new Map(sums.map((sum) => [`${sum.triggerId} ${sum.cycle} ${sum.subject}`, sum])).values(),
];

/**
 * Writes the levels that arriving usage is compared with from now on, in the transaction that writes the triggers.
 * Nothing fires here: a counter that is already beyond a level fires with its next usage.
 */
async function writeLevels(ctx: Ctx, ecpdId: string, triggers: readonly WrittenTrigger[]): Promise<void> {
  if (triggers.length === 0) return;
  const { db } = ctx;
  const active = triggers.filter((trigger) => trigger.active);
  const place = await placeRules(
    ctx,
    ecpdId,
    active.map(({ rule }) => rule),
  );
  const written = active.map(({ triggerId, rule }) => ({ triggerId, ...levelsOf(place(rule)) }));
  const counters = written.flatMap(({ triggerId, counters }) =>
    counters.map((level) => ({ triggerId, ...level })),
  );
  const sums = written.flatMap(({ triggerId, sums }) => sums.map((sum) => ({ triggerId, ...sum })));
  const closings = written.flatMap(({ triggerId, closings }) =>
    closings.map((closing) => ({ triggerId, ...closing })),
  );
  const triggerIds = triggers.map(({ triggerId }) => triggerId);
  const comparedAccounts = new Set([
    ...(await listComparedAccounts(db, ecpdId, triggerIds)),
    ...counters.map(({ accountName }) => accountName),
    ...sums.flatMap(({ members }) => members.map(({ accountName }) => accountName)),
    ...closings.map(({ accountName }) => accountName),
  ]);
  const accounts = await holdAccounts(db, ecpdId, [...comparedAccounts]);
  // Every batch of a profile with levels is compared. The writer of the first level waits for batches that are not.
  if (counters.length + sums.length > 0 && (await listCycles(db, ecpdId)).length === 0)
    await waitForUnwatched(db, ecpdId);
  await keepLeaders(db, ecpdId, distinct([...sums, ...ledByClosings(closings)]), ctx.now());
  await scheduleClosings(ctx, ecpdId, { triggerIds, closings, accounts });
  await deleteLevels(db, ecpdId, triggerIds);
  if (sums.length > 0) await insertSums(db, ecpdId, sums);
  if (counters.length === 0) return;
  await insertLevels(db, ecpdId, counters);
  const cycles = new Set(counters.map(({ cycle }) => cycle));
  const open = accounts.flatMap((account) =>
    [...cycles].flatMap((cycle) => openAndLateCycles(account, cycle, ctx.now().getTime())),
  );
  await insertBehind(db, ecpdId, triggerIds, open);
}

/** Bodies are up to 1 MiB, so only this many are read at a time. */
const READ_PAGE = 100;
/** Writing levels compares the counters of all named accounts. A large import does so once for up to this many names. */
const NAMED_ACCOUNTS_MAX = 10_000;

const namedBy = (rule: Rule): number => (rule.kind === 'payAsYouGo' ? rule.accountNames.length : 1);

/** Rewrites the levels of existing triggers, from their present rules and what these refer to, in the caller's transaction. */
async function refreshLevels(ctx: Ctx, ecpdId: string, triggerIds: readonly string[]): Promise<void> {
  let read: WrittenTrigger[] = [];
  let named = 0;
  for (let from = 0; from < triggerIds.length; from += READ_PAGE) {
    for (const { triggerId, active, body } of await listTriggersById(
      ctx.db,
      ecpdId,
      triggerIds.slice(from, from + READ_PAGE),
    )) {
      const rule = parseRule(body.pricePlanTrigger).value;
      if (rule === undefined) continue;
      read.push({ triggerId, active, rule });
      named += namedBy(rule);
    }
    if (named < NAMED_ACCOUNTS_MAX && from + READ_PAGE < triggerIds.length) continue;
    await writeLevels(ctx, ecpdId, read);
    read = [];
    named = 0;
  }
}

export const keepLevels: KeepLevels = {
  async holdAccounts({ db }, ecpdId, triggerIds, accountNames) {
    const compared = await listComparedAccounts(db, ecpdId, triggerIds);
    await holdAccounts(db, ecpdId, [...new Set([...compared, ...accountNames])]);
  },
  async refresh(ctx, ecpdId, triggerIds) {
    await refreshLevels(ctx, ecpdId, triggerIds);
    await dropActions(ctx, ecpdId, triggerIds);
  },
};

export const REFRESH_LEVELS = {
  kind: 'price-plan-triggers.follow-accounts',
  schema: Type.Object({}),
  attemptsMax: 20,
} as const;

/**
 * Called after an account was deleted, so that sums with its cycles continue with those of the next account, and after
 * plans or groups changed, because
 * percentages of an allowance are now other numbers of bytes, or a pool has other members. It runs in transactions of
 * its own: the caller's may be long, and feeds wait for the accounts whose levels are written. Each call gets a job of its own: one that already runs may
 * have read too early.
 */
export const refreshLevelsLater = (ctx: Ctx, ecpdId: string) =>
  enqueueJobs(ctx, REFRESH_LEVELS, ecpdId, [{ payload: {} }]);

/** Feeds of the named accounts wait for each page. */
const PAGE = 10;

const versionsOf = async ({ db }: Ctx, ecpdId: string, triggerIds: readonly string[]): Promise<string> =>
  (await listTriggersById(db, ecpdId, triggerIds))
    .map(({ triggerId, version }) => `${triggerId} ${version}`)
    .sort()
    .join();

export async function refreshAllLevels(ctx: Ctx, ecpdId: string, signal: AbortSignal): Promise<void> {
  const all = await listTriggerIds(ctx.db, ecpdId);
  for (let from = 0; from < all.length; from += PAGE) {
    // A job that is handed back starts again. One that returned would count as done without the rest.
    signal.throwIfAborted();
    const page = all.slice(from, from + PAGE);
    await inTx(ctx, async (inner) => {
      const before = await versionsOf(inner, ecpdId, page);
      await refreshLevels(inner, ecpdId, page);
      // From here on, changes wait for the held accounts. A change made before has written levels that must not be overwritten.
      if ((await versionsOf(inner, ecpdId, page)) !== before)
        throw new Error('a trigger was changed while its levels were written');
    });
  }
}
