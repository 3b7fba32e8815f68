import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ACCOUNT, asUser, MANAGED, STRANGER } from '../../../../test/support/fleet.ts';
import {
  byImei,
  imei,
  LOCATION_FLEET,
  limited,
  mdn,
  placeOf,
} from '../../../../test/support/location-fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { DEVICE_ERRORS } from '../../../kernel/device-error.ts';
import { sql } from '../../../platform/db/sql.ts';

const world = await makeWorld();
await world.import(LOCATION_FLEET);
const { call } = await asUser(world);

const locate = (body: object) =>
  call('POST', '/loc/v1/locations', { accountName: ACCOUNT, cacheMode: '2', ...body });
const entriesOf = async (body: object) => {
  const answer = await locate(body);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
const billed = async () =>
  (await world.ctx.db.one<{ n: number }>(sql`select count(*)::int as n from service_transaction`)).n;
const simulate = (n: number, patch: object) =>
  world.operator('PATCH', `/devices/imei/${imei(n)}/simulation`, patch);

describe('POST /loc/v1/locations', () => {
  describe('200', () => {
    // proves 2.4/msid 2.4/pd 2.4/error 4.10/locations
    it('answers each device in the order of the request, with its number and current position', async () => {
      const entries = await entriesOf({ deviceList: byImei(2, 1) });
      assert.deepEqual(entries, [
        {
          msid: mdn(2),
          pd: {
            x: String(placeOf(2).lat),
            y: String(placeOf(2).lon),
            radius: '102',
            qos: false,
            time: '20260105000000',
          },
          error: {},
        },
        {
          msid: mdn(1),
          pd: {
            x: String(placeOf(1).lat),
            y: String(placeOf(1).lon),
            radius: '101',
            qos: false,
            time: '20260105000000',
          },
          error: {},
        },
      ]);
    });

    // proves 2.4/pd location/cache-mode
    it('with cacheMode 1 says whether a position came from the cache or the network', async () => {
      await entriesOf({ deviceList: byImei(3) });
      const entries = await entriesOf({ cacheMode: '1', deviceList: byImei(3, 4) });
      assert.deepEqual(
        entries.map(({ pd }: { pd: { cacheMode?: string } }) => pd.cacheMode),
        ['2', '0'],
      );
    });

    // proves location/cache-mode location/request
    it('accepts modes as numbers, kinds in any letter case, and defaults to cached or current', async () => {
      const answer = await call('POST', '/loc/v1/locations', {
        accountName: ACCOUNT,
        accuracyMode: 0,
        deviceList: [{ id: imei(5), kind: 'Imei', mdn: mdn(5) }],
      });
      assert.equal(answer.json()[0].pd.cacheMode, '0');
    });

    // proves location/billing
    it('bills each current position once, but never cached ones or failures', async () => {
      const at = await billed();
      await entriesOf({ deviceList: byImei(6, 30) });
      assert.equal(await billed(), at + 1);
      await entriesOf({ cacheMode: '0', deviceList: byImei(6) });
      assert.equal(await billed(), at + 1);
    });

    it('does not use a cached position older than the request allows', async () => {
      await entriesOf({ deviceList: byImei(7) });
      world.pass(60_000);
      const [fresh] = await entriesOf({ cacheMode: 1, maxLocAge: 30, deviceList: byImei(7) });
      assert.equal(fresh.pd.cacheMode, '0');
      const [cached] = await entriesOf({ cacheMode: 1, maxLocAge: '90', deviceList: byImei(7) });
      assert.equal(cached.pd.cacheMode, '2');
    });

    // proves location/accuracy-of-the-cache
    it('never answers a coarse request with a cached precise position', async () => {
      const place = { lat: 12.345678, lon: 23.456789, radius: 5 };
      await simulate(11, { position: place });
      const consent = (allDeviceConsent: number) =>
        call('PUT', '/loc/v1/devicelocations/action/consents', { accountName: ACCOUNT, allDeviceConsent });
      await consent(0);
      const [precise] = await entriesOf({ accuracyMode: '1', deviceList: byImei(11) });
      assert.deepEqual([precise.pd.x, precise.pd.radius], ['12.345678', '5']);
      const [again] = await entriesOf({ accuracyMode: '1', cacheMode: '0', deviceList: byImei(11) });
      assert.equal(again.pd.x, '12.345678');
      await consent(2);
      const [coarse] = await entriesOf({ cacheMode: '0', deviceList: byImei(11) });
      assert.deepEqual([coarse.pd.x, coarse.pd.y, coarse.pd.radius], ['12.35', '23.46', '1000']);
    });

    // proves 2.4/error location/request-or-entry
    it('answers an offline device as absent, and still locates the others', async () => {
      const [absent, present] = await entriesOf({ deviceList: byImei(30, 1) });
      assert.equal(absent.error.type, 'ABSENT SUBSCRIBER');
      assert.deepEqual([absent.pd, present.error], [{}, {}]);
    });

    for (const type of Object.keys(DEVICE_ERRORS)) {
      it(`answers ${type} when the network says so`, async () => {
        await simulate(8, { error: type });
        const [entry] = await entriesOf({ deviceList: byImei(8) });
        assert.equal(entry.error.type, type);
        assert.match(entry.error.time, /^\d{14}$/);
        await simulate(8, { error: null });
      });
    }
  });

  describe('400', () => {
    const rows: [string, object, string, string?][] = [
      ['an unknown accuracy mode', { accuracyMode: '2', deviceList: byImei(1) }, 'Invalid accuracy mode.'],
      ['an unknown cache mode', { cacheMode: '3', deviceList: byImei(1) }, 'Invalid cache mode'],
      ['no devices', { deviceList: [] }, 'Empty device list'],
      [
        'more than 20 devices',
        { deviceList: byImei(...Array.from({ length: 21 }, (_, n) => n + 1)) },
        'Per request max devices exceeded',
      ],
      ['a device twice', { deviceList: byImei(1, 2, 1) }, `Duplicate devices in deviceList. ${imei(1)}`],
      [
        'a device under two of its identifiers',
        { deviceList: [...byImei(33, 1), { id: 'a0000000000033', kind: 'MEID' }] },
        `Duplicate devices in deviceList. ${imei(33)}, a0000000000033`,
      ],
      ['a list that is none', { deviceList: 'all' }, 'Input Binding Error'],
      ['no list', {}, 'Input Binding Error'],
      [
        'a kind that cannot be used for locating',
        { deviceList: [{ id: mdn(1), kind: 'MDN' }] },
        'Invalid device kind',
      ],
      [
        'an identifier that does not fit its kind',
        { deviceList: [{ id: '12345', kind: 'IMEI' }] },
        'Invalid device ID format',
      ],
      [
        'an IMEI of 14 digits',
        { deviceList: [{ id: imei(1).slice(0, 14), kind: 'IMEI' }] },
        'Invalid device ID format',
      ],
      [
        'an IMEI of 16 digits',
        { deviceList: [{ id: `${imei(1)}0`, kind: 'IMEI' }] },
        'Invalid device ID format',
      ],
      ['an unknown device', { deviceList: byImei(1, 99) }, `Device not found: ${imei(99)}`],
      ["another customer's device", { deviceList: byImei(1, 40) }, `Device not found: ${imei(40)}`],
      [
        'a number that is not the device’s',
        { deviceList: [...byImei(2), { ...byImei(1)[0], mdn: mdn(2) }] },
        `Ownership or MDN validation failed: ${imei(1)}`,
      ],
      ['a device that is no IoT device', { deviceList: byImei(1, 31) }, 'Device type check failed'],
      [
        'a device without a line',
        { deviceList: byImei(1, 32) },
        `Fail to verify device: ${imei(32)}`,
        'INTERNAL_ERROR',
      ],
      [
        'a precise request where only coarse is consented to',
        { accuracyMode: '1', deviceList: byImei(1) },
        'Consent check failed',
      ],
      [
        'a device without a cached position if only the cache is allowed',
        { cacheMode: '0', deviceList: byImei(25) },
        'Location cache has no data for this device',
        'CACHE_UNAVAILABLE',
      ],
      [
        'an account that does not exist',
        { accountName: '0000777777-00001', deviceList: byImei(1) },
        'Invalid account name',
      ],
      [
        'an account that is not registered for location',
        { accountName: MANAGED, deviceList: byImei(1) },
        'Unregistered account',
      ],
    ];
    for (const [what, body, message, code = 'INVALID_PARAMETER'] of rows) {
      // proves 7.2/device-not-found 7.2/cache-unavailable 7.2/mdn-validation-failed
      // proves 7.2/device-type-check-failed 7.2/invalid-account-name 7.2/unregistered-account
      // proves 7.2/invalid-accuracy-mode 7.2/invalid-cache-mode 7.2/empty-device-list 7.2/duplicate-devices
      // proves 7.2/input-binding-error 7.2/invalid-device-kind 7.2/invalid-device-id-format
      // proves 7.2/fail-to-verify-device location/order-of-checks
      it(`refuses ${what}, and bills nothing`, async () => {
        const at = await billed();
        const answer = await locate(body);
        assert.equal(answer.statusCode, 400, answer.body);
        assert.equal(answer.json().errorCode, code);
        const { errorMessage }: { errorMessage: string } = answer.json();
        assert.ok(errorMessage.startsWith(message), answer.body);
        // The whole message about the devices is compared.
        if (/[0-9]{14}/.test(errorMessage)) assert.equal(errorMessage, message);
        assert.equal(await billed(), at);
      });
    }

    // proves 7.2/invalid-json
    it('refuses a body that is not JSON', async () => {
      const answer = await call('POST', '/loc/v1/locations', '{"accountName":');
      assert.deepEqual([answer.statusCode, answer.json().errorCode], [400, 'INVALID_PARAMETER']);
      assert.match(answer.json().errorMessage, /^Invalid JSON/);
    });

    // proves 4.3/rule-1 7.2/consent-check-failed location/when-consent-counts
    it('refuses an excluded device, also for its cached position', async () => {
      await entriesOf({ deviceList: byImei(9) });
      await call('POST', '/loc/v1/consents', { accountName: ACCOUNT, exclusion: [imei(9)] });
      for (const cacheMode of ['0', '1', '2']) {
        const answer = await locate({ cacheMode, deviceList: byImei(9, 1) });
        assert.equal(answer.statusCode, 400);
        assert.match(answer.json().errorMessage, /^Consent check failed/);
      }
      await call('POST', '/loc/v1/consents', { accountName: ACCOUNT, allDevice: false, exclusion: [] });
      await entriesOf({ deviceList: byImei(9) });
    });

    // proves location/used-up data/identifiers location/not-found-or-not-owned location/named-identifiers
    // proves location/deactivated-lines
    it('refuses current requests once the allowance is used up and must not be exceeded, and still serves the cache', async () => {
      await entriesOf({ deviceList: byImei(10) });
      await world.import(limited(true));
      const answer = await locate({ deviceList: byImei(10) });
      assert.deepEqual([answer.statusCode, answer.json().errorMessage], [400, 'Subscribed usage exceeded']);
      await entriesOf({ cacheMode: '1', deviceList: byImei(10) });
      await world.import(limited(false));
      await entriesOf({ deviceList: byImei(10) });
    });
  });

  describe('when the network as a whole has trouble', () => {
    beforeEach(() => world.operator('PATCH', '/network/simulation', { condition: 'normal' }));

    // proves 7.2/400-failed-to-get-location 7.2/500-failed-to-get-location refusals/failed-to-get-location
    // proves location/unreachable-source
    it('answers 400 if it refuses, and 500 if it is not reached, and bills nothing', async () => {
      const at = await billed();
      for (const [condition, status] of [
        ['refusing', 400],
        ['unreachable', 500],
      ]) {
        await world.operator('PATCH', '/network/simulation', { condition });
        const answer = await locate({ deviceList: byImei(1) });
        assert.equal(answer.statusCode, status, answer.body);
        assert.equal(answer.json().errorCode, 'INTERNAL_ERROR');
        assert.match(answer.json().errorMessage, /^Failed to get location/);
      }
      assert.equal(await billed(), at);
      await world.operator('PATCH', '/network/simulation', { condition: 'normal' });
      await entriesOf({ deviceList: byImei(1) });
    });
  });

  describe('401', () => {
    // proves 7.2/access-denied
    it("refuses another customer's account whatever the body", async () => {
      for (const body of [{ deviceList: byImei(40) }, { deviceList: [] }, {}]) {
        const answer = await locate({ accountName: STRANGER, ...body });
        assert.deepEqual([answer.statusCode, answer.json().errorCode], [401, 'INVALID_ACCESS']);
        assert.match(answer.json().errorMessage, /^Access policy denied the operation/);
      }
    });
  });
});
