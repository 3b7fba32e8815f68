import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';
import { findNotificationGroups } from '../notifications/index.ts';
import { findRatePlanGroups } from '../plans/index.ts';
import type { Problem } from './parsing/parse-values.ts';
import type { GroupShareIndividual, GroupSharePool, PayAsYouGo, Rule, TriggerNotification } from './rule.ts';

/** A rule of a profile; the profile and what it names must exist. */
export interface OwnedRule {
  readonly ecpdId: string;
  readonly rule: Rule;
}

interface NamedPlan {
  readonly path: string;
  readonly code: string;
}

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

const isPayAsYouGo = (owned: OwnedRule): owned is OwnedRule & { rule: PayAsYouGo } =>
  owned.rule.kind === 'payAsYouGo';
const isGroupShare = (
  owned: OwnedRule,
): owned is OwnedRule & { rule: GroupShareIndividual | GroupSharePool } => owned.rule.kind !== 'payAsYouGo';

async function findPlans(db: Db, rules: readonly PayAsYouGo[]): Promise<ReadonlySet<string>> {
  const codes = new Set(rules.flatMap((rule) => plansOfPayAsYouGo(rule).map(({ code }) => code)));
  const rows = await db.many<{ code: string }>(sql`
    select distinct carrier_service_plan_code as code from plan
    where carrier_service_plan_code = any(${[...codes]}::text[])`);
  return new Set(rows.map(({ code }) => code));
}

/** Which profile each account is of. */
export async function findProfiles(
  db: Db,
  accountNames: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.many<{ name: string; ecpdId: string }>(sql`
    select account_name as name, ecpd_id as "ecpdId" from account where account_name = any(${accountNames}::text[])`);
  return new Map(rows.map(({ name, ecpdId }) => [name, ecpdId]));
}

const groupKey = (ecpdId: string, ratePlanGroupId: number) => `${ecpdId} ${ratePlanGroupId}`;

async function findGroups(
  db: Db,
  shares: readonly (OwnedRule & { rule: GroupShareIndividual | GroupSharePool })[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  if (shares.length === 0) return new Map();
  const groups = shares.map(({ ecpdId, rule: { ratePlanGroupId } }) => ({ ecpdId, ratePlanGroupId }));
  return new Map(
    (await findRatePlanGroups(db, groups)).map(({ ecpdId, ratePlanGroupId, carrierCodes }) => [
      groupKey(ecpdId, ratePlanGroupId),
      new Set(carrierCodes),
    ]),
  );
}

/** A notification of a profile. */
export interface OwnedNotification {
  readonly ecpdId: string;
  readonly notifies: TriggerNotification;
}

/** The group that mail or SMS goes to: if it is not there, the alert reaches nobody, and nobody notices. */
const groupOf = ({ groupName, email, sms }: TriggerNotification) => (email || sms ? groupName : undefined);

/** For each notification the group that its profile does not have; a statement for each profile. */
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

/** For each rule what it names that does not exist, or is another profile's; three statements, however many rules. */
export async function findBrokenReferences(
  db: Db,
  owned: readonly OwnedRule[],
): Promise<readonly (readonly Problem[])[]> {
  const payAsYouGo = owned.filter(isPayAsYouGo);
  const names = new Set(payAsYouGo.flatMap(({ rule }) => rule.accountNames));
  const plans = await findPlans(
    db,
    payAsYouGo.map(({ rule }) => rule),
  );
  const profiles = await findProfiles(db, [...names]);
  const groups = await findGroups(db, owned.filter(isGroupShare));

  return owned.map(({ ecpdId, rule }) => {
    if (rule.kind === 'payAsYouGo') {
      const strange = rule.accountNames.some((name) => profiles.get(name) !== ecpdId);
      return [
        ...plansOfPayAsYouGo(rule)
          .filter(({ code }) => !plans.has(code))
          .map(({ path }) => ({ path, detail: 'names no plan' })),
        ...(strange
          ? [
              {
                path: `${PAYG}/filterCriteria/accountNameList`,
                detail: 'names an account that is not of this profile',
              },
            ]
          : []),
      ];
    }
    const individual = rule.kind === 'groupShareIndividual';
    const codes = groups.get(groupKey(ecpdId, rule.ratePlanGroupId));
    if (codes === undefined) {
      const kind = individual ? 'accountGroupShareIndividual' : 'accountGroupSharePool';
      const path = `${SHARE}/${kind}/filterCriteria/ratePlanGroupId`;
      return [{ path, detail: 'names no rate plan group of this profile' }];
    }
    return (individual ? plansOfIndividual(rule) : plansOfPool(rule))
      .filter(({ code }) => !codes.has(code))
      .map(({ path, code }) => ({ path, detail: `names ${code}, which is no plan of the rate plan group` }));
  });
}
