import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { ipAddressOf } from '../lines/line-number.ts';
import { byImei, imei, makeLifecycleScene, PLACE } from './scene.ts';

const { db, done, stateOf, world, call, ask } = await makeLifecycleScene();
const START = world.ctx.now().toISOString();
const activate = (devices: object[], more: object = {}) =>
  done('actions/activate', {
    accountName: ACCOUNT,
    servicePlan: 'P-5MB',
    mdnZipCode: '76051',
    devices,
    ...more,
  });
const at = (n: number, ipAddress: string) => ({ ...byImei(n)[0]!, ipAddress });
const listed = async (n: number, more: object = {}) =>
  (
    await call('POST', '/m2m/v1/devices/actions/list', {
      deviceId: { id: imei(n), kind: 'imei' },
      ...more,
    })
  ).json().devices[0];
const codes = (results: Awaited<ReturnType<typeof activate>>) =>
  Object.fromEntries(results.map((each) => [each.deviceIds[0]?.id, each.faultResponse?.faultcode]));
const TAKEN = 'DeviceService.REQUEST_FAILED.IpAddressNotAvailable';

describe('a listing of a line that was activated', () => {
  // proves listing/activation-dates
  it('shows when, by whom and with which address it was activated', async () => {
    const [result] = await activate(byImei(10));
    const { lastActivationDate, lastActivationBy, ipAddress } = await listed(10);
    assert.deepEqual(
      { lastActivationDate, lastActivationBy, ipAddress },
      {
        lastActivationDate: START,
        lastActivationBy: 'ws-user',
        ipAddress: result?.deviceResponse['activateResponse']?.['ipAddress'],
      },
    );
  });

  it('filters by the activation, which neither a plan change nor a suspension alters', async () => {
    world.pass(60_000);
    await done('actions/suspend', { devices: byImei(10) });
    await done('actions/restore', { devices: byImei(10) });
    await done('actions/plan', { devices: byImei(10), servicePlan: 'P-50MB' });
    assert.equal((await listed(10)).lastActivationDate, START);
    assert.notEqual(await listed(10, { latest: START }), undefined);
    assert.equal(await listed(10, { earliest: world.ctx.now().toISOString() }), undefined);
  });

  it('also shows an activation by the operator', async () => {
    world.pass(60_000);
    const answer = await world.operator('POST', `/devices/imei/${imei(15)}/state`, { state: 'active' });
    assert.equal(answer.statusCode, 200, answer.body);
    const { lastActivationDate, lastActivationBy } = await listed(15);
    assert.deepEqual([lastActivationDate, lastActivationBy], [world.ctx.now().toISOString(), 'operator']);
  });
});

describe('an activation with an address', () => {
  // proves lines/ip-address
  it('gives the line that address, and changes it when the line is activated again', async () => {
    for (const ipAddress of ['192.168.7.1', '192.168.7.2']) {
      const [result] = await activate([at(11, ipAddress)]);
      assert.equal(result?.deviceResponse['activateResponse']?.['ipAddress'], ipAddress);
      assert.equal((await listed(11)).ipAddress, ipAddress);
      await done('actions/deactivate', { devices: byImei(11), reasonCode: 'FF' });
    }
  });

  // proves lines/ip-address
  it('fails a device if another line has the address, or another device of the request asks for it', async () => {
    const results = await activate([at(12, '192.168.7.2'), at(501, '192.168.7.3'), at(502, '192.168.7.3')]);
    const { [imei(12)]: known, ...others } = codes(results);
    assert.equal(known, TAKEN);
    assert.deepEqual(Object.values(others).sort(), [TAKEN, undefined]);
    assert.equal(await stateOf(12), 'pre-active');
  });

  it('keeps its address out of automatic assignment', async () => {
    const { n } = await db.one<{ n: number }>(
      sql`select nextval(pg_get_serial_sequence('device_line', 'line_number'))::int as n`,
    );
    // A line has one of the addresses, and a line of the same request asks for the other; numbers are taken before addresses.
    await activate([at(13, ipAddressOf(n + 6))]);
    const results = await activate([at(503, ipAddressOf(n + 7)), ...byImei(504)]);
    const addresses = results.map(
      ({ deviceResponse }) => deviceResponse['activateResponse']?.['ipAddress'] as string,
    );
    assert.equal(new Set(addresses).size, 2, addresses.join());
    assert.ok(addresses.includes(ipAddressOf(n + 7)));
    assert.ok(!addresses.includes(ipAddressOf(n + 6)));
  });

  it('succeeds for one of two simultaneous requests for the same address', async () => {
    const body = { accountName: ACCOUNT, servicePlan: 'P-5MB', mdnZipCode: '76051' };
    await Promise.all(
      [505, 506].map((n) => ask('actions/activate', { ...body, devices: [at(n, '192.168.9.9')] })),
    );
    await world.engine.settle();
    world.pass(5_000);
    await world.engine.settle();
    assert.deepEqual([await stateOf(505), await stateOf(506)].sort(), ['active', 'pre-active']);
  });
});

describe('an activation by SKU', () => {
  // proves lines/sku-activation
  it('blocks plan changes until the operator reports that the SIM was updated', async () => {
    const change = async () =>
      (await done('actions/plan', { devices: byImei(507), servicePlan: 'P-50MB' }))[0]?.faultResponse
        ?.faultcode;
    assert.equal((await activate(byImei(507), { skuNumber: 'MODEM-7' }))[0]?.status, 'Success');
    const { extendedAttributes } = await listed(507);
    assert.deepEqual(extendedAttributes[1], { key: 'SkuNumber', value: 'MODEM-7' });
    assert.equal(await change(), 'DeviceService.REQUEST_FAILED.OtaUpdateRequired');
    await world.import({ devices: [{ accountName: ACCOUNT, imei: imei(507), otaUpdated: true }] });
    assert.equal(await change(), undefined);
  });
});

describe('an activation with a place of use', () => {
  const placeOf = async (n: number) =>
    (
      await db.maybe<{ place: object }>(sql`
        select u.place from device_place_of_use u join device d using (ecpd_id, device_id) where d.imei = ${imei(n)}`)
    )?.place;

  // proves lines/place-of-use
  it('stores the place with the device', async () => {
    await activate(byImei(508), { primaryPlaceOfUse: PLACE });
    assert.deepEqual(await placeOf(508), PLACE);
  });

  // proves plans/plan-spellings
  it('accepts a numeric zip, which may have lost its leading zeros', async () => {
    const primaryPlaceOfUse = { ...PLACE, address: { ...PLACE.address, zip: 501 } };
    await activate(byImei(510), { primaryPlaceOfUse });
    assert.deepEqual(await placeOf(510), { ...PLACE, address: { ...PLACE.address, zip: '00501' } });
  });

  // proves lines/place-of-use
  it('fails if the plan is for a fixed location and is not sold there', async () => {
    const primaryPlaceOfUse = { ...PLACE, address: { ...PLACE.address, zip: '10001' } };
    const [result] = await activate(byImei(509), { primaryPlaceOfUse, servicePlan: 'P-HOME' });
    assert.equal(result?.faultResponse?.faultcode, 'DeviceService.REQUEST_FAILED.AddressNotQualified');
    assert.deepEqual([await stateOf(509), await placeOf(509)], ['pre-active', undefined]);
    await activate(byImei(509), { primaryPlaceOfUse: PLACE, servicePlan: 'P-HOME' });
    assert.deepEqual([await stateOf(509), await placeOf(509)], ['active', PLACE]);
  });
});
