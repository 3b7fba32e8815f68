import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';
import { findNotificationGroups } from '../notifications/index.ts';
import { findRatePlanGroups } from '../plans/index.ts';
import type { Problem } from './parsing/parse-values.ts';
import type { GroupShareIndividual, GroupSharePool, PayAsYouGo, Rule, TriggerNotification } from './rule.ts';

/** A rule of a profile; everything that it names must exist in the profile. */
interface OwnedRule {
  readonly ecpdId: string;
  readonly rule: Rule;
}

interface NamedPlan {
  readonly path: string;
  readonly code: string;
}

type GroupShare = GroupShareIndividual | GroupSharePool;

const NO_GROUP: Problem = {
  path: '/notification/notificationGroupName',
  detail: 'names no notification group of this profile',
};
const PAYG = '/pricePlanTrigger/payAsYouGo';
const SHARE = '/pricePlanTrigger/accountGroupShare';

function plansOfPayAsYouGo({ carrierServicePlanCode, condition, action }: PayAsYouGo): readonly NamedPlan[] {
  const details = condition.type === 'Aging' ? 'agingDetails' : 'changePlanDetails';
  const watched = { path: `${PAYG}/filterCriteria/carrierServicePlanCode`, code: carrierServicePlanCode };
  if (action.type !== 'changePlan') return [watched];
  const path = `${PAYG}/action/${details}/toCarrierServicePlanCode`;
  return [watched, { path, code: action.toCarrierServicePlanCode }];
}

type Move = { readonly fromCarrierCode: string; readonly toCarrierCode: string };
const plansOfMoves = (path: string, moves: readonly Move[] = []): readonly NamedPlan[] =>
  moves.flatMap(({ fromCarrierCode, toCarrierCode }) => [
    { path, code: fromCarrierCode },
    { path, code: toCarrierCode },
  ]);

function plansOfIndividual({ action }: GroupShareIndividual): readonly NamedPlan[] {
  const base = `${SHARE}/accountGroupShareIndividual/action`;
  if (action.type === 'changePlan') return plansOfMoves(`${base}/changePlan/sharePlan`, action.sharePlans);
  const path = `${base}/${action.type}/threshold`;
  return action.thresholds.map(({ carrierCode }) => ({ path, code: carrierCode }));
}

function plansOfPool({ action }: GroupSharePool): readonly NamedPlan[] {
  if (action.type === 'notify') return [];
  const base = `${SHARE}/accountGroupSharePool/action/changePlan`;
  return [
    ...plansOfMoves(`${base}/changePlanGT/changePlan`, action.above?.plans),
    ...plansOfMoves(`${base}/changePlanLT/changePlan`, action.below?.plans),
  ];
}

async function findPlans(db: Db, codes: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const rows = await db.many<{ code: string }>(sql`
    select distinct carrier_service_plan_code as code from plan
    where carrier_service_plan_code = any(${[...codes]}::text[])`);
  return new Set(rows.map(({ code }) => code));
}

/** The profile of each account. */
export async function findProfiles(
  db: Db,
  accountNames: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.many<{ name: string; ecpdId: string }>(sql`
    select account_name as name, ecpd_id as "ecpdId" from account_directory where account_name = any(${accountNames}::text[])`);
  return new Map(rows.map(({ name, ecpdId }) => [name, ecpdId]));
}

/** A notification of a profile. */
interface OwnedNotification {
  readonly ecpdId: string;
  readonly notifies: TriggerNotification;
}

/** The group that gets mail or SMS. If it does not exist, the alert silently reaches nobody. */
const groupOf = ({ groupName, email, sms }: TriggerNotification) => (email || sms ? groupName : undefined);

/** For each notification, a problem if its profile lacks the group; one statement for each profile. */
export async function findMissingGroups(
  db: Db,
  owned: readonly OwnedNotification[],
): Promise<readonly (readonly Problem[])[]> {
  const known = new Set<string>();
  for (const [ecpdId, ofProfile] of Map.groupBy(owned, (one) => one.ecpdId)) {
    const names = new Set(ofProfile.flatMap(({ notifies }) => groupOf(notifies) ?? []));
    if (names.size === 0) continue;
    for (const { name } of await findNotificationGroups(db, ecpdId, [...names]))
      known.add(`${ecpdId} ${name}`);
  }
  return owned.map(({ ecpdId, notifies }) => {
    const name = groupOf(notifies);
    return name === undefined || known.has(`${ecpdId} ${name}`) ? [] : [NO_GROUP];
  });
}

const problemsOfAccounts = (
  ecpdId: string,
  rule: PayAsYouGo,
  plans: ReadonlySet<string>,
  profiles: ReadonlyMap<string, string>,
): Problem[] => {
  const problems = plansOfPayAsYouGo(rule)
    .filter(({ code }) => !plans.has(code))
    .map(({ path }) => ({ path, detail: 'names no plan' }));
  if (rule.accountNames.every((name) => profiles.get(name) === ecpdId)) return problems;
  const path = `${PAYG}/filterCriteria/accountNameList`;
  return [...problems, { path, detail: 'names an account that is not of this profile' }];
};

function problemsOfShare(rule: GroupShare, codes: readonly string[] | undefined): Problem[] {
  const isIndividual = rule.kind === 'groupShareIndividual';
  if (codes === undefined) {
    const kind = isIndividual ? 'accountGroupShareIndividual' : 'accountGroupSharePool';
    const path = `${SHARE}/${kind}/filterCriteria/ratePlanGroupId`;
    return [{ path, detail: 'names no rate plan group of this profile' }];
  }
  return (isIndividual ? plansOfIndividual(rule) : plansOfPool(rule))
    .filter(({ code }) => !codes.includes(code))
    .map(({ path, code }) => ({ path, detail: `names ${code}, which is no plan of the rate plan group` }));
}

/** For each rule, the names that do not exist or belong to another profile; three statements for any number of rules. */
export async function findBrokenReferences(
  db: Db,
  owned: readonly OwnedRule[],
): Promise<readonly (readonly Problem[])[]> {
  const rules = owned.flatMap(({ rule }) => (rule.kind === 'payAsYouGo' ? [rule] : []));
  const shares = owned.flatMap(({ ecpdId, rule }) =>
    rule.kind === 'payAsYouGo' ? [] : [{ ecpdId, ratePlanGroupId: rule.ratePlanGroupId }],
  );
  const codes = rules.flatMap((rule) => plansOfPayAsYouGo(rule).map(({ code }) => code));
  const plans = await findPlans(db, new Set(codes));
  const profiles = await findProfiles(db, [...new Set(rules.flatMap(({ accountNames }) => accountNames))]);
  const groups = new Map(
    (shares.length === 0 ? [] : await findRatePlanGroups(db, shares)).map((group) => [
      `${group.ecpdId} ${group.ratePlanGroupId}`,
      group.carrierCodes,
    ]),
  );
  return owned.map(({ ecpdId, rule }) =>
    rule.kind === 'payAsYouGo'
      ? problemsOfAccounts(ecpdId, rule, plans, profiles)
      : problemsOfShare(rule, groups.get(`${ecpdId} ${rule.ratePlanGroupId}`)),
  );
}
