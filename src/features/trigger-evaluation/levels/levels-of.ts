import type { Cycle } from '../../../kernel/bill-cycle.ts';
import type {
  GroupShareIndividual,
  GroupSharePool,
  PayAsYouGo,
  PlacedRule,
  Surroundings,
  Threshold,
} from '../../price-plan-triggers/index.ts';
import type { ClosingCheck, CounterLevel, Level, Sum, TriggerLevels } from './level.ts';

const NONE: TriggerLevels = { counters: [], sums: [], closings: [] };

type BytesLevel = Level & { readonly beyondBytes: number };

/** `gt` is strictly greater; `eq` means that the counter passes the value. `lt` is checked when a cycle closes. */
const bytesLevel = (
  comparator: 'gt' | 'eq',
  { bytes }: Threshold,
  levelKind: 'bytes' | 'suspendBytes',
): BytesLevel => ({
  levelKind,
  level: bytes,
  onPassing: comparator === 'eq',
  beyondBytes: comparator === 'gt' ? bytes : bytes - 1,
});

const percentLevel = (percent: number) =>
  ({ levelKind: 'percent', level: percent, onPassing: false, beyondBytes: undefined }) as const;

const pairs = (accountNames: readonly string[], planCodes: readonly string[]) =>
  accountNames.flatMap((accountName) => planCodes.map((planCode) => ({ accountName, planCode })));

const countersOf = (
  scope: CounterLevel['scope'],
  cycle: Cycle,
  members: ReturnType<typeof pairs>,
  levels: readonly BytesLevel[],
): CounterLevel[] =>
  members.flatMap((member) =>
    levels.map((level) => ({ ...member, ...level, thresholdBytes: level.level, scope, cycle })),
  );

/** Lines that share an allowance. Usage reaches its percentages, or a smaller pool does at the end of its month. */
function poolOf(
  subject: string,
  accountNames: readonly string[],
  planCodes: readonly string[],
  { percents, below }: { readonly percents: readonly number[]; readonly below: boolean },
): TriggerLevels {
  const [first] = accountNames;
  if (first === undefined) return NONE;
  const members = pairs(accountNames, planCodes);
  const levels = percents.map(percentLevel);
  return {
    counters: [],
    sums: levels.length === 0 ? [] : [{ subject, cycle: 'Monthly', cycleAccount: first, members, levels }],
    closings: [
      { accountName: first, cycle: 'Monthly', check: { kind: 'pool', subject, members, percents, below } },
    ],
  };
}

function ofAccounts(
  { accountNames, action }: PayAsYouGo,
  { comparator, threshold, cycle, combined }: Extract<PayAsYouGo['condition'], { type: 'AccountLevel' }>,
  planCodes: readonly string[],
): TriggerLevels {
  const together = combined
    ? [{ subject: 'combined', names: accountNames }]
    : accountNames.map((name) => ({ subject: name, names: [name] }));
  const isOfAccounts = !combined && planCodes.length === 1;
  const levels = comparator === 'lt' ? [] : [bytesLevel(comparator, threshold, 'bytes')];
  if (action.type === 'suspend' && action.threshold !== undefined)
    levels.push(bytesLevel('gt', action.threshold, 'suspendBytes'));
  const sums = together.map(
    ({ subject, names }): Sum => ({
      subject,
      cycle,
      cycleAccount: names[0]!,
      members: pairs(names, planCodes),
      levels,
    }),
  );
  return {
    counters: isOfAccounts ? countersOf('account', cycle, pairs(accountNames, planCodes), levels) : [],
    sums: isOfAccounts || levels.length === 0 ? [] : sums,
    closings:
      comparator !== 'lt'
        ? []
        : sums.map(({ subject, cycleAccount: accountName, members }) => {
            const scope = isOfAccounts ? 'account' : 'sum';
            const belowBytes = threshold.bytes;
            return { accountName, cycle, check: { kind: 'total', scope, subject, members, belowBytes } };
          }),
  };
}

