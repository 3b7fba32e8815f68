import { Type } from 'typebox';
import type { LocalDay } from '../../kernel/bill-cycle.ts';
import { type Boundaries, calendarOf, dateOf } from '../../kernel/calendar.ts';
import type { Ctx } from '../../platform/context/context.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue.ts';
import { defineJob } from '../../platform/jobs/job.ts';
import { type Callback, postCallbacks } from '../callbacks/index.ts';
import { postNotifications } from '../notifications/index.ts';
import type { Rule } from '../price-plan-triggers/index.ts';
import { alertFor, lineRefs, notifiedAccounts } from './alert.ts';
import { type Facts, findGroupsOf, gatherFacts } from './facts.ts';
import { noticesOf, SUBJECTS_LISTED } from './notice.ts';
import type { NotifiedFiring } from './notified-firing.ts';
import { findPresent, type PresentTrigger, recallFirings } from './recall-firings.ts';
import { slicesOf } from './slices.ts';
import { findBoundaries } from './sql-facts.ts';
import {
  countEntries,
  countEntriesByAccount,
  deleteEntries,
  deleteSummary,
  holdSummary,
  insertEntries,
  type SummaryKey,
  shareSummaries,
} from './sql-summary.ts';
import { firedText } from './words.ts';

/** Enough for each listed subject with all levels that it may have passed. */
const FIRINGS_LISTED = 4 * SUBJECTS_LISTED;
const ACCOUNTS_AT_ONCE = 50;
/** At most this many in a callback's message; the list of firings has all of them. */
const FIRINGS_QUOTED = 10;

/** One callback about the last firing; its message and lines cover all firings. */
function alertsOfDay(
  firings: readonly NotifiedFiring[],
  subjects: number,
  occasion: string,
  facts: Facts,
): Callback[] {
  const last = firings.at(-1);
  if (last === undefined || !last.trigger.notifies.callback) return [];
  const lines = [...new Map(firings.map((firing) => [firing.subject, firing])).values()];
  const deviceIds = lines.slice(0, SUBJECTS_LISTED).flatMap((firing) => lineRefs(firing, facts));
  const quoted = firings.slice(0, FIRINGS_QUOTED).map((firing) => firedText(firing, facts));
  const more = firings.length > FIRINGS_QUOTED ? '; and more' : '';
  const message = `${occasion}, ${last.trigger.notifies.severity}: fired for ${subjects}. ${quoted.join('; ')}${more}.`;
  const { cause, ...others } = last;
  const shown = firings.every((firing) => firing.cause === cause) ? last : others;
  return notifiedAccounts(last, facts).map((accountName) =>
    alertFor(shown, facts, { accountName, message, deviceIds }),
  );
}

interface Day extends SummaryKey {
  readonly occasion: string;
  readonly present: PresentTrigger | undefined;
}

/** Sends each account one callback about its own lines. */
async function notifyListeners(ctx: Ctx, ecpdId: string, day: Day): Promise<void> {
  for (let after = ''; ; ) {
    const page = { after, listed: FIRINGS_LISTED, limit: ACCOUNTS_AT_ONCE };
    const accounts = await countEntriesByAccount(ctx.db, ecpdId, day, page);
    if (accounts.length === 0) return;
    const ids = accounts.flatMap(({ firingIds }) => firingIds);
    const firings = await recallFirings(ctx, ecpdId, ids, day.present);
    const facts = await gatherFacts(ctx, ecpdId, firings);
    const ofAccount = Map.groupBy(firings, ({ accountName }) => accountName);
    const alerts = accounts.flatMap(({ accountName, subjects }) =>
      alertsOfDay(ofAccount.get(accountName) ?? [], subjects, day.occasion, facts),
    );
    await postCallbacks(ctx, ecpdId, alerts);
    after = accounts.at(-1)!.accountName;
  }
}

async function notifyPeople(ctx: Ctx, ecpdId: string, day: Day): Promise<void> {
  const { subjects, firingIds } = await countEntries(ctx.db, ecpdId, day, FIRINGS_LISTED);
  const firings = await recallFirings(ctx, ecpdId, firingIds, day.present);
  const last = firings.at(-1);
  if (last === undefined) return;
  const named = new Set(firings.map(({ subject }) => subject));
  const notice = {
    trigger: last.trigger,
    firings,
    unlisted: subjects - named.size,
    occasion: day.occasion,
    dedupeKey: `summary ${day.triggerId} ${day.day}`,
  };
  await postNotifications(ctx, ecpdId, noticesOf(notice, await gatherFacts(ctx, ecpdId, firings)));
}

