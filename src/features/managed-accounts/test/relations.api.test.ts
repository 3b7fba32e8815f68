import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, MANAGED, SMALL_FLEET, USER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { type Browser, signIn } from '../../console/test/scene.ts';

const world = await makeWorld();
const SKU = 'SVC-LOC-COARSE-CellID-Aggr';
const OTHER = { username: 'managed-user', password: 'managed-password' };
await world.import({
  ...SMALL_FLEET,
  users: [...SMALL_FLEET.users, { ...OTHER, accounts: [MANAGED, ACCOUNT] }],
});
const { call } = await asUser(world);
const user = await signIn(world, USER);
const managedUser = await signIn(world, OTHER);
const pathOf = (account: string, service = 'Location', query = '') =>
  `/subsc/v1/managedaccounts/${account}/service/${service}/relations${query}`;
const read = async (browser: Browser, path: string) => {
  const answer = await browser.call('GET', path);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};

describe('GET /subsc/v1/managedaccounts/{accountName}/service/{serviceName}/relations', () => {
  const act = (browser: Browser, action: string, body: object) =>
    browser.call('POST', `/subsc/v1/managedaccounts/actions/${action}`, {
      serviceName: 'Location',
      type: SKU,
      ...body,
    });
  const add = (browser: Browser) => act(browser, 'add', { accountName: ACCOUNT, managedAccList: [MANAGED] });
  /** As it is now: every change names the id of the previous one. */
  const relation = async () => {
    const [{ accountName, paccountName, txid }] = (await read(managedUser, pathOf(MANAGED))).own;
    return { accountName, paccountName, txid };
  };

  it('200: lists relations with SKU and state, for tokens and for the cookie of a user who may change them', async () => {
    assert.equal((await add(user)).json().statusList[0].status, 'Success');
    assert.equal((await act(managedUser, 'provision', await relation())).json().status, 'Success');
    const { accounts, provisioned, next, own } = await read(user, pathOf(ACCOUNT));
    assert.deepEqual(
      [accounts[0].accountName, accounts[0].state, accounts[0].skuName, provisioned, next, own],
      [MANAGED, 'provisioned', SKU, 1, undefined, []],
    );
    const byTokens = await call('GET', pathOf(ACCOUNT, 'location'));
    assert.deepEqual(byTokens.json(), await read(user, pathOf(ACCOUNT)));
    assert.equal((await act(managedUser, 'cancel', await relation())).json().status, 'Success');
    assert.deepEqual((await read(user, pathOf(ACCOUNT))).accounts, []);
    assert.deepEqual((await read(managedUser, pathOf(MANAGED))).own, []);
  });

  it('200: lets an operator act for the account that the call names, the primary or the managed one', async () => {
    const operator = await signIn(world);
    assert.equal((await add(operator)).json().statusList[0].status, 'Success');
    assert.equal((await act(operator, 'cancel', await relation())).json().status, 'Success');
    await add(operator);
    assert.equal((await act(operator, 'provision', await relation())).json().status, 'Success');
    assert.equal((await act(operator, 'cancel', await relation())).json().status, 'Success');
  });

  it('200: lists no managed accounts for a user who is at home elsewhere, who cannot activate one either', async () => {
    await add(user);
    const guest = { username: 'guest', password: 'guest-password-1' };
    await world.import({ users: [{ ...guest, accounts: [ACCOUNT, MANAGED] }] });
    const elsewhere = await signIn(world, guest);
    const refused = await act(elsewhere, 'provision', await relation());
    assert.match(refused.json().errorMessage, /contact has no access/);
    await act(managedUser, 'provision', await relation());
    assert.equal((await act(user, 'cancel', await relation())).statusCode, 401);
    const { mayManage, accounts, own } = await read(elsewhere, pathOf(MANAGED));
    assert.deepEqual([mayManage, accounts, own.length], [false, [], 1]);
    await act(managedUser, 'cancel', await relation());
  });

  it('200: lists page by page, each account once, with the totals', async () => {
    await world.ctx.db.exec(sql`
      insert into account_directory (ecpd_id, account_name)
      select ecpd_id, '0000777777-' || lpad(n::text, 5, '0')
      from account_directory, generate_series(1, 450) n where account_name = ${ACCOUNT}`);
    await world.ctx.db.exec(sql`
      with more as (
        insert into account (ecpd_id, account_name, time_zone, bill_cycle_day, real_time_rating, aggregated_billing,
          location_registered, created_at)
        select ecpd_id, '0000777777-' || lpad(n::text, 5, '0'), time_zone, bill_cycle_day, false, true, true, created_at
        from account, generate_series(1, 450) n where account_name = ${ACCOUNT} returning ecpd_id, account_name)
      insert into managed_account (ecpd_id, account_name, service_name, paccount_name, sku_name, state, txid, updated_at)
      select ecpd_id, account_name, 'fota', ${ACCOUNT}, 'SKU',
        (array['added', 'provisioned', 'cancelled'])[1 + right(account_name, 5)::int % 3], gen_random_uuid(), '2026-01-01'
      from more`);
    const names: string[] = [];
    for (let page: string | undefined = ''; page !== undefined; ) {
      const answer = await read(user, pathOf(ACCOUNT, 'fota', `?limit=70&page=${page}`));
      assert.deepEqual([answer.added, answer.provisioned], [150, 150]);
      names.push(...answer.accounts.map(({ accountName }: { accountName: string }) => accountName));
      page = answer.next;
    }
    assert.deepEqual([names.length, names], [300, [...new Set(names)].sort()]);
  });

  it('400: does not know another service', async () =>
    assert.equal((await call('GET', pathOf(ACCOUNT, 'Voice'))).json().errorMessage, 'Invalid Service Name'));
});
