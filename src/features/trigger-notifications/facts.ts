import type { Ctx } from '../../platform/context/context.ts';
import { listListeningAccounts } from '../callbacks/index.ts';
import { areActionsPaused } from '../firings/index.ts';
import { findNotificationGroups, type NotificationGroup } from '../notifications/index.ts';
import { type FiredAction, listActionsOf, type Outcome, outcomesOf } from '../trigger-actions/index.ts';
import { counterOwner, type NotifiedFiring } from './notified-firing.ts';
import {
  findGroupAccounts,
  findPlanNames,
  findPlanWords,
  findZones,
  type LineIds,
  type LineOf,
  listLineIds,
  type PlanWords,
} from './sql-facts.ts';

/** Data that firings refer to but do not contain, loaded once for all of them. */
export interface Facts {
  /** By account and device. Includes lines that left the account, while usage from before can still arrive. */
  readonly lines: ReadonlyMap<string, LineIds>;
  readonly zones: ReadonlyMap<string, string>;
  /** By carrier code. */
  readonly planNames: ReadonlyMap<string, string>;
  /** By plan code: the plans between which lines of a pool are moved. */
  readonly movedPlans: ReadonlyMap<string, PlanWords>;
  /** By firing: actions that affect more than its own line. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly groupAccounts: ReadonlyMap<number, readonly string[]>;
  /** Accounts with a listener for alerts. */
  readonly listening: ReadonlySet<string>;
  readonly notificationGroups: ReadonlyMap<string, NotificationGroup>;
  /** Whether actions are paused: triggers then only notify. */
  readonly paused: boolean;
}

export const lineKey = ({ accountName, subject }: LineOf): string => `${accountName} ${subject}`;

/** The first identifier that it has, because people know their lines by these. */
export function lineName({ lines }: Pick<Facts, 'lines'>, line: LineOf): string {
  const ids = lines.get(lineKey(line));
  return ids?.imei ?? ids?.mdn ?? ids?.msisdn ?? line.subject;
}

/** The identifiers that the line has. */
export const identifiersOf = (ids: LineIds) =>
  (['imei', 'msisdn', 'mdn'] as const).flatMap((kind) => {
    const id = ids[kind];
    return id === null ? [] : [{ id, kind }];
  });

const unique = <T extends string | number>(values: readonly T[]): T[] => [...new Set(values)];

/** The accounts of the rate plan groups of these firings. */
export function findGroupsOf({ db }: Ctx, ecpdId: string, firings: readonly NotifiedFiring[]) {
  const rules = firings.map(({ trigger }) => trigger.rule);
  const groupIds = rules.flatMap((rule) => (rule.kind === 'payAsYouGo' ? [] : [rule.ratePlanGroupId]));
  return findGroupAccounts(db, ecpdId, unique(groupIds));
}

/** The recorded actions that affected more than the firing's own line. */
async function recallActions({ db }: Ctx, ecpdId: string, firings: readonly NotifiedFiring[]) {
  const wide = firings.flatMap(({ firingId, trigger: { rule } }) =>
    counterOwner(rule) !== 'line' && rule.action.type !== 'notify' ? [firingId] : [],
  );
  return wide.length === 0 ? [] : listActionsOf(db, [ecpdId], wide);
}

const plansMoved = (outcomes: ReadonlyMap<string, Outcome>) =>
  [...outcomes.values()].flatMap(({ moved }) =>
    (moved?.moves ?? []).flatMap(({ fromPlan, toPlan }) => [fromPlan, toPlan]),
  );

const plansNamed = ({ trigger: { rule } }: NotifiedFiring): readonly string[] => {
  if (rule.kind !== 'payAsYouGo') return [];
  const { carrierServicePlanCode, action } = rule;
  return action.type === 'changePlan'
    ? [carrierServicePlanCode, action.toCarrierServicePlanCode]
    : [carrierServicePlanCode];
};

/** Runs a fixed number of statements for any number of firings. `planned` holds actions that are not recorded yet. */
export async function gatherFacts(
  ctx: Ctx,
  ecpdId: string,
  firings: readonly NotifiedFiring[],
  planned?: readonly FiredAction[],
): Promise<Facts> {
  const { db } = ctx;
  const ofLines = firings.filter(({ trigger }) => counterOwner(trigger.rule) === 'line');
  const groupNames = firings.flatMap(({ trigger }) => trigger.notifies.groupName ?? []);
  const lines = await listLineIds(db, ecpdId, [
    ...new Map(ofLines.map((one) => [lineKey(one), one])).values(),
  ]);
  const outcomes = outcomesOf(planned ?? (await recallActions(ctx, ecpdId, firings)));
  const moved = unique(plansMoved(outcomes));
  const people = await findNotificationGroups(db, ecpdId, unique(groupNames));
  return {
    lines: new Map(lines.map(({ accountName, subject, ...ids }) => [lineKey({ accountName, subject }), ids])),
    zones: await findZones(db, ecpdId, unique(firings.map(({ accountName }) => accountName))),
    planNames: await findPlanNames(db, unique(firings.flatMap(plansNamed))),
    movedPlans: moved.length === 0 ? new Map() : await findPlanWords(db, moved),
    outcomes,
    groupAccounts: await findGroupsOf(ctx, ecpdId, firings),
    listening: new Set(await listListeningAccounts(db, ecpdId, 'AlertService')),
    notificationGroups: new Map(people.map((group) => [group.name, group])),
    paused: await areActionsPaused(ctx),
  };
}
