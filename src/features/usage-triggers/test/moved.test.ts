import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ACCOUNT, asUser, MANAGED } from '../../../../test/support/fleet.ts';
import { untilWaiting } from '../../../../test/support/lock-waits.ts';
import { sql } from '../../../platform/db/sql.ts';
import { CHILD_IMEI, makeTriggerScene } from './scene.ts';

const { world, pass, call, child, create, made, locate, locateChild, firings, newMonth, month } =
  await makeTriggerScene();
const OTHER = '0000123456-00003';
const OTHER_USER = { username: 'other', password: 'other-password' };
const SKU = 'SVC-LOC-COARSE-CellID-Aggr';
await world.import({
  accounts: [{ accountName: OTHER, ecpdId: '9000001', aggregatedBilling: true, locationRegistered: true }],
  users: [{ ...OTHER_USER, accounts: [OTHER] }],
  subscriptions: [OTHER, MANAGED].flatMap((accountName) => [
    { accountName, serviceName: 'Location', skuName: SKU, allowance: 10 },
    { accountName, serviceName: 'fota', skuName: 'fota', allowance: 10 },
  ]),
});
const relation = (paccountName: string, state = 'provisioned', serviceName = 'Location') => ({
  accountName: MANAGED,
  paccountName,
  serviceName,
  type: SKU,
  state,
});
const moveTo = (paccountName: string) => world.import({ managedAccounts: [relation(paccountName)] });
/** The account pays for itself again, as after cancelling. */
const leave = async (paccountName = ACCOUNT) => {
  world.pass(1_000);
  await world.import({ managedAccounts: [relation(paccountName, 'added')] });
};

beforeEach(async () => {
  await moveTo(ACCOUNT);
  await newMonth();
});

const other = async () => (await asUser(world, OTHER_USER)).call;
const locateChildren = async (count: number) => {
  for (let n = 0; n < count; n++) assert.equal((await locateChild()).statusCode, 200);
};
/** The month according to the report, the statement and the counter of triggers. */
async function readMonth(accountName: string, by: typeof call) {
  const [year, number] = month().split('-');
  const days = { startDate: `${number}-01-${year}`, endDate: `${number}-28-${year}` };
  const report = (
    await by('POST', '/loc/v1/usage', { accountName, ...days, usageForAllAccounts: true })
  ).json();
  const statement = (
    await by('GET', `/subsc/v1/managedaccounts/${accountName}/service/Location/statement/${month()}`)
  ).json();
  const services = (await world.operator('GET', `/accounts/${accountName}/services`)).json();
  return {
    report: report.totalTransactionCount,
    managed: report.ManagedAccounts.map((each: { transactionsCount: string }) => each.transactionsCount),
    statement: statement.totalTransactionCount,
    counter: String(services[0].used),
  };
}

// proves location/moved-accounts
describe('POST /loc/v1/usage', () => {
  // proves location/moved-accounts managed-accounts/statements
  it('200: a month does not change when the account moves to another primary, and matches the statement and the triggers', async () => {
    await locate(1);
    await locateChildren(2);
    const before = await readMonth(ACCOUNT, call);
    assert.deepEqual(before, { report: '3', managed: ['2'], statement: '3', counter: '3' });
    world.pass(1_000);
    await moveTo(OTHER);
    assert.deepEqual(await readMonth(ACCOUNT, call), before);
    await locateChildren(3);
    assert.deepEqual(await readMonth(ACCOUNT, call), before);
    assert.deepEqual(await readMonth(OTHER, await other()), {
      ...{ report: '3', managed: ['3'], statement: '3', counter: '3' },
    });
  });

  // proves location/moved-accounts
  it('200: lists accounts that left and have uses in the days, but not accounts that left before', async () => {
    await locateChildren(1);
    await leave();
    assert.deepEqual((await readMonth(ACCOUNT, call)).managed, ['1']);
    await newMonth();
    assert.deepEqual((await readMonth(ACCOUNT, call)).managed, []);
  });

  // proves location/moved-accounts
  it('200: shows a managed account all its own uses, whoever paid', async () => {
    await locateChildren(2);
    world.pass(1_000);
    await moveTo(OTHER);
    await locateChildren(1);
    const own = async () => {
      const [year, number] = month().split('-');
      const days = { startDate: `${number}-01-${year}`, endDate: `${number}-28-${year}` };
      const body = { accountName: MANAGED, ...days };
      return (await child.call('POST', '/loc/v1/usage', body)).json().totalTransactionCount;
    };
    assert.equal(await own(), '3');
    await leave(OTHER);
    assert.equal(await own(), '3');
    await locateChildren(1);
    assert.equal(await own(), '4');
  });
});

