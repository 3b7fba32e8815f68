import type { Ctx } from '../../../../platform/context/context.ts';
import { type Callback, postCallbacks } from '../../../callbacks/index.ts';
import { postNotifications } from '../../../notifications/index.ts';
import { alertFor, lineRefs, toldAccounts } from '../alert.ts';
import type { Facts } from '../facts.ts';
import { gatherFacts } from '../gather-facts.ts';
import { noticesOf, SUBJECTS_LISTED } from '../notice.ts';
import { findPresent, type PresentTrigger, recallFirings } from '../recall-firings.ts';
import type { ToldFiring } from '../told-firing.ts';
import { firedText } from '../words.ts';
import {
  countEntries,
  countEntriesByAccount,
  deleteEntries,
  deleteSummary,
  holdSummary,
  type SummaryKey,
} from './sql-summary.ts';

/** Each subject with the levels that it may have passed. */
const FIRINGS_LISTED = 4 * SUBJECTS_LISTED;
const ACCOUNTS_AT_ONCE = 50;
/** Of a callback's message: who wants all of them asks for the firings. */
const FIRINGS_SAID = 10;

interface OfAccount {
  readonly subjects: number;
  readonly firings: readonly ToldFiring[];
}

/** One callback, about the last that fired; the message and the lines are of all. */
function alertsOfDay({ subjects, firings }: OfAccount, occasion: string, facts: Facts): Callback[] {
  const last = firings.at(-1);
  if (last === undefined || !last.trigger.notifies.callback) return [];
  const lines = [...new Map(firings.map((firing) => [firing.subject, firing])).values()];
  const deviceIds = lines.slice(0, SUBJECTS_LISTED).flatMap((firing) => lineRefs(firing, facts));
  const said = firings.slice(0, FIRINGS_SAID).map((firing) => firedText(firing, facts));
  const more = firings.length > FIRINGS_SAID ? '; and more' : '';
  const message = `${occasion}, ${last.trigger.notifies.severity}: fired for ${subjects}. ${said.join('; ')}${more}.`;
  const { cause, ...others } = last;
  const shown = firings.every((firing) => firing.cause === cause) ? last : others;
  return toldAccounts(last, facts).map((accountName) =>
    alertFor(shown, facts, { accountName, message, deviceIds }),
  );
}

interface Day extends SummaryKey {
  readonly occasion: string;
  readonly present: PresentTrigger | undefined;
}

/** One callback for each account, of its own lines. */
async function listenerNotifier(ctx: Ctx, ecpdId: string, day: Day): Promise<void> {
  for (let after = ''; ; ) {
    const page = { after, listed: FIRINGS_LISTED, limit: ACCOUNTS_AT_ONCE };
    const accounts = await countEntriesByAccount(ctx.db, ecpdId, day, page);
    if (accounts.length === 0) return;
    const ids = accounts.flatMap(({ firingIds }) => firingIds);
    const firings = await recallFirings(ctx, ecpdId, ids, day.present);
    const facts = await gatherFacts(ctx, ecpdId, firings);
    const ofAccount = Map.groupBy(firings, ({ accountName }) => accountName);
    const alerts = accounts.flatMap(({ accountName, subjects }) =>
      alertsOfDay({ subjects, firings: ofAccount.get(accountName) ?? [] }, day.occasion, facts),
    );
    await postCallbacks(ctx, ecpdId, alerts);
    after = accounts.at(-1)!.accountName;
  }
}

async function tellPeople(ctx: Ctx, ecpdId: string, day: Day): Promise<void> {
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

/** Says once what the trigger has fired for on the day, also after it was changed or deleted; nothing when that is nothing. */
export async function sendSummary(ctx: Ctx, ecpdId: string, summary: SummaryKey): Promise<void> {
  const { triggerId } = summary;
  await holdSummary(ctx.db, ecpdId, triggerId);
  const present = await findPresent(ctx, ecpdId, triggerId);
  const day = { ...summary, present, occasion: `Summary of ${summary.day}` };
  await listenerNotifier(ctx, ecpdId, day);
  await tellPeople(ctx, ecpdId, day);
  await deleteEntries(ctx.db, ecpdId, summary);
  if (present === undefined) await deleteSummary(ctx.db, ecpdId, triggerId);
}