function ofPayAsYouGo(rule: PayAsYouGo, { plansOf }: Surroundings): TriggerLevels {
  const { accountNames, condition } = rule;
  const planCodes = plansOf(rule.carrierServicePlanCode).map(({ code }) => code);
  if (planCodes.length === 0 || accountNames.length === 0) return NONE;
  const closings = (cycle: Cycle, check: ClosingCheck) =>
    accountNames.map((accountName) => ({ accountName, cycle, check }));
  switch (condition.type) {
    case 'Aging': {
      const { billCycles } = condition;
      return { ...NONE, closings: closings('Monthly', { kind: 'age', planCodes, billCycles }) };
    }
    case 'Individual': {
      const { comparator, threshold, cycle } = condition;
      if (comparator === 'lt')
        return {
          ...NONE,
          closings: closings(cycle, { kind: 'lines', planCodes, belowBytes: threshold.bytes }),
        };
      const levels = [bytesLevel(comparator, threshold, 'bytes')];
      return { ...NONE, counters: countersOf('device', cycle, pairs(accountNames, planCodes), levels) };
    }
    case 'UsageAllowance': {
      const moves = { percents: condition.percentages, below: false };
      const pools = accountNames.map((name) => poolOf(name, [name], planCodes, moves));
      return {
        counters: [],
        sums: pools.flatMap(({ sums }) => sums),
        closings: pools.flatMap(({ closings }) => closings),
      };
    }
    case 'AccountLevel':
      return ofAccounts(rule, condition, planCodes);
  }
}

/** The percentages of the action's plans, by carrier code. */
function percentsOf({ action }: GroupShareIndividual): readonly (readonly [string, readonly number[]])[] {
  switch (action.type) {
    case 'notify':
      return action.thresholds.map(({ carrierCode, percentages }) => [carrierCode, percentages]);
    case 'suspend':
      return action.thresholds.map(({ carrierCode, usagePercentage }) => [carrierCode, [usagePercentage]]);
    case 'changePlan':
      return action.sharePlans.map((plan) => [plan.fromCarrierCode, [plan.criteriaPercentage]]);
  }
}

/** Percentages of a line's own plan, in bytes. A plan without an allowance has none. */
function ofIndividualShare(
  rule: GroupShareIndividual,
  { plansOf, groupAccounts, groupPlans }: Surroundings,
): TriggerLevels {
  const counters = percentsOf(rule).flatMap(([carrierCode, percents]) =>
    plansOf(carrierCode)
      .filter(({ code, allowanceBytes }) => groupPlans.includes(code) && (allowanceBytes ?? 0) > 0)
      .flatMap(({ code, allowanceBytes }) =>
        [...new Set(percents)].flatMap((percent) => {
          const thresholdBytes = (allowanceBytes! * percent) / 100;
          // Reached means at least this much: `beyondBytes` is the largest whole number of bytes below it.
          const level = { ...percentLevel(percent), beyondBytes: Math.ceil(thresholdBytes) - 1 };
          return countersOf('device', 'Monthly', pairs(groupAccounts, [code]), [level]).map((counter) => ({
            ...counter,
            thresholdBytes,
          }));
        }),
      ),
  );
  return { ...NONE, counters };
}

/** Lines are moved to larger plans when the pool is used up. */
export const POOL_FULL_PERCENT = 100;

function ofPool({ ratePlanGroupId, action }: GroupSharePool, { groupAccounts, groupPlans }: Surroundings) {
  const moves =
    action.type === 'notify'
      ? { percents: action.percentages, below: false }
      : { percents: action.above ? [POOL_FULL_PERCENT] : [], below: action.below !== undefined };
  return poolOf(`group ${ratePlanGroupId}`, groupAccounts, groupPlans, moves);
}

export function levelsOf({ rule, surroundings }: PlacedRule): TriggerLevels {
  switch (rule.kind) {
    case 'payAsYouGo':
      return ofPayAsYouGo(rule, surroundings);
    case 'groupShareIndividual':
      return ofIndividualShare(rule, surroundings);
    case 'groupSharePool':
      return ofPool(rule, surroundings);
  }
}
