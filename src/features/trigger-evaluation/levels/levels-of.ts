import type {
  GroupShareIndividual,
  GroupSharePool,
  PayAsYouGo,
  Rule,
  Surroundings,
  Threshold,
} from '../../price-plan-triggers/index.ts';
import type { CounterLevel, Level, Sum, TriggerLevels } from './level.ts';

const NONE: TriggerLevels = { counters: [], sums: [] };

type Comparator = 'gt' | 'lt' | 'eq';

/** `gt` is strictly greater; `eq` means that the counter passes the value. What is below is judged when a cycle closes. */
const bytesLevel = (
  comparator: Comparator,
  { bytes }: Threshold,
  levelKind: 'bytes' | 'suspendBytes',
): (Level & { beyondBytes: number }) | undefined =>
  comparator === 'lt'
    ? undefined
    : {
        levelKind,
        level: bytes,
        onPassing: comparator === 'eq',
        beyondBytes: comparator === 'gt' ? bytes : bytes - 1,
      };

const percentLevel = (percent: number): Level => ({ levelKind: 'percent', level: percent, onPassing: false });

export const pairs = (accountNames: readonly string[], planCodes: readonly string[]) =>
  accountNames.flatMap((accountName) => planCodes.map((planCode) => ({ accountName, planCode })));

function ofPayAsYouGo(
  { accountNames, carrierServicePlanCode, condition, action }: PayAsYouGo,
  { plansOf }: Surroundings,
): TriggerLevels {
  const planCodes = plansOf(carrierServicePlanCode).map(({ code }) => code);
  if (planCodes.length === 0 || accountNames.length === 0) return NONE;
  switch (condition.type) {
    case 'Aging':
      return NONE;
    case 'Individual': {
      const level = bytesLevel(condition.comparator, condition.threshold, 'bytes');
      if (level === undefined) return NONE;
      const counters = pairs(accountNames, planCodes).map(
        (pair): CounterLevel => ({
          ...pair,
          ...level,
          thresholdBytes: level.level,
          scope: 'device',
          cycle: condition.cycle,
        }),
      );
      return { counters, sums: [] };
    }
    case 'UsageAllowance': {
      const levels = condition.percentages.map((percent) => ({
        ...percentLevel(percent),
        beyondBytes: undefined,
      }));
      const sums = accountNames.map(
        (accountName): Sum => ({
          subject: accountName,
          cycle: 'Monthly',
          cycleAccount: accountName,
          members: pairs([accountName], planCodes),
          levels,
        }),
      );
      return { counters: [], sums };
    }
    case 'AccountLevel': {
      const own = bytesLevel(condition.comparator, condition.threshold, 'bytes');
      const suspend =
        action.type === 'suspend' && action.threshold !== undefined
          ? bytesLevel('gt', action.threshold, 'suspendBytes')
          : undefined;
      const levels = [own, suspend].filter((level) => level !== undefined);
      if (levels.length === 0) return NONE;
      if (!condition.combined && planCodes.length === 1) {
        const counters = pairs(accountNames, planCodes).flatMap((pair) =>
          levels.map(
            (level): CounterLevel => ({
              ...pair,
              ...level,
              thresholdBytes: level.level,
              scope: 'account',
              cycle: condition.cycle,
            }),
          ),
        );
        return { counters, sums: [] };
      }
      const sumOf = (subject: string, members: readonly string[]): Sum => ({
        subject,
        cycle: condition.cycle,
        cycleAccount: members[0]!,
        members: pairs(members, planCodes),
        levels,
      });
      const sums = condition.combined
        ? [sumOf('combined', accountNames)]
        : accountNames.map((accountName) => sumOf(accountName, [accountName]));
      return { counters: [], sums };
    }
  }
}

/** Percentages of a line's own plan, as bytes: a plan without an allowance has no percentage. */
function ofIndividualShare(
  { action }: GroupShareIndividual,
  { plansOf, groupAccounts, groupPlans }: Surroundings,
): TriggerLevels {
  const levels: readonly { readonly carrierCode: string; readonly percents: readonly number[] }[] =
    action.type === 'notify'
      ? action.thresholds.map(({ carrierCode, percentages }) => ({ carrierCode, percents: percentages }))
      : action.type === 'suspend'
        ? action.thresholds.map(({ carrierCode, usagePercentage }) => ({
            carrierCode,
            percents: [usagePercentage],
          }))
        : action.sharePlans.map(({ fromCarrierCode, criteriaPercentage }) => ({
            carrierCode: fromCarrierCode,
            percents: [criteriaPercentage],
          }));
  const counters = levels.flatMap(({ carrierCode, percents }) =>
    plansOf(carrierCode)
      .filter(({ code, allowanceBytes }) => groupPlans.includes(code) && (allowanceBytes ?? 0) > 0)
      .flatMap(({ code, allowanceBytes }) =>
        [...new Set(percents)].flatMap((percent) => {
          const thresholdBytes = (allowanceBytes! * percent) / 100;
          return groupAccounts.map(
            (accountName): CounterLevel => ({
              ...percentLevel(percent),
              accountName,
              planCode: code,
              cycle: 'Monthly',
              scope: 'device',
              // Reached means at least so much: the largest whole number of bytes that is less.
              beyondBytes: Math.ceil(thresholdBytes) - 1,
              thresholdBytes,
            }),
          );
        }),
      ),
  );
  return { counters, sums: [] };
}

/** Moving lines upward begins when the pool is used up. */
export const POOL_FULL_PERCENT = 100;

function ofPool(
  { ratePlanGroupId, action }: GroupSharePool,
  { groupAccounts, groupPlans }: Surroundings,
): TriggerLevels {
  const percents =
    action.type === 'notify' ? action.percentages : action.above === undefined ? [] : [POOL_FULL_PERCENT];
  if (groupAccounts.length === 0 || percents.length === 0) return NONE;
  const sum: Sum = {
    subject: `group ${ratePlanGroupId}`,
    cycle: 'Monthly',
    cycleAccount: groupAccounts[0]!,
    members: pairs(groupAccounts, groupPlans),
    levels: percents.map((percent) => ({ ...percentLevel(percent), beyondBytes: undefined })),
  };
  return { counters: [], sums: [sum] };
}

/** Everything that arriving usage is compared with; what is judged when a cycle closes is not here. */
export function levelsOf(rule: Rule, surroundings: Surroundings): TriggerLevels {
  switch (rule.kind) {
    case 'payAsYouGo':
      return ofPayAsYouGo(rule, surroundings);
    case 'groupShareIndividual':
      return ofIndividualShare(rule, surroundings);
    case 'groupSharePool':
      return ofPool(rule, surroundings);
  }
}
