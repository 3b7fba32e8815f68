import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { LOCATION_FLEET } from '../../../../test/support/location-fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';

const MANY = 10_050;
const world = await makeWorld();
const { subscriptions } = LOCATION_FLEET;
const devices = Array.from({ length: MANY }, (_, n) => ({
  accountName: ACCOUNT,
  imei: `9900000020${String(n).padStart(5, '0')}`,
  servicePlan: 'P-5MB',
}));
await world.import({ ...SMALL_FLEET, subscriptions, devices: [...SMALL_FLEET.devices, ...devices] });
const { call } = await asUser(world);
const REPORTS = `/loc/v1/locationreports/${ACCOUNT}`;

describe('a report on every device', () => {
  it('200: continues in another report if one cannot have them all, and leaves no device out', async () => {
    const counts: number[] = [];
    let after: string | undefined = '0';
    while (after !== undefined) {
      const made = await call('POST', REPORTS, { cacheMode: '0', after });
      assert.equal(made.statusCode, 200, made.body);
      const { txid, next } = made.json();
      counts.push((await call('GET', `${REPORTS}/report/${txid}`)).json().totalCount);
      after = next;
    }
    const located = SMALL_FLEET.devices.filter(({ accountName }) => accountName === ACCOUNT).length;
    assert.deepEqual(counts, [10_000, MANY + located - 10_000]);
  });
});