describe('a use that is reported late', () => {
  // proves location/moved-accounts
  it('is billed to the primary of the account at the time of the use', async () => {
    const happened = world.clock.now().toISOString();
    await world.import({ managedAccounts: [relation(ACCOUNT, 'provisioned', 'fota')] });
    const trigger = await made({ serviceName: 'fota', thresholdValue: '5' });
    await pass(86_400_000);
    await world.import({ managedAccounts: [relation(OTHER, 'provisioned', 'fota')] });
    const feed = (id: string, at: string) =>
      world.operator('POST', '/usage', [
        { id: `${month()}-${id}`, kind: 'imei', device: CHILD_IMEI, at, bytes: 1, serviceName: 'fota' },
      ]);
    assert.equal((await feed('late', happened)).json().accepted, 1);
    assert.equal((await feed('now', world.clock.now().toISOString())).json().accepted, 1);
    for (const payer of [ACCOUNT, OTHER]) {
      const { lines } = (await world.operator('GET', `/accounts/${payer}/statements/fota/${month()}`)).json();
      assert.deepEqual(lines, [{ accountName: MANAGED, transactionsCount: '1' }]);
    }
    assert.equal((await firings(trigger.triggerId)).length, 1);
  });
});

// proves usage-triggers/whose-use
describe('a usage trigger', () => {
  it('of an account that left its primary does not count what the primary paid for', async () => {
    await leave();
    const { triggerId } = (await create({ accountName: MANAGED, thresholdValue: '30' })).json();
    await moveTo(ACCOUNT);
    await locateChildren(2);
    await leave();
    await locateChildren(2);
    assert.deepEqual(await firings(triggerId), []);
    await locateChildren(1);
    assert.deepEqual([(await firings(triggerId))[0].after, (await firings(triggerId)).length], [3, 1]);
  });

  it('of an account that is activated with a primary counts all its own uses', async () => {
    const { triggerId } = (await create({ accountName: MANAGED, thresholdValue: '30' })).json();
    await locateChildren(2);
    assert.deepEqual(await firings(triggerId), []);
    await locateChildren(1);
    assert.deepEqual([(await firings(triggerId))[0].after, (await firings(triggerId)).length], [3, 1]);
  });

  // proves location/moved-accounts
  it('closes the service for uses that its primary pays for, and not for an account that left', async () => {
    await made({ thresholdValue: '100', allowExcess: false });
    await locate(1, 2, 3, 4, 5, 6, 7, 8);
    await locateChildren(2);
    assert.equal((await locateChild()).json().errorMessage, 'Subscribed usage exceeded');
    world.pass(1_000);
    await moveTo(OTHER);
    await locateChildren(1);
    assert.equal((await locate(9)).json().errorMessage, 'Subscribed usage exceeded');
  });

  it('closes the service of an account that left by the uses that it pays for', async () => {
    await locateChildren(9);
    await leave();
    await create({ accountName: MANAGED, thresholdValue: '100', allowExcess: false });
    await locateChildren(10);
    assert.equal((await locateChild()).json().errorMessage, 'Subscribed usage exceeded');
  });
});

describe('at the same moment', () => {
  it('a use that is being recorded comes before a move: the move waits for it', async () => {
    const { db } = world.ctx;
    let move: ReturnType<typeof moveTo> | undefined;
    await db.tx(async (tx) => {
      await tx.exec(sql`
        select from account where ecpd_id = '9000001' and account_name = ${MANAGED} for key share`);
      move = moveTo(OTHER);
      await untilWaiting(db, { unless: move });
      const [found] = await db.many<{ primary: string }>(sql`
        select paccount_name as primary from managed_account where account_name = ${MANAGED} and state = 'provisioned'`);
      assert.equal(found?.primary, ACCOUNT);
    });
    await move;
  });
});
