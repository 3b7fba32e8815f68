import type { Ctx } from '../../platform/context/context.ts';
import { areActionsPaused, recordFirings } from '../firings/index.ts';
import { allowanceOf, listSubscriptions, type ServiceChange, type WatchServices } from '../usage/index.ts';
import { notifyFirings } from './notify-firings.ts';
import { listLimits, listReachedTriggers, setFiredMonths } from './sql.ts';
import { findCrossing, type UsageFiring } from './usage-trigger.ts';

const AFTER_ALL_MONTHS = '9999-99';

interface Metered {
  readonly change: ServiceChange;
  readonly allowed: number;
}

const nameOf = ({ accountName, serviceName }: Pick<ServiceChange, 'accountName' | 'serviceName'>) =>
  `${accountName} ${serviceName}`;

/** The changes of accounts with a subscribed number of uses: without one there is no percentage. */
async function withAllowances(
  { db }: Ctx,
  ecpdId: string,
  changes: readonly ServiceChange[],
): Promise<Metered[]> {
  const subscriptions = await listSubscriptions(db, ecpdId, changes);
  const allowances = new Map(
    subscriptions.map((each) => [nameOf(each), allowanceOf(each.skuName, each.allowance)]),
  );
  return changes.flatMap((change) => {
    const allowed = allowances.get(nameOf(change)) ?? 0;
    return allowed > 0 ? [{ change, allowed }] : [];
  });
}

/** The services that close when the subscribed number is used up; none while actions are paused. */
async function listLimitedServices(ctx: Ctx, ecpdId: string, metered: readonly Metered[]) {
  if (await areActionsPaused(ctx)) return new Set<string>();
  const accountNames = metered.map(({ change }) => change.accountName);
  return new Set((await listLimits(ctx.db, ecpdId, accountNames)).map(nameOf));
}

/** Fires each threshold that the counted uses reached and that has not fired this month, lowest first. */
export const fireUsageTriggers =
  (onFired: (count: number) => void): WatchServices =>
  async (ctx, ecpdId, changes) => {
    const metered = await withAllowances(ctx, ecpdId, changes);
    if (metered.length === 0) return;
    const reached = await listReachedTriggers(
      ctx.db,
      ecpdId,
      metered.map(({ change, allowed }) => ({
        accountName: change.accountName,
        serviceName: change.serviceName,
        // A trigger that fired this month may not have fired last month: the key of its firing decides.
        firedBefore: change.late ? AFTER_ALL_MONTHS : change.month,
        percent: Math.floor((change.after * 100) / allowed),
      })),
    );
    if (reached.length === 0) return;
    const firedAt = ctx.now();
    const limited = await listLimitedServices(ctx, ecpdId, metered);
    const firings = reached.flatMap(({ nth, ...trigger }): UsageFiring[] => {
      const { change, allowed } = metered[nth - 1]!;
      const crossing = findCrossing(change, trigger.thresholdPercent, allowed);
      if (crossing === undefined) return [];
      const { ref, ...counter } = crossing;
      return [
        {
          firingId: ctx.newId(),
          triggerId: trigger.triggerId,
          kind: 'usage',
          accountName: trigger.accountName,
          subject: trigger.accountName,
          levelKind: 'percent',
          level: trigger.thresholdPercent,
          cycle: change.cycle,
          ...counter,
          usageRecordId: ref,
          ruleVersion: trigger.version,
          firedAt,
          late: change.late,
          trigger,
          change,
          allowed,
          closes: limited.has(nameOf(change)) && !change.late,
        },
      ];
    });
    if (firings.length === 0) return;
    await setFiredMonths(
      ctx.db,
      ecpdId,
      firings.map(({ triggerId, level, change }) => ({ triggerId, level, month: change.month })),
    );
    const fresh = await recordFirings(ctx, ecpdId, firings);
    await notifyFirings(ctx, ecpdId, fresh);
    onFired(fresh.length);
  };
