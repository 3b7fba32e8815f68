import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ACCOUNT, asUser, MANAGED } from '../../../../test/support/fleet.ts';
import { untilWaiting } from '../../../../test/support/lock-waits.ts';
import { sql } from '../../../platform/db/sql.ts';
import { makeTriggerScene } from './scene.ts';

const { world, create } = await makeTriggerScene();
const FREE = '0000123456-00008';
const user = (username: string, ...accounts: string[]) => ({
  username,
  password: `${username}-password`,
  accounts,
});
/** Each set of accounts in every order: the first must not matter. */
const USERS = [
  user('primary-first', ACCOUNT, MANAGED, FREE),
  user('managed-first', MANAGED, FREE, ACCOUNT),
  user('free-first', FREE, ACCOUNT, MANAGED),
  user('managed-only', MANAGED),
  user('managed-and-free', MANAGED, FREE),
  user('free-and-managed', FREE, MANAGED),
];
const WITH_PRIMARY = ['primary-first', 'managed-first', 'free-first'];
const WITHOUT_PRIMARY = ['managed-only', 'managed-and-free', 'free-and-managed'];
await world.import({
  accounts: [{ accountName: FREE, ecpdId: '9000001', locationRegistered: true }],
  users: USERS,
});

type Call = Awaited<ReturnType<typeof asUser>>['call'];
const callers = new Map<string, Call>();
for (const { username, password } of USERS)
  callers.set(username, (await asUser(world, { username, password })).call);
const as = (username: string): Call => callers.get(username)!;

const REFUSED = [400, 'UWS account validation failed (contact has no access to the account)'];
const refused = async (answer: ReturnType<Call>) => {
  const { statusCode, body } = await answer;
  assert.deepEqual([statusCode, JSON.parse(body).errorMessage], REFUSED);
};
const taken = async (answer: ReturnType<Call>) => {
  const { statusCode, body } = await answer;
  assert.equal(statusCode, 200, body);
  return JSON.parse(body);
};
const listOf = (accountName = MANAGED) => `/subsc/v1/usage/accounts/${accountName}/triggers`;
const services = (triggers: readonly { serviceName: string }[]) =>
  triggers.map(({ serviceName }) => serviceName);

/** MANAGED is activated with ACCOUNT for Location only. */
const makeTriggers = async () => {
  for (const { triggerId } of await taken(as('primary-first')('GET', listOf())))
    await taken(as('primary-first')('DELETE', `${listOf()}/${triggerId}`));
  const of = async (serviceName: string): Promise<string> =>
    (await taken(create({ accountName: MANAGED, serviceName }, as('primary-first')))).triggerId;
  return { Location: await of('Location'), fota: await of('fota') };
};
let triggers: Awaited<ReturnType<typeof makeTriggers>>;
before(async () => {
  triggers = await makeTriggers();
});

const uses = (by: Call, triggerId: string) => [
  () => by('GET', `${listOf()}/${triggerId}`),
  () => by('GET', `${listOf()}/${triggerId}/firings`),
  () => by('POST', `/subsc/v1/usage/triggers/${triggerId}`, { accountName: MANAGED, thresholdValue: '60' }),
  () => by('DELETE', `${listOf()}/${triggerId}`),
];

describe('usage triggers of an account that is activated with a primary for the service', () => {
  // proves 5/rule-1 usage-triggers/who-keeps-them
  for (const name of WITH_PRIMARY)
    it(`200: are managed by a user who may also use the primary: ${name}`, async () => {
      const { triggerId } = await taken(create({ accountName: MANAGED }, as(name)));
      assert.deepEqual(services(await taken(as(name)('GET', listOf()))).toSorted(), [
        'Location',
        'Location',
        'fota',
      ]);
      for (const use of uses(as(name), triggerId)) await taken(use());
    });

  // proves usage-triggers/who-keeps-them
  for (const name of WITHOUT_PRIMARY)
    it(`400: contact has no access: are not managed by a user of the account without the primary: ${name}`, async () => {
      await refused(create({ accountName: MANAGED }, as(name)));
      for (const use of uses(as(name), triggers.Location)) await refused(use());
    });
});

