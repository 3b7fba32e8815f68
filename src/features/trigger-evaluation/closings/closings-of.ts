import type { Cycle } from '../../../kernel/bill-cycle.ts';
import type { GroupSharePool, PayAsYouGo, PlacedRule } from '../../price-plan-triggers/index.ts';
import { POOL_FULL_PERCENT, pairs } from '../levels/levels-of.ts';

interface Member {
  readonly accountName: string;
  readonly planCode: string;
}

/** What is evaluated: each line of the account on the plans, or several counters together. */
export type ClosingCheck =
  | { readonly kind: 'lines'; readonly planCodes: readonly string[]; readonly belowBytes: number }
  | { readonly kind: 'age'; readonly planCodes: readonly string[]; readonly billCycles: number }
  | {
      readonly kind: 'total';
      readonly scope: 'account' | 'sum';
      readonly subject: string;
      readonly members: readonly Member[];
      readonly belowBytes: number;
    }
  | {
      readonly kind: 'pool';
      readonly subject: string;
      readonly members: readonly Member[];
      /** Reached at the end, because the pool has become smaller since the last usage came. */
      readonly percents: readonly number[];
      /** Whether something follows when the pool was not used up. */
      readonly below: boolean;
    };

/** Something that is evaluated whenever this cycle of this account has closed. */
export interface Closing {
  readonly accountName: string;
  readonly cycle: Cycle;
  readonly check: ClosingCheck;
}

function ofPayAsYouGo({
  rule: { accountNames, carrierServicePlanCode, condition },
  surroundings: { plansOf },
}: PlacedRule<PayAsYouGo>): readonly Closing[] {
  const planCodes = plansOf(carrierServicePlanCode).map(({ code }) => code);
  const [first] = accountNames;
  if (planCodes.length === 0 || first === undefined) return [];
  const each = (cycle: Cycle, check: (accountName: string) => ClosingCheck): readonly Closing[] =>
    accountNames.map((accountName) => ({ accountName, cycle, check: check(accountName) }));
  switch (condition.type) {
    case 'Aging':
      return each('Monthly', () => ({ kind: 'age', planCodes, billCycles: condition.billCycles }));
    case 'UsageAllowance':
      return each('Monthly', (accountName) => ({
        kind: 'pool',
        subject: accountName,
        members: pairs([accountName], planCodes),
        percents: condition.percentages,
        below: false,
      }));
    case 'Individual': {
      if (condition.comparator !== 'lt') return [];
      const belowBytes = condition.threshold.bytes;
      return each(condition.cycle, () => ({ kind: 'lines', planCodes, belowBytes }));
    }
    case 'AccountLevel': {
      if (condition.comparator !== 'lt') return [];
      const { cycle, combined } = condition;
      const total = (subject: string, names: readonly string[]): ClosingCheck => ({
        kind: 'total',
        scope: combined || planCodes.length > 1 ? 'sum' : 'account',
        subject,
        members: pairs(names, planCodes),
        belowBytes: condition.threshold.bytes,
      });
      return combined
        ? [{ accountName: first, cycle, check: total('combined', accountNames) }]
        : each(cycle, (accountName) => total(accountName, [accountName]));
    }
  }
}

function ofPool({
  rule: { ratePlanGroupId, action },
  surroundings: { groupAccounts, groupPlans },
}: PlacedRule<GroupSharePool>): readonly Closing[] {
  const [first] = groupAccounts;
  if (first === undefined) return [];
  const check: ClosingCheck = {
    kind: 'pool',
    subject: `group ${ratePlanGroupId}`,
    members: pairs(groupAccounts, groupPlans),
    percents:
      action.type === 'notify' ? action.percentages : action.above === undefined ? [] : [POOL_FULL_PERCENT],
    below: action.type === 'changePlan' && action.below !== undefined,
  };
  return [{ accountName: first, cycle: 'Monthly', check }];
}

/** Everything that is evaluated when a cycle closes: what is below, how long lines are on their plan, and pools at their end. */
export function closingsOf({ rule, surroundings }: PlacedRule): readonly Closing[] {
  switch (rule.kind) {
    case 'payAsYouGo':
      return ofPayAsYouGo({ rule, surroundings });
    case 'groupSharePool':
      return ofPool({ rule, surroundings });
    case 'groupShareIndividual':
      return [];
  }
}

/** The accounts whose counters are looked at. */
export const accountsOf = ({ accountName, check }: Closing): readonly string[] =>
  check.kind === 'lines' || check.kind === 'age'
    ? [accountName]
    : [...new Set([accountName, ...check.members.map((member) => member.accountName)])];