/** Sends one summary of the trigger's firings on the day, even if it was changed or deleted since; nothing without firings. */
export async function sendSummary(ctx: Ctx, ecpdId: string, summary: SummaryKey): Promise<void> {
  const { triggerId } = summary;
  await holdSummary(ctx.db, ecpdId, triggerId);
  const present = await findPresent(ctx, ecpdId, triggerId);
  const day = { ...summary, present, occasion: `Summary of ${dateOf(summary.day)}` };
  await notifyListeners(ctx, ecpdId, day);
  await notifyPeople(ctx, ecpdId, day);
  await deleteEntries(ctx.db, ecpdId, summary);
  if (present === undefined) await deleteSummary(ctx.db, ecpdId, triggerId);
}

/** The messages and the deletion of the day's entries commit together: a day is sent once, however late. */
export const sumUpDay = defineJob({
  kind: 'price-plan-triggers.sum-up',
  schema: Type.Object({ triggerId: Type.String(), day: Type.String() }),
  attemptsMax: 10,
  commits: 'transaction',
  async run(ctx, summary, { ecpdId }) {
    await sendSummary(ctx, ecpdId, summary);
    return undefined;
  },
});

const ROWS_AT_ONCE = 5_000;

const IN_UTC: Boundaries = { timeZone: 'UTC', billCycleDay: 1, boundaries: null };

/** The days of the first existing account: a trigger has one day, wherever its lines are. */
async function boundariesOf(ctx: Ctx, ecpdId: string, firings: readonly NotifiedFiring[]) {
  const rules = [...new Map(firings.map(({ triggerId, trigger }) => [triggerId, trigger.rule])).values()];
  const groups = await findGroupsOf(ctx, ecpdId, firings);
  const namesOf = (rule: Rule): readonly string[] =>
    rule.kind === 'payAsYouGo' ? rule.accountNames : (groups.get(rule.ratePlanGroupId) ?? []);
  const firsts = rules.flatMap((rule) => namesOf(rule).slice(0, 1));
  const found = await findBoundaries(ctx.db, ecpdId, [...new Set(firsts)]);
  // The first account was deleted: the next one counts, as for joint usage.
  const others = rules.flatMap((rule) => (found.has(namesOf(rule)[0] ?? '') ? [] : namesOf(rule)));
  const known =
    others.length === 0
      ? found
      : new Map([...found, ...(await findBoundaries(ctx.db, ecpdId, [...new Set(others)]))]);
  return ({ trigger: { rule } }: NotifiedFiring): Boundaries =>
    known.get(namesOf(rule).find((name) => known.has(name)) ?? '') ?? IN_UTC;
}

/** Called in the transaction of the firings. They are sent with all others of their trigger when the local day has ended. */
export async function collectForSummaries(
  ctx: Ctx,
  ecpdId: string,
  firings: readonly NotifiedFiring[],
): Promise<void> {
  const boundariesFor = await boundariesOf(ctx, ecpdId, firings);
  await shareSummaries(ctx.db, ecpdId, [...new Set(firings.map(({ triggerId }) => triggerId))]);
  // Read the time only now: the summary of the previous day may have been sent while this waited for the lock.
  const nowMs = ctx.now().getTime();
  const days = new Map<string, { triggerId: string; day: LocalDay; dueAt: Date }>();
  const entries = firings.map((firing) => {
    const { triggerId, firingId, accountName, subject } = firing;
    const { cycleAt, dayAt } = calendarOf(boundariesFor(firing));
    const { fromMs, toMs } = cycleAt('Daily', nowMs);
    const day = dayAt(fromMs);
    if (!days.has(triggerId)) days.set(triggerId, { triggerId, day, dueAt: new Date(toMs) });
    return { triggerId, day, firingId, accountName, subject };
  });
  for (const slice of slicesOf(entries, ROWS_AT_ONCE)) await insertEntries(ctx.db, ecpdId, slice);
  await enqueueJobs(
    ctx,
    sumUpDay,
    ecpdId,
    [...days.values()].map(({ triggerId, day, dueAt }) => ({
      payload: { triggerId, day },
      dueAt,
      // Another first account can have the same date again, and end it later.
      key: `${triggerId} ${day} ${dueAt.toISOString()}`,
    })),
  );
}