describe('usage triggers of other services and accounts', () => {
  // proves usage-triggers/who-keeps-them
  for (const name of [...WITH_PRIMARY, ...WITHOUT_PRIMARY])
    it(`200: are managed by any user of the account: ${name}`, async () => {
      const { triggerId } = await taken(create({ accountName: MANAGED, serviceName: 'fota' }, as(name)));
      for (const use of uses(as(name), triggerId)) await taken(use());
    });

  for (const name of ['free-first', 'free-and-managed', 'managed-and-free', 'managed-first'])
    it(`200: of an account that is second in the list, without a primary or managed accounts: ${name}`, async () => {
      const { triggerId } = await taken(create({ accountName: FREE }, as(name)));
      assert.equal((await taken(as(name)('GET', listOf(FREE)))).length, 1);
      await taken(as(name)('DELETE', `${listOf(FREE)}/${triggerId}`));
    });

  it('200: of an account that a primary only added', async () => {
    await world.import({
      managedAccounts: [
        { accountName: FREE, paccountName: ACCOUNT, serviceName: 'Location', type: 'S', state: 'added' },
      ],
    });
    const { triggerId } = await taken(create({ accountName: FREE }, as('managed-and-free')));
    await taken(as('managed-and-free')('DELETE', `${listOf(FREE)}/${triggerId}`));
  });

  it('401: are not managed by a user without the account, even with the primary', async () => {
    const answer = await create({ accountName: FREE }, as('managed-only'));
    assert.equal(answer.statusCode, 401);
  });
});

describe('GET /subsc/v1/usage/accounts/{a}/triggers', () => {
  // proves usage-triggers/who-keeps-them
  it('200: lists those that the user may manage', async () => {
    triggers = await makeTriggers();
    for (const name of WITHOUT_PRIMARY)
      assert.deepEqual(services(await taken(as(name)('GET', listOf()))), ['fota']);
    for (const name of WITH_PRIMARY) assert.equal((await taken(as(name)('GET', listOf()))).length, 2);
  });

  // proves usage-triggers/who-keeps-them
  it('400: contact has no access, if the user may manage none; 200 and empty if there are none', async () => {
    await taken(as('managed-only')('DELETE', `${listOf()}/${triggers.fota}`));
    for (const name of WITHOUT_PRIMARY) await refused(as(name)('GET', listOf()));
    await taken(as('primary-first')('DELETE', `${listOf()}/${triggers.Location}`));
    for (const name of WITHOUT_PRIMARY) assert.deepEqual(await taken(as(name)('GET', listOf())), []);
  });
});

describe('GET /subsc/v1/usage/accounts/{a}/triggers/{id}/firings', () => {
  it('400: contact has no access, for a deleted trigger that may have watched a service that others pay for', async () => {
    triggers = await makeTriggers();
    await taken(as('primary-first')('DELETE', `${listOf()}/${triggers.Location}`));
    await refused(as('managed-only')('GET', `${listOf()}/${triggers.Location}/firings`));
    const answer = await as('primary-first')('GET', `${listOf()}/${triggers.Location}/firings`);
    assert.equal(answer.json().errorMessage, 'Trigger not found');
  });
});

describe('at the same moment', () => {
  it('an account is activated while a trigger is created: the second call is refused', async () => {
    const { db } = world.ctx;
    let creation: ReturnType<typeof create> | undefined;
    await db.tx(async (tx) => {
      await tx.exec(sql`
        select from account where ecpd_id = '9000001' and account_name = ${FREE} for update`);
      creation = create({ accountName: FREE }, as('managed-and-free'));
      await untilWaiting(db, { unless: creation });
      await tx.exec(sql`
        update managed_account set state = 'provisioned' where ecpd_id = '9000001' and account_name = ${FREE}`);
    });
    await refused(creation!);
  });
});
