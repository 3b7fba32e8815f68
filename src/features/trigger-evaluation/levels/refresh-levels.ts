import { Type } from 'typebox';
import { addDays, type Cycle, cycleOf, type LocalDay } from '../../../kernel/bill-cycle.ts';
import { type Ctx, inTx } from '../../../platform/context/context.ts';
import { enqueueJobs } from '../../../platform/jobs/enqueue.ts';
import {
  type KeepLevels,
  listProfilesWithTriggers,
  listTriggerIds,
  listTriggersById,
  parseRule,
  placeRules,
  type Rule,
} from '../../price-plan-triggers/index.ts';
import { daysIn, timeliness, waitForUnwatched } from '../../usage/index.ts';
import { scheduleClosings } from '../closings/schedule.ts';
import { listCycles } from '../sql-counters.ts';
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

/** Late usage fires for three days: so far back begin the cycles that a trigger can still fire in. */
const DAYS_BACK = 4;

/** The open cycle, and those that closed so lately that usage which comes for them still fires. */
function cyclesThatCount(
  { accountName, timeZone, billCycleDay }: CycleAccount,
  cycle: Cycle,
  nowMs: number,
): OpenCycle[] {
  const { dayAt, startOf } = daysIn(timeZone);
  const found = new Map<LocalDay, OpenCycle>();
  for (let back = 0; back <= DAYS_BACK; back++) {
    const span = cycleOf(cycle, addDays(dayAt(nowMs), -back), billCycleDay);
    if (timeliness(startOf(span.to), nowMs) !== 'over') found.set(span.from, { accountName, cycle, ...span });
  }
  return [...found.values()];
}

/**
 * What arriving usage is compared with from now on, for triggers that were written, in the transaction that wrote them.
 * Nothing fires by it: a counter that is beyond a level already fires with its next usage.
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
    closings.map(({ accountName, cycle }) => ({ triggerId, accountName, cycle })),
  );
  const triggerIds = triggers.map(({ triggerId }) => triggerId);
  const looked = new Set([
    ...(await listComparedAccounts(db, ecpdId, triggerIds)),
    ...counters.map(({ accountName }) => accountName),
    ...sums.flatMap(({ members }) => members.map(({ accountName }) => accountName)),
    ...closings.map(({ accountName }) => accountName),
  ]);
  const accounts = await holdAccounts(db, ecpdId, [...looked]);
  // Of a profile with levels every batch is compared: whoever writes the first waits for those that are not.
  if (counters.length + sums.length > 0 && (await listCycles(db, ecpdId)).length === 0)
    await waitForUnwatched(db, ecpdId);
  await scheduleClosings(ctx, ecpdId, { triggerIds, closings, accounts });
  await deleteLevels(db, ecpdId, triggerIds);
  if (sums.length > 0) await insertSums(db, ecpdId, sums);
  if (counters.length === 0) return;
  await insertLevels(db, ecpdId, counters);
  const cycles = new Set(counters.map(({ cycle }) => cycle));
  const open = accounts.flatMap((account) =>
    [...cycles].flatMap((cycle) => cyclesThatCount(account, cycle, ctx.now().getTime())),
  );
  await insertBehind(db, ecpdId, triggerIds, open);
}

/** Bodies are up to 1 MiB: so many are read at a time. */
const READ_PAGE = 100;
/** To write levels the counters of all their accounts are compared at once: not for every few triggers of a large import. */
const NAMED_MAX = 10_000;

const namedBy = (rule: Rule): number => (rule.kind === 'payAsYouGo' ? rule.accountNames.length : 1);

/** Levels of triggers that exist, from what they and what they speak of say now, in the caller's transaction. */
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
    if (named < NAMED_MAX && from + READ_PAGE < triggerIds.length) continue;
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
  refresh: refreshLevels,
};

/** After plans have changed: percentages of an allowance are other numbers of bytes now. */
export async function refreshPlanLevels(ctx: Ctx): Promise<void> {
  for (const ecpdId of await listProfilesWithTriggers(ctx.db)) await refreshGroupLevels(ctx, ecpdId);
}

/** After the groups of a profile have changed: a pool has other members now. */
export const refreshGroupLevels = async (ctx: Ctx, ecpdId: string): Promise<void> =>
  refreshLevels(ctx, ecpdId, await listTriggerIds(ctx.db, ecpdId));

export const REFRESH_LEVELS = {
  kind: 'price-plan-triggers.follow-accounts',
  schema: Type.Object({}),
  attemptsMax: 20,
} as const;

/**
 * After an account was deleted: what had its cycles goes on with those of the next one. After its cycles were moved: what
 * is beyond its levels by that is found. Not in the same transaction, which holds the account and must not wait for others.
 * One that is under way already may have looked too early: whoever comes later has a job of their own.
 */
export const refreshLevelsLater = (ctx: Ctx, ecpdId: string) =>
  enqueueJobs(ctx, REFRESH_LEVELS, ecpdId, [{ payload: {}, key: ctx.now().toISOString() }]);

const PAGE = 100;

const versionsOf = async ({ db }: Ctx, ecpdId: string, triggerIds: readonly string[]): Promise<string> =>
  (await listTriggersById(db, ecpdId, triggerIds))
    .map(({ triggerId, version }) => `${triggerId} ${version}`)
    .sort()
    .join();

export async function refreshAllLevels(ctx: Ctx, ecpdId: string, signal: AbortSignal): Promise<void> {
  const all = await listTriggerIds(ctx.db, ecpdId);
  for (let from = 0; from < all.length; from += PAGE) {
    // Handed back it begins again; one that returned would be done, without the rest.
    signal.throwIfAborted();
    const page = all.slice(from, from + PAGE);
    await inTx(ctx, async (inner) => {
      const before = await versionsOf(inner, ecpdId, page);
      await refreshLevels(inner, ecpdId, page);
      // Whoever changes one now waits for the accounts that are held; who was before wrote what must not be undone.
      if ((await versionsOf(inner, ecpdId, page)) !== before)
        throw new Error('a trigger was changed while its levels were written');
    });
  }
}
