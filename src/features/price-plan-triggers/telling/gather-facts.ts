import type { Ctx } from '../../../platform/context/context.ts';
import { listListeningAccounts } from '../../callbacks/index.ts';
import { areActionsPaused } from '../../firings/index.ts';
import { findNotificationGroups } from '../../notifications/index.ts';
import type { Outcome } from '../acting/outcome.ts';
import { type FiredAction, outcomesOf } from '../acting/outcomes-of.ts';
import { listActionsOf } from '../acting/sql-asked.ts';
import { type Facts, lineKey } from './facts.ts';
import { listGroupAccounts, listLineIds, listPlanNames, listPlanWords, listZones } from './sql-facts.ts';
import { type ToldFiring, watchedBy } from './told-firing.ts';

const unique = <T extends string | number>(values: readonly T[]): T[] => [...new Set(values)];

/** What is on record of what was done to more than the firing's own line. */
async function recallActions({ db }: Ctx, ecpdId: string, firings: readonly ToldFiring[]) {
  const wide = firings.filter(
    ({ trigger: { rule } }) => watchedBy(rule) !== 'line' && rule.action.type !== 'notify',
  );
  if (wide.length === 0) return [];
  return listActionsOf(
    db,
    [ecpdId],
    wide.map(({ firingId }) => firingId),
  );
}

const plansMoved = (outcomes: ReadonlyMap<string, Outcome>) =>
  [...outcomes.values()].flatMap(({ moved }) =>
    (moved?.moves ?? []).flatMap(({ fromPlan, toPlan }) => [fromPlan, toPlan]),
  );

/** A fixed number of statements, however many have fired. What is planned and not on record yet is given. */
export async function gatherFacts(
  ctx: Ctx,
  ecpdId: string,
  firings: readonly ToldFiring[],
  planned?: readonly FiredAction[],
): Promise<Facts> {
  const { db } = ctx;
  const triggers = firings.map(({ trigger }) => trigger);
  const ofLines = firings.filter(({ trigger }) => watchedBy(trigger.rule) === 'line');
  const carrierCodes = triggers.flatMap(({ rule }) => {
    if (rule.kind !== 'payAsYouGo') return [];
    const { carrierServicePlanCode, action } = rule;
    return action.type === 'changePlan'
      ? [carrierServicePlanCode, action.toCarrierServicePlanCode]
      : [carrierServicePlanCode];
  });
  const groupIds = triggers.flatMap(({ rule }) => (rule.kind === 'payAsYouGo' ? [] : [rule.ratePlanGroupId]));
  const groupNames = triggers.flatMap(({ notifies: { groupName } }) => groupName ?? []);
  const accountNames = unique(firings.map(({ accountName }) => accountName));
  const lines = await listLineIds(db, ecpdId, [
    ...new Map(ofLines.map((one) => [lineKey(one), one])).values(),
  ]);
  const zones = await listZones(db, ecpdId, accountNames);
  const plans = await listPlanNames(db, unique(carrierCodes));
  const groups = await listGroupAccounts(db, ecpdId, unique(groupIds));
  const outcomes = outcomesOf(planned ?? (await recallActions(ctx, ecpdId, firings)));
  const moved = unique(plansMoved(outcomes));
  const movedPlans = moved.length === 0 ? [] : await listPlanWords(db, moved);
  const people = await findNotificationGroups(db, ecpdId, unique(groupNames));
  return {
    lines: new Map(lines.map(({ accountName, subject, ...ids }) => [lineKey({ accountName, subject }), ids])),
    zones: new Map(zones.map(({ accountName, timeZone }) => [accountName, timeZone])),
    planNames: new Map(plans.map(({ carrierCode, name }) => [carrierCode, name])),
    movedPlans: new Map(movedPlans.map(({ code, ...words }) => [code, words])),
    outcomes,
    groupAccounts: new Map(groups.map(({ groupId, accountNames: names }) => [groupId, names])),
    listening: new Set(await listListeningAccounts(db, ecpdId, 'AlertService')),
    notificationGroups: new Map(people.map((group) => [group.name, group])),
    paused: await areActionsPaused(ctx),
  };
}
