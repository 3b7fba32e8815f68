import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, SMALL_FLEET, USER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { type Browser, signIn } from './scene.ts';

const world = await makeWorld();
const SKU = 'SVC-LOC-COARSE-CellID-Aggr';
await world.import({
  ...SMALL_FLEET,
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
const at = (path: string) => `/accounts/${ACCOUNT}${path}`;
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
