import type { Ctx } from '../../platform/context/context.ts';
import { findProfiles } from './references.ts';
import type { Rule } from './rule.ts';
import { listGroupMembers, listPlansByCarrierCode } from './sql-catalogue.ts';

/** What a rule's codes stand for today. */
export interface Surroundings {
  /** By carrier code, which several plans may share. */
  readonly plansOf: (
    carrierCode: string,
  ) => readonly { readonly code: string; readonly allowanceBytes: number | null }[];
  /** The accounts of the rule's group, by name; empty for other rules. */
  readonly groupAccounts: readonly string[];
  readonly groupPlans: readonly string[];
}

/** The carrier codes of the plans that a rule compares. Plans to which lines are moved do not matter here. */
export function carrierCodesOf(rule: Rule): readonly string[] {
  if (rule.kind === 'payAsYouGo') return [rule.carrierServicePlanCode];
  if (rule.kind === 'groupSharePool') return [];
  return rule.action.type === 'changePlan'
    ? rule.action.sharePlans.map(({ fromCarrierCode }) => fromCarrierCode)
    : rule.action.thresholds.map(({ carrierCode }) => carrierCode);
}

/** A rule reduced to the accounts that still exist, and what its codes stand for. */
export interface PlacedRule<R extends Rule = Rule> {
  readonly rule: R;
  readonly surroundings: Surroundings;
}

/** For rules of one profile; the number of statements does not depend on the number of rules. */
export async function placeRules(
  { db }: Pick<Ctx, 'db'>,
  ecpdId: string,
  rules: readonly Rule[],
): Promise<(rule: Rule) => PlacedRule> {
  const codes = new Set(rules.flatMap(carrierCodesOf));
  const groupIds = new Set(
    rules.flatMap((rule) => (rule.kind === 'payAsYouGo' ? [] : [rule.ratePlanGroupId])),
  );
  const names = new Set(rules.flatMap((rule) => (rule.kind === 'payAsYouGo' ? rule.accountNames : [])));
  const plans = Map.groupBy(await listPlansByCarrierCode(db, [...codes]), (plan) => plan.carrierCode);
  const members = new Map(
    (await listGroupMembers(db, ecpdId, [...groupIds])).map((group) => [group.ratePlanGroupId, group]),
  );
  const profiles = await findProfiles(db, [...names]);
  return (rule) => {
    const group = rule.kind === 'payAsYouGo' ? undefined : members.get(rule.ratePlanGroupId);
    const surroundings: Surroundings = {
      plansOf: (carrierCode) => plans.get(carrierCode) ?? [],
      groupAccounts: group?.accounts ?? [],
      groupPlans: group?.plans ?? [],
    };
    if (rule.kind !== 'payAsYouGo') return { rule, surroundings };
    const accountNames = rule.accountNames.filter((name) => profiles.get(name) === ecpdId);
    return { rule: { ...rule, accountNames }, surroundings };
  };
}
