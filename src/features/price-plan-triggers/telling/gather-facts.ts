import type { Ctx } from '../../../platform/context.ts';
import { listListeningAccounts } from '../../callbacks/index.ts';
import { areActionsPaused } from '../../firings/index.ts';
import { findNotificationGroups } from '../../notifications/index.ts';
import type { Facts } from './facts.ts';
import { listGroupAccounts, listLineIds, listPlanNames, listZones } from './sql-facts.ts';
import { type ToldFiring, watchedBy } from './told-firing.ts';

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** A fixed number of statements, however many have fired. */
export async function gatherFacts(ctx: Ctx, ecpdId: string, firings: readonly ToldFiring[]): Promise<Facts> {
  const { db } = ctx;
  const triggers = unique(firings.map(({ trigger }) => trigger));
  const deviceIds = firings.flatMap(({ trigger, subject }) =>
    watchedBy(trigger.rule) === 'line' ? [subject] : [],
  );
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
  const lines = await listLineIds(db, ecpdId, unique(deviceIds));
  const zones = await listZones(db, ecpdId, accountNames);
  const plans = await listPlanNames(db, unique(carrierCodes));
  const groups = await listGroupAccounts(db, ecpdId, unique(groupIds));
  const people = await findNotificationGroups(db, ecpdId, unique(groupNames));
  return {
    lines: new Map(lines.map(({ deviceId, ...ids }) => [deviceId, ids])),
    zones: new Map(zones.map(({ accountName, timeZone }) => [accountName, timeZone])),
    planNames: new Map(plans.map(({ carrierCode, name }) => [carrierCode, name])),
    groupAccounts: new Map(groups.map(({ groupId, accountNames: names }) => [groupId, names])),
    listening: new Set(await listListeningAccounts(db, ecpdId, 'AlertService')),
    notificationGroups: new Map(people.map((group) => [group.name, group])),
    paused: await areActionsPaused(ctx),
  };
}
