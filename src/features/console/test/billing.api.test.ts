import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, MANAGED, SMALL_FLEET, USER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { type Browser, signIn } from './scene.ts';

const world = await makeWorld();
const SKU = 'SVC-LOC-COARSE-CellID-Aggr';
const OTHER = { username: 'managed-user', password: 'managed-password' };
await world.import({
  ...SMALL_FLEET,
  users: [...SMALL_FLEET.users, { ...OTHER, accounts: [MANAGED, ACCOUNT] }],
  devices: SMALL_FLEET.devices.map((device) => ({ ...device, planSince: '2025-01-01T00:00:00Z' })),
  plans: [{ code: 'P-5MB', name: '5 MB', kind: 'payAsYouGo', ratePerMb: 0.5 }],
  subscriptions: [{ accountName: ACCOUNT, serviceName: 'Location', skuName: SKU, allowance: 100 }],
});
const record = { kind: 'imei', device: '990000000000011', at: '2026-01-04T12:00:00Z', bytes: 1_048_576 };
for (const more of [
  { id: 'a', ratingGroup: '100', countryCode: 'USA' },
  { id: 'b', ratingGroup: '100', countryCode: 'CAN' },
  { id: 'c', ratingGroup: '200', countryCode: 'USA' },
])
  assert.equal((await world.operator('POST', '/usage', { ...record, ...more })).statusCode, 200);
const user = await signIn(world, USER);
const managedUser = await signIn(world, OTHER);
const at = (path: string, account = ACCOUNT) => `/accounts/${account}${path}`;
const read = async (browser: Browser, path: string) => {
  const answer = await browser.get(path);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};

describe('billing', () => {
  it('200: has a month by rating group and country, and its sums', async () => {
    const bill = await read(user, at('/billing/2026-01'));
    assert.deepEqual([bill.by, bill.amount, bill.totalBytes], ['rating_group', 1.5, 3 * 1_048_576]);
    const [first, second] = bill.groups;
    assert.deepEqual([first.name, first.amount, second.name, second.amount], ['100', 1, '200', 0.5]);
    assert.deepEqual(
      first.countries.map(({ countryCode }: { countryCode: string }) => countryCode),
      ['CAN', 'USA'],
    );
  });

  it('200: has twelve months, the open one last', async () => {
    const { months, current } = await read(user, at('/billing'));
    assert.deepEqual([months.length, months[0].month, current], [12, '2025-02', '2026-01']);
    assert.deepEqual([months.at(-1).amount, months[0].amount], [1.5, 0]);
  });

  it('200: has the sums of a month too, and of the others, whose bill is too large to be shown', async () => {
    await world.ctx.db.exec(sql`
      insert into usage_bill_day (ecpd_id, account_name, day, plan_code, apn, rating_group, country_code, delayed, bytes,
        charged_bytes, charge_amount)
      select ecpd_id, account_name, '2025-06-10', 'P-5MB', '', n::text, '', true, 1048576, 524288, 0.01
      from account, generate_series(1, 70000) n where account_name = ${ACCOUNT}`);
    assert.equal((await user.get(at('/billing/2025-06'))).json().code, 'bill_too_large');
    const { months } = await read(user, at('/billing'));
    assert.deepEqual(months[4], {
      month: '2025-06',
      totalBytes: 70_000 * 1_048_576,
      billedBytes: 70_000 * 1_048_576,
      amount: 18_200,
    });
    assert.equal(months.at(-1).amount, 1.5);
  });

  it('400: a month that is none is refused', async () =>
    assert.equal((await user.get(at('/billing/2026-13'))).statusCode, 400));

  it('400: a month whose end has a year of five digits', async () =>
    assert.equal((await user.get(at('/billing/9999-12'))).statusCode, 400));
});

describe('managed accounts', () => {
  const LOCATION = '/managed-accounts/Location';
  const act = (browser: Browser, action: string, body: object) =>
    browser.call('POST', `/subsc/v1/managedaccounts/actions/${action}`, {
      serviceName: 'Location',
      type: SKU,
      ...body,
    });
  const add = (browser: Browser) => act(browser, 'add', { accountName: ACCOUNT, managedAccList: [MANAGED] });
  /** As it is now: every change has to name the id of the one before. */
  const relation = async () => {
    const [{ accountName, paccountName, txid }] = (await read(managedUser, at(LOCATION, MANAGED))).own;
    return { accountName, paccountName, txid };
  };

  it('200: are listed with their state, as the interface changes it by the cookie of whoever may', async () => {
    assert.equal((await add(user)).json().statusList[0].status, 'Success');
    assert.equal((await act(managedUser, 'provision', await relation())).json().status, 'Success');
    const { accounts, provisioned, next, own } = await read(user, at(LOCATION));
    assert.deepEqual(
      [accounts[0].accountName, accounts[0].state, accounts[0].skuName, provisioned, next, own],
      [MANAGED, 'provisioned', SKU, 1, undefined, []],
    );
    assert.equal((await act(managedUser, 'cancel', await relation())).json().status, 'Success');
    assert.deepEqual((await read(user, at(LOCATION))).accounts, []);
    assert.deepEqual((await read(managedUser, at(LOCATION, MANAGED))).own, []);
  });

  it('200: an operator acts for the account that the call names, be it the primary or the managed one', async () => {
    const operator = await signIn(world);
    assert.equal((await add(operator)).json().statusList[0].status, 'Success');
    assert.equal((await act(operator, 'cancel', await relation())).json().status, 'Success');
    await add(operator);
    assert.equal((await act(operator, 'provision', await relation())).json().status, 'Success');
    assert.equal((await act(operator, 'cancel', await relation())).json().status, 'Success');
  });

  it('400: what is activated the primary does not take back, and no user who is at home elsewhere agrees', async () => {
    await add(user);
    const guest = { username: 'guest', password: 'guest-password-1' };
    await world.import({ users: [{ ...guest, accounts: [ACCOUNT, MANAGED] }] });
    const elsewhere = await signIn(world, guest);
    const refused = await act(elsewhere, 'provision', await relation());
    assert.match(refused.json().errorMessage, /contact has no access/);
    await act(managedUser, 'provision', await relation());
    assert.equal((await act(user, 'cancel', await relation())).statusCode, 401);
    const { mayManage, accounts, own } = await read(elsewhere, at(LOCATION, MANAGED));
    assert.deepEqual([mayManage, accounts, own.length], [false, [], 1]);
    await act(managedUser, 'cancel', await relation());
  });

  it('200: come page by page, each once, with the numbers of all', async () => {
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
      const answer = await read(user, at(`/managed-accounts/fota?limit=70&page=${page}`));
      assert.deepEqual([answer.added, answer.provisioned], [150, 150]);
      names.push(...answer.accounts.map(({ accountName }: { accountName: string }) => accountName));
      page = answer.next;
    }
    assert.deepEqual([names.length, names], [300, [...new Set(names)].sort()]);
  });
});
