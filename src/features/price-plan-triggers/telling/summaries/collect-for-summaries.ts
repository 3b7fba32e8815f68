import { addDays, type LocalDay } from '../../../../kernel/bill-cycle.ts';
import type { Ctx } from '../../../../platform/context/context.ts';
import { enqueueJobs } from '../../../../platform/jobs/enqueue.ts';
import { daysIn } from '../../../usage/index.ts';
import type { Rule } from '../../rule.ts';
import { slicesOf } from '../slices.ts';
import { listGroupAccounts, listZones } from '../sql-facts.ts';
import type { ToldFiring } from '../told-firing.ts';
import { insertEntries, shareSummaries } from './sql-summary.ts';
import { sumUpDay } from './sum-up-day.ts';

const ROWS_AT_ONCE = 5_000;

/** Of several accounts the first that there is: a trigger has one day, wherever its lines are. */
async function zonesOf({ db }: Ctx, ecpdId: string, firings: readonly ToldFiring[]) {
  const rules = [...new Map(firings.map(({ triggerId, trigger }) => [triggerId, trigger.rule])).values()];
  const groups = new Map(
    (
      await listGroupAccounts(
        db,
        ecpdId,
        rules.flatMap((rule) => (rule.kind === 'payAsYouGo' ? [] : [rule.ratePlanGroupId])),
      )
    ).map(({ groupId, accountNames }) => [groupId, accountNames]),
  );
  const namesOf = (rule: Rule): readonly string[] =>
    rule.kind === 'payAsYouGo' ? rule.accountNames : (groups.get(rule.ratePlanGroupId) ?? []);
  const zones = new Map<string, string>();
  const learn = async (names: readonly string[]): Promise<void> => {
    if (names.length === 0) return;
    for (const { accountName, timeZone } of await listZones(db, ecpdId, [...new Set(names)]))
      zones.set(accountName, timeZone);
  };
  await learn(rules.flatMap((rule) => namesOf(rule).slice(0, 1)));
  // The first was deleted: the next one counts, as for what they use together.
  await learn(rules.map(namesOf).flatMap(([first, ...others]) => (zones.has(first ?? '') ? [] : others)));
  return ({ trigger: { rule } }: ToldFiring): string =>
    zones.get(namesOf(rule).find((name) => zones.has(name)) ?? '') ?? 'UTC';
}

/** In the transaction that fired: it is told with all others of its trigger when the local day has ended. */
export async function collectForSummaries(
  ctx: Ctx,
  ecpdId: string,
  firings: readonly ToldFiring[],
): Promise<void> {
  const zoneOf = await zonesOf(ctx, ecpdId, firings);
  await shareSummaries(ctx.db, ecpdId, [...new Set(firings.map(({ triggerId }) => triggerId))]);
  // Only now: while it waited, the summary of the day before may have been sent.
  const nowMs = ctx.now().getTime();
  const days = new Map<string, { triggerId: string; day: LocalDay; dueAt: Date }>();
  const entries = firings.map((firing) => {
    const { triggerId, firingId, accountName, subject } = firing;
    const { dayAt, startOf } = daysIn(zoneOf(firing));
    const day = dayAt(nowMs);
    if (!days.has(triggerId))
      days.set(triggerId, { triggerId, day, dueAt: new Date(startOf(addDays(day, 1))) });
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
      key: `${triggerId} ${day}`,
    })),
  );
}
