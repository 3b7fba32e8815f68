import type { Ctx } from '../../platform/context/context.ts';
import { listListeningAccounts } from '../callbacks/index.ts';
import { areActionsPaused } from '../firings/index.ts';
import type { NotificationGroup } from '../notifications/index.ts';
import { findNotificationGroups } from '../notifications/index.ts';
import type { Outcome } from '../trigger-actions/index.ts';
import { type FiredAction, listActionsOf, outcomesOf } from '../trigger-actions/index.ts';
import { counterOwner, type NotifiedFiring } from './notified-firing.ts';
import {
  type LineIds,
  type LineOf,
  listGroupAccounts,
  listLineIds,
  listPlanNames,
  listPlanWords,
  listZones,
  type PlanWords,
} from './sql-facts.ts';

/** What firings name and do not hold, looked up once for all of them. */
export interface Facts {
  /** By account and device; of lines that have left as long as usage of their time is kept. */
  readonly lines: ReadonlyMap<string, LineIds>;
  readonly zones: ReadonlyMap<string, string>;
  /** By the carrier's code. */
  readonly planNames: ReadonlyMap<string, string>;
  /** Of the plans that lines of a pool are moved from and to, by their codes. */
  readonly movedPlans: ReadonlyMap<string, PlanWords>;
  /** By firing, of those that do something to more than a line of their own. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly groupAccounts: ReadonlyMap<number, readonly string[]>;
  /** Accounts with a listener for alerts. */
  readonly listening: ReadonlySet<string>;
  readonly notificationGroups: ReadonlyMap<string, NotificationGroup>;
  /** Triggers alert, and nothing else is done. */
  readonly paused: boolean;
}

export const lineKey = ({ accountName, subject }: LineOf): string => `${accountName} ${subject}`;

/** The first that it has: people know their lines by these. */
export function lineName({ lines }: Pick<Facts, 'lines'>, line: LineOf): string {
  const ids = lines.get(lineKey(line));
  return ids?.imei ?? ids?.mdn ?? ids?.msisdn ?? line.subject;
}

const unique = <T extends string | number>(values: readonly T[]): T[] => [...new Set(values)];

/** What is on record of what was done to more than the firing's own line. */
async function recallActions({ db }: Ctx, ecpdId: string, firings: readonly NotifiedFiring[]) {
  const wide = firings.filter(
    ({ trigger: { rule } }) => counterOwner(rule) !== 'line' && rule.action.type !== 'notify',
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
  firings: readonly NotifiedFiring[],
  planned?: readonly FiredAction[],
): Promise<Facts> {
  const { db } = ctx;
  const triggers = firings.map(({ trigger }) => trigger);
  const ofLines = firings.filter(({ trigger }) => counterOwner(trigger.rule) === 'line');
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
