import assert from 'node:assert/strict';
import { ACCOUNT, asUser, MANAGED, SMALL_FLEET, STRANGER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';

export const SKU = 'SVC-LOC-COARSE-CellID-Aggr';
/** In the same profile: another possible primary, one more account to manage, and one without aggregated billing. */
export const RIVAL = '0000123456-00003';
export const SECOND = '0000123456-00004';
export const UNBILLED = '0000123456-00005';
export const UNKNOWN = '0000123456-00099';

const ours = (accountName: string, aggregatedBilling = true) => ({
  accountName,
  ecpdId: '9000001',
  aggregatedBilling,
});
const user = (username: string, ...accounts: string[]) => ({
  username,
  password: `${username}-password`,
  accounts,
});
const USERS = [
  user('primary', ACCOUNT),
  user('rival', RIVAL),
  user('managed', MANAGED),
  user('second', SECOND),
  user('unbilled', UNBILLED),
  /** Users with access to the accounts, but another home account. */
  user('guest', UNBILLED, ACCOUNT, MANAGED),
  user('stranger', STRANGER),
];

export type Call = Awaited<ReturnType<typeof asUser>>['call'];
type Answer = ReturnType<Call>;
export const PATH = '/subsc/v1/managedaccounts';
export const ADDED = { serviceName: 'Location', type: SKU };
export const ACTIVATION = { accountName: MANAGED, paccountName: ACCOUNT, ...ADDED };

export async function makeScene() {
  const world = await makeWorld();
  await world.import({
    ...SMALL_FLEET,
    accounts: [...SMALL_FLEET.accounts, ours(RIVAL), ours(SECOND), ours(UNBILLED, false)],
    users: USERS,
  });
  const { db } = world.ctx;
  const as = Object.fromEntries(
    await Promise.all(
      USERS.map(async ({ username, password }) => {
        return [username, (await asUser(world, { username, password })).call] as const;
      }),
    ),
  ) as Record<string, Call>;
  const caller = (username: string): Call => as[username] ?? assert.fail(`there is no user ${username}`);

  const add = (body: object, by = 'primary', headers?: Record<string, string>) =>
    caller(by)('POST', `${PATH}/actions/add`, { accountName: ACCOUNT, ...ADDED, ...body }, headers);
  const provision = (body: object, by = 'managed', headers?: Record<string, string>) =>
    caller(by)('POST', `${PATH}/actions/provision`, { ...ACTIVATION, ...body }, headers);
  const cancel = (body: object, by = 'managed', headers?: Record<string, string>) =>
    caller(by)('POST', `${PATH}/actions/cancel`, { ...ACTIVATION, ...body }, headers);
  /** The rival makes the same calls as the primary. */
  const addByRival = (...names: string[]) =>
    add({ accountName: RIVAL, managedAccList: names.length === 0 ? [MANAGED] : names }, 'rival');
  const list = (path = '/service/Location', by = 'primary', accountName = ACCOUNT) =>
    caller(by)('GET', `${PATH}/${accountName}${path}`);

  /** The body of a successful answer. */
  const taken = async (answer: Answer) => {
    const { statusCode, body } = await answer;
    assert.equal(statusCode, 200, body);
    return JSON.parse(body);
  };
  /** The transaction id of MANAGED after it was added or activated. */
  const added = async (...names: string[]): Promise<string> =>
    (await taken(add({ managedAccList: names.length === 0 ? [MANAGED] : names }))).txid;
  const addedByRival = async (...names: string[]): Promise<string> =>
    (await taken(addByRival(...names))).txid;
  const provisioned = async (): Promise<string> => (await taken(provision({ txid: await added() }))).txid;

  /** Everything the feature stores. A refused call must leave it unchanged. */
  const readAll = async () =>
    (
      await db.one<{ all: unknown }>(sql`
        select json_build_array(
          (select json_agg(t order by t.account_name, t.service_name, t.paccount_name) from managed_account t),
          (select json_agg(t order by t.account_name, t.service_name, t.from_at) from managed_period t),
          (select count(*) from audit_entry where actor_kind = 'user')) as all`)
    ).all;
  const refused = async (
    call: () => Answer,
    [status, errorCode, errorMessage]: readonly [number, string, string],
  ) => {
    const before = await readAll();
    const { statusCode, body } = await call();
    assert.deepEqual([statusCode, JSON.parse(body)], [status, { errorCode, errorMessage }]);
    assert.deepEqual(await readAll(), before);
  };
  const readAudit = () =>
    db.many<{ actor: string; action: string; accountName: string; after: Record<string, unknown> }>(sql`
      select actor, action, account_name as "accountName", after from audit_entry
      where actor_kind = 'user' order by entry_id`);
  /** Removes all additions. */
  const forget = async () => {
    await db.exec(sql`delete from managed_account where ecpd_id = '9000001'`);
    await db.exec(sql`delete from managed_period where ecpd_id = '9000001'`);
    await db.exec(sql`delete from audit_entry where actor_kind = 'user'`);
  };
  const actions = { add, addByRival, provision, cancel, list };
  const steps = { taken, added, addedByRival, provisioned, refused };
  return { ...world, caller, ...actions, ...steps, db, readAudit, forget };
}

const invalid = (message: string) => [400, 'INVALID_PARAMETER', message] as const;

/** Status, code and message of each refusal. */
export const REFUSED = {
  service: invalid('Invalid Service Name'),
  session: invalid('UWS account validation failed (contact has no access to the account)'),
  primary: invalid('Primary account not registered'),
  parameters: invalid('Acct Not Provisioned With Provided Parameters. Check service & type fields'),
  txid: invalid('Txd Mismatch'),
  account: invalid('Invalid account name'),
  denied: [401, 'INVALID_ACCESS', 'Access policy denied the operation'] as const,
};
export const binding = (reason: string) => invalid(`Input Binding Error: ${reason}`);
