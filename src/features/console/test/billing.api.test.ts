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

  it('200: are added by the primary, activated and cancelled by themselves, and listed with their state', async () => {
    const added = await user.send('POST', at(LOCATION), { skuName: SKU, accounts: [MANAGED, ACCOUNT] });
    assert.deepEqual(
      added.json().results.map(({ status }: { status: string }) => status),
      ['Success', 'Fail'],
    );
    const own = async () => (await read(managedUser, at(`${LOCATION}/own`, MANAGED))).relations;
    const act = async (action: string, browser: Browser) => {
      const [{ paccountName, skuName, txid }] = await own();
      return browser.send('POST', at(`${LOCATION}/own/${action}`, MANAGED), { paccountName, skuName, txid });
    };
    assert.equal((await act('activate', managedUser)).json().status, 'Success');
    const { accounts, provisioned, next } = await read(user, at(LOCATION));
    assert.deepEqual(
      [accounts[0].accountName, accounts[0].state, provisioned, next],
      [MANAGED, 'provisioned', 1, undefined],
    );
    assert.equal((await act('cancel', managedUser)).json().status, 'Success');
    assert.deepEqual((await read(user, at(LOCATION))).accounts, []);
    assert.deepEqual(await own(), []);
  });

  it('200: what was added is taken back by the primary, or declined by the account; 400 when it is activated', async () => {
    const addition = async () => {
      await user.send('POST', at(LOCATION), { skuName: SKU, accounts: [MANAGED] });
      const [{ skuName, txid }] = (await read(user, at(LOCATION))).accounts;
      return { skuName, txid };
    };
    const takeBack = (body: object) =>
      user.send('POST', at(`${LOCATION}/take-back`), { accountName: MANAGED, ...body });
    assert.equal((await takeBack(await addition())).json().status, 'Success');
    assert.deepEqual((await read(user, at(LOCATION))).accounts, []);
    const own = { paccountName: ACCOUNT, ...(await addition()) };
    const declined = await managedUser.send('POST', at(`${LOCATION}/own/cancel`, MANAGED), own);
    assert.equal(declined.json().status, 'Success');
    const kept = await addition();
    const activate = at(`${LOCATION}/own/activate`, MANAGED);
    const { txid } = (await managedUser.send('POST', activate, { paccountName: ACCOUNT, ...kept })).json();
    const late = await takeBack({ ...kept, txid });
    assert.deepEqual(
      [late.statusCode, late.json().title],
      [400, 'UWS account validation failed (contact has no access to the account)'],
    );
    await managedUser.send('POST', at(`${LOCATION}/own/cancel`, MANAGED), { ...own, txid });
  });

  it('200: a SKU that is none of the interface fails for every account', async () => {
    const added = await user.send('POST', at(LOCATION), { skuName: 'LOC', accounts: [MANAGED, ACCOUNT] });
    assert.deepEqual(
      added.json().results.map(({ reason }: { reason: string }) => reason),
      ['Invalid service type', 'Invalid service type'],
    );
  });

  it('400: nobody agrees with an id that is not the last, and no user who is at home elsewhere', async () => {
    await user.send('POST', at(LOCATION), { skuName: SKU, accounts: [MANAGED] });
    const body = { paccountName: ACCOUNT, skuName: SKU, txid: 'old' };
    const stale = await managedUser.send('POST', at(`${LOCATION}/own/activate`, MANAGED), body);
    assert.deepEqual([stale.statusCode, stale.json().title], [400, 'Txd Mismatch']);
    const guest = { username: 'guest', password: 'guest-password-1' };
    await world.import({ users: [{ ...guest, accounts: [ACCOUNT, MANAGED] }] });
    const refused = await (await signIn(world, guest)).send(
      'POST',
      at(`${LOCATION}/own/activate`, MANAGED),
      body,
    );
    assert.match(refused.json().title, /contact has no access/);
  });

  it('200: a statement adds up to its total, also where nothing was used', async () => {
    const statement = await read(user, at(`${LOCATION}/statement/2026-01`));
    assert.deepEqual([statement.skuName, statement.total, statement.lines], [SKU, 0, []]);
  });

  it('200: come page by page, each once, with the numbers of all; so do the lines of a statement', async () => {
    await world.ctx.db.exec(sql`
      with more as (
        insert into account (ecpd_id, account_name, time_zone, bill_cycle_day, real_time_rating, aggregated_billing,
          location_registered, created_at)
        select ecpd_id, '0000777777-' || lpad(n::text, 5, '0'), time_zone, bill_cycle_day, false, true, true, created_at
        from account, generate_series(1, 450) n where account_name = ${ACCOUNT} returning ecpd_id, account_name),
      used as (
        insert into service_month_line (ecpd_id, billed_to, service_name, month, account_name, transactions)
        select ecpd_id, ${ACCOUNT}, 'fota', '2026-01', account_name, 2 from more)
      insert into managed_account (ecpd_id, account_name, service_name, paccount_name, sku_name, state, txid, updated_at)
      select ecpd_id, account_name, 'fota', ${ACCOUNT}, 'SKU',
        (array['added', 'provisioned', 'cancelled'])[1 + right(account_name, 5)::int % 3], gen_random_uuid(), '2026-01-01'
      from more`);
    const [names, lines]: [string[], string[]] = [[], []];
    for (let page: string | undefined = ''; page !== undefined; ) {
      const answer = await read(user, at(`/managed-accounts/fota?limit=70&page=${page}`));
      assert.deepEqual([answer.added, answer.provisioned], [150, 150]);
      names.push(...answer.accounts.map(({ accountName }: { accountName: string }) => accountName));
      page = answer.next;
    }
    assert.deepEqual([names.length, names], [300, [...new Set(names)].sort()]);
    for (let page: number | undefined = 0; page !== undefined; ) {
      const answer = await read(user, at(`/managed-accounts/fota/statement/2026-01?page=${page}`));
      assert.ok(answer.lines.length <= 200 && answer.total === 900);
      lines.push(...answer.lines.map(({ accountName }: { accountName: string }) => accountName));
      page = answer.next;
    }
    assert.equal(new Set(lines).size, 450);
  });
});
