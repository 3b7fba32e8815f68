import { addDays, type LocalDay } from '../../../../kernel/bill-cycle.ts';
import type { Ctx } from '../../../../platform/context.ts';
import { enqueueJobs } from '../../../../platform/jobs/enqueue.ts';
import { daysIn } from '../../../usage/index.ts';
import { slicesOf } from '../slices.ts';
import { listGroupAccounts, listZones } from '../sql-facts.ts';
import type { ToldFiring } from '../told-firing.ts';
import { insertEntries, shareSummaries } from './sql-summary.ts';
import { sumUpDay } from './sum-up-day.ts';

const ROWS_AT_ONCE = 5_000;

/** Of several accounts the first: a trigger has one day, wherever its lines are. */
async function zonesOf({ db }: Ctx, ecpdId: string, firings: readonly ToldFiring[]) {
  const rules = [...new Set(firings.map(({ trigger }) => trigger.rule))];
  const groups = new Map(
    (
      await listGroupAccounts(
        db,
        ecpdId,
        rules.flatMap((rule) => (rule.kind === 'payAsYouGo' ? [] : [rule.ratePlanGroupId])),
      )
    ).map(({ groupId, accountNames }) => [groupId, accountNames]),
  );
  const accountOf = ({ trigger: { rule }, accountName }: ToldFiring): string =>
    (rule.kind === 'payAsYouGo' ? rule.accountNames[0] : groups.get(rule.ratePlanGroupId)?.[0]) ??
    accountName;
  const firsts = new Map(firings.map((firing) => [firing.triggerId, accountOf(firing)]));
  const zones = new Map(
    (await listZones(db, ecpdId, [...new Set(firsts.values())])).map((zone) => [
      zone.accountName,
      zone.timeZone,
    ]),
  );
  return ({ triggerId }: ToldFiring): string => zones.get(firsts.get(triggerId) ?? '') ?? 'UTC';
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
