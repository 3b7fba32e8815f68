import assert from 'node:assert/strict';
import { asUser, CLIENT } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';

export const OURS = '9000001';
export const THEIRS = '9000002';
export const A = '0000123456-00001';
export const B = '0000123456-00002';
/** Also of our profile, but in no group. */
export const C = '0000123456-00003';
export const FOREIGN = '0000999999-00001';
export const UNKNOWN = '0000123456-00099';
export const GROUP = 7;
export const PATH = '/m2m/v2/triggers';
export const NO_TRIGGER = '7a6d0f5e-9f0a-4c55-8f0e-2f60c1f5a001';

const USERS = {
  /** May use all accounts of our profile. */
  owner: [A, B, C],
  /** May use one of them. */
  part: [A],
  stranger: [FOREIGN],
  /** Has accounts of both customers. */
  agent: [FOREIGN, A],
} as const;
export type User = keyof typeof USERS;

export const payAsYouGo = (accountNameList: readonly string[] = [A], more: object = {}) => ({
  payAsYouGo: {
    filterCriteria: { carrierServicePlanCode: 'CARRIER-P', accountNameList },
    condition: { conditionType: 'Individual', comparator: 'gt', threshold: 5 },
    action: {},
    ...more,
  },
});
/** The rule with its defaults, as it is returned. */
export const withDefaults = ({ payAsYouGo: rule }: ReturnType<typeof payAsYouGo>) => ({
  payAsYouGo: { ...rule, condition: { ...rule.condition, thresholdUnit: 'MB', cycleType: 'Daily' } },
});
export const pool = (ratePlanGroupId = GROUP) => ({
  accountGroupShare: {
    accountGroupSharePool: {
      filterCriteria: { ratePlanGroupId },
      condition: { action: 'notify' },
      action: { notify: { threshold: [{ percentage: { percentage90: true } }] } },
    },
  },
});
export const moves = (fromCarrierCode: string, toCarrierCode: string) => ({
  accountGroupShare: {
    accountGroupShareIndividual: {
      filterCriteria: { ratePlanGroupId: GROUP },
      condition: { action: 'changePricePlan' },
      action: { changePlan: { sharePlan: [{ fromCarrierCode, toCarrierCode, criteriaPercentage: 100 }] } },
    },
  },
});

export const TRIGGER = {
  triggerName: 'over 5',
  ecpdId: OURS,
  triggerCategory: 'PricePlanDataUsage',
  pricePlanTrigger: payAsYouGo(),
  notification: { notificationType: 'PerEvent', callback: true },
  active: true,
};

export async function makeScene() {
  const world = await makeWorld();
  await world.import({
    profiles: [{ ecpdId: OURS }, { ecpdId: THEIRS }],
    accounts: [
      { accountName: A, ecpdId: OURS, organizationName: 'Acme' },
      { accountName: B, ecpdId: OURS },
      { accountName: C, ecpdId: OURS },
      { accountName: FOREIGN, ecpdId: THEIRS },
    ],
    clients: [CLIENT],
    users: Object.entries(USERS).map(([username, accounts]) => ({
      username,
      password: `${username}-password`,
      accounts,
    })),
    plans: [
      { code: 'P', carrierServicePlanCode: 'CARRIER-P' },
      { code: 'S', carrierServicePlanCode: 'CARRIER-S', kind: 'share' },
      { code: 'L', carrierServicePlanCode: 'CARRIER-L', kind: 'share' },
    ],
    ratePlanGroups: [{ ratePlanGroupId: GROUP, ecpdId: OURS, planCodes: ['S', 'L'], accounts: [A, B] }],
    notificationGroups: [
      { ecpdId: OURS, name: 'ours', emails: ['ops@example.com'] },
      { ecpdId: THEIRS, name: 'theirs', emails: ['ops@example.org'] },
    ],
  });
  const login = async (username: User) =>
    (await asUser(world, { username, password: `${username}-password` })).call;
  const as = {
    owner: await login('owner'),
    part: await login('part'),
    stranger: await login('stranger'),
    agent: await login('agent'),
  };

  const create = (change: object = {}, by: User = 'owner', headers: Record<string, string> = {}) =>
    as[by]('POST', PATH, { ...TRIGGER, ...change }, headers);
  const created = async (change: object = {}, by: User = 'owner'): Promise<string> => {
    const answer = await create(change, by);
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json().triggerId;
  };
  const update = (body: object, by: User = 'owner') => as[by]('PUT', PATH, body);
  const read = async (id: string, by: User = 'owner') =>
    (await as[by]('GET', `${PATH}/${id}`)).json().triggers[0];
  /** The names in a returned list. */
  const listed = async (path: string, by: User = 'owner'): Promise<string[]> => {
    const answer = await as[by]('GET', `${PATH}${path}`);
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json().triggers.map(({ triggerName }: { triggerName: string }) => triggerName);
  };
  const versions = async (id: string, query = '', by: User = 'owner') =>
    (await as[by]('GET', `${PATH}/${id}/versions${query}`)).json().versions;
  const clear = () => world.ctx.db.exec(sql`delete from price_plan_trigger`);
  /** The last entry of the audit log about the trigger. */
  const audited = async (target: string) =>
    world.ctx.db.maybe<Record<string, unknown>>(sql`
      select actor_kind as "actorKind", actor, action, ecpd_id as "ecpdId", before, after from audit_entry
      where target = ${target} order by entry_id desc limit 1`);
  /** Fills our profile up to its limit. */
  const fillUp = () =>
    world.ctx.db.exec(sql`
      insert into price_plan_trigger (ecpd_id, trigger_id, trigger_name, active, version, body, created_at, updated_at)
      select ${OURS}, gen_random_uuid(), 'filler ' || n, false, 1,
        ${{ pricePlanTrigger: TRIGGER.pricePlanTrigger, notification: TRIGGER.notification }}::jsonb, ${world.ctx.now()}, ${world.ctx.now()}
      from generate_series(1, 10000 - (select count(*) from price_plan_trigger where ecpd_id = ${OURS})) n`);
  return { world, as, create, created, update, read, listed, versions, clear, audited, fillUp };
}
