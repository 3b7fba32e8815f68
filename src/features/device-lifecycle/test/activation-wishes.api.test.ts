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
const codes = (told: Awaited<ReturnType<typeof activate>>) =>
  Object.fromEntries(told.map((each) => [each.deviceIds[0]?.id, each.faultResponse?.faultcode]));
const TAKEN = 'DeviceService.REQUEST_FAILED.IpAddressNotAvailable';

describe('a listing of a line that was activated', () => {
  // proves listing/activation-dates
  it('says when, by whom and with which address', async () => {
    const [told] = await activate(byImei(10));
    const { lastActivationDate, lastActivationBy, ipAddress } = await listed(10);
    assert.deepEqual(
      { lastActivationDate, lastActivationBy, ipAddress },
      {
        lastActivationDate: START,
        lastActivationBy: 'ws-user',
        ipAddress: told?.deviceResponse['activateResponse']?.['ipAddress'],
      },
    );
  });

  it('filters by the activation, and neither a change of plan nor a suspension is one', async () => {
    world.pass(60_000);
    await done('actions/suspend', { devices: byImei(10) });
    await done('actions/restore', { devices: byImei(10) });
    await done('actions/plan', { devices: byImei(10), servicePlan: 'P-50MB' });
    assert.equal((await listed(10)).lastActivationDate, START);
    assert.notEqual(await listed(10, { latest: START }), undefined);
    assert.equal(await listed(10, { earliest: world.ctx.now().toISOString() }), undefined);
  });

  it('says so too where the operator did it', async () => {
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
      const [told] = await activate([at(11, ipAddress)]);
      assert.equal(told?.deviceResponse['activateResponse']?.['ipAddress'], ipAddress);
      assert.equal((await listed(11)).ipAddress, ipAddress);
      await done('actions/deactivate', { devices: byImei(11), reasonCode: 'FF' });
    }
  });

  // proves lines/ip-address
  it('fails the device when another line has it, or another device of the request asks for it', async () => {
    const told = await activate([at(12, '192.168.7.2'), at(501, '192.168.7.3'), at(502, '192.168.7.3')]);
    const { [imei(12)]: known, ...others } = codes(told);
    assert.equal(known, TAKEN);
    assert.deepEqual(Object.values(others).sort(), [TAKEN, undefined]);
    assert.equal(await stateOf(12), 'pre-active');
  });

  it('is passed over when addresses are given out', async () => {
    const { n } = await db.one<{ n: number }>(
      sql`select nextval(pg_get_serial_sequence('device_line', 'line_number'))::int as n`,
    );
    // One that a line has, and one that a line of the same request asks for; numbers are taken before addresses.
    await activate([at(13, ipAddressOf(n + 6))]);
    const told = await activate([at(503, ipAddressOf(n + 7)), ...byImei(504)]);
    const addresses = told.map(
      ({ deviceResponse }) => deviceResponse['activateResponse']?.['ipAddress'] as string,
    );
    assert.equal(new Set(addresses).size, 2, addresses.join());
    assert.ok(addresses.includes(ipAddressOf(n + 7)));
    assert.ok(!addresses.includes(ipAddressOf(n + 6)));
  });

  it('goes to one of two requests that ask for it at the same time', async () => {
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
  it('keeps the plan from being changed until the operator says that the SIM was updated', async () => {
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
  it('keeps it with the device', async () => {
    await activate(byImei(508), { primaryPlaceOfUse: PLACE });
    assert.deepEqual(await placeOf(508), PLACE);
  });

  // proves plans/plan-spellings
  it('reads a zip that is a number, which may have lost the zeros that it began with', async () => {
    const primaryPlaceOfUse = { ...PLACE, address: { ...PLACE.address, zip: 501 } };
    await activate(byImei(510), { primaryPlaceOfUse });
    assert.deepEqual(await placeOf(510), { ...PLACE, address: { ...PLACE.address, zip: '00501' } });
  });

  // proves lines/place-of-use
  it('fails where the plan is for one place and is not sold there', async () => {
    const primaryPlaceOfUse = { ...PLACE, address: { ...PLACE.address, zip: '10001' } };
    const [told] = await activate(byImei(509), { primaryPlaceOfUse, servicePlan: 'P-HOME' });
    assert.equal(told?.faultResponse?.faultcode, 'DeviceService.REQUEST_FAILED.AddressNotQualified');
    assert.deepEqual([await stateOf(509), await placeOf(509)], ['pre-active', undefined]);
    await activate(byImei(509), { primaryPlaceOfUse: PLACE, servicePlan: 'P-HOME' });
    assert.deepEqual([await stateOf(509), await placeOf(509)], ['active', PLACE]);
  });
});
