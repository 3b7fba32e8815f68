import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { ADDRESS, addressed, byImei, iccid, imei, makePlanScene, NAME, PATH, PLACE } from './scene.ts';

const { world, call } = await makePlanScene(3);
const { db } = world.ctx;

const plan = { accountName: ACCOUNT, servicePlan: 'P-50MB' };
const withAddress = (change: object) => ({
  ...plan,
  deviceListWithServiceAddress: [
    addressed(0),
    addressed(1, { ...PLACE, address: { ...ADDRESS, ...change } }),
  ],
});
const withName = (change: object) => ({
  ...plan,
  deviceListWithServiceAddress: [addressed(0, { ...PLACE, customerName: { ...NAME, ...change } })],
});
const withIds = (...deviceIds: object[]) => ({
  ...plan,
  deviceListWithServiceAddress: [{ deviceIds, primaryPlaceOfUse: PLACE }],
});
const IMEI = { id: imei(0), kind: 'IMEI' };
const ICCID = { id: iccid(0), kind: 'iccid' };
const many = (length: number) => Array.from({ length }, (_, n) => n);

const address = 'DeviceService.INPUT_INVALID.Address.Invalid';
const name = 'DeviceService.INPUT_INVALID.CustomerName.Invalid';
const shape = 'UnifiedWebService.INPUT_INVALID.RequestUndefined';
const identifier = 'DeviceService.INPUT_INVALID.Device.Identifier.Invalid';
const kind = 'DeviceService.INPUT_INVALID.Device.Kind.Invalid';
const none = 'DeviceService.INPUT_INVALID.DeviceNotProvided';
const filter = 'DeviceService.INPUT_INVALID.Filter.NotSupported';
const takeEffect = 'DeviceService.INPUT_INVALID.TakeEffect.NotSupported';
const tooMany = 'DeviceService.INPUT_INVALID.MaxRequestsExceeded';

const REFUSED: readonly [string, object, string, RegExp][] = [
  [
    'a plan that does not exist',
    { ...plan, servicePlan: 'NONE', devices: byImei(0) },
    'DeviceService.REQUEST_FAILED._servicePlan_.NotFound',
    /plan was not found/,
  ],
  ['no plan', { accountName: ACCOUNT, devices: byImei(0) }, shape, /servicePlan/],
  ['a plan that is not a string', { ...plan, servicePlan: 5, devices: byImei(0) }, shape, /servicePlan/],
  [
    'a present plan that does not exist',
    { ...plan, currentServicePlan: 'NONE', devices: byImei(0) },
    'DeviceService.REQUEST_FAILED._currentServicePlan_.NotFound',
    /plan was not found/,
  ],
  [
    'a present plan that none of the devices is on',
    { ...plan, currentServicePlan: 'P-SHARE', devices: byImei(0, 1) },
    'DeviceService.REQUEST_FAILED._currentServicePlan_.NoMatch',
    /No device/,
  ],
  [
    "a present plan that only another customer's device is on",
    { ...plan, currentServicePlan: 'P-5MB', devices: byImei(91_000) },
    'DeviceService.REQUEST_FAILED._currentServicePlan_.NoMatch',
    /No device/,
  ],
  [
    'a present plan that no device of the account is on',
    { ...plan, currentServicePlan: 'P-SHARE' },
    'DeviceService.REQUEST_FAILED.DeviceNotFound',
    /No device/,
  ],
  ['no devices', plan, none, /no devices/],
  [
    'a present plan without devices and without the name of the account',
    { servicePlan: 'P-50MB', currentServicePlan: 'P-5MB' },
    none,
    /no devices/,
  ],
  ['an empty list', { ...plan, devices: [] }, none, /no devices/],
  ['an empty list with addresses', { ...plan, deviceListWithServiceAddress: [] }, none, /no devices/],
  ['a device without identifiers', { ...plan, devices: [{ deviceIds: [] }] }, none, /deviceIds is empty/],
  ['a device with an address and without identifiers', withIds(), none, /deviceIds is empty/],
  [
    'both lists',
    { ...plan, devices: byImei(0), deviceListWithServiceAddress: [addressed(0)] },
    'DeviceService.INPUT_INVALID.Devices.Ambiguous',
    /exclude each other/,
  ],
  [
    'two plain lists',
    { ...plan, devices: byImei(0), deviceIds: [IMEI] },
    'DeviceService.INPUT_INVALID.Devices.Ambiguous',
    /devices, deviceIds/,
  ],
  [
    'a list with addresses that is null',
    { ...plan, deviceListWithServiceAddress: null },
    shape,
    /must be array/,
  ],
  [
    'a null present plan together with a list',
    { ...plan, devices: byImei(0), currentServicePlan: null },
    shape,
    /currentServicePlan/,
  ],
  [
    'an unknown member together with a present plan, and name it',
    { ...plan, currentServicePlan: 'P-5MB', deviceLst: byImei(0) },
    'DeviceService.INPUT_INVALID.Member.Unknown',
    /: deviceLst$/,
  ],
  ['a group that is null', { ...plan, devices: byImei(0), groupName: null }, filter, /groups/],
  ['10,001 devices', { ...plan, devices: byImei(...many(10_001)) }, tooMany, /10,000/],
  [
    '10,001 devices with addresses',
    { ...plan, deviceListWithServiceAddress: many(10_001).map((n) => addressed(n)) },
    tooMany,
    /10,000/,
  ],
  ['a group', { ...plan, devices: byImei(0), groupName: 'g' }, filter, /groups/],
  ['custom fields', { ...plan, devices: byImei(0), customFields: [] }, filter, /custom fields/],
  [
    'a kind that does not exist',
    { ...plan, devices: [{ deviceIds: [{ id: '1', kind: 'serial' }] }] },
    kind,
    /unknown kind/,
  ],
  [
    'a kind other than imei and iccid together with an address',
    withIds({ id: '5550100001', kind: 'mdn' }),
    kind,
    /imei or iccid/,
  ],
  [
    'an imei of 14 digits together with an address',
    withIds({ id: '99000000000001', kind: 'imei' }),
    identifier,
    /15 digits/,
  ],
  [
    'an iccid of 19 digits together with an address',
    withIds({ id: '8914800000991234567', kind: 'iccid' }),
    identifier,
    /20 digits/,
  ],
  ['letters in an imei', withIds({ id: '99000000000001X', kind: 'imei' }), identifier, /15 digits/],
  ['an iccid before the imei', withIds(ICCID, IMEI), identifier, /imei comes before iccid/],
  ['two imeis for one device', withIds(IMEI, { ...IMEI, id: imei(1) }), identifier, /one imei and one iccid/],
  [
    'a device without a place of use',
    { ...plan, deviceListWithServiceAddress: [{ deviceIds: [IMEI] }] },
    address,
    /addressLine1 is missing/,
  ],
  [
    'a place of use without an address',
    { ...plan, deviceListWithServiceAddress: [addressed(0, { customerName: NAME })] },
    address,
    /addressLine1 is missing/,
  ],
  [
    'a place of use without a customer',
    { ...plan, deviceListWithServiceAddress: [addressed(0, { address: ADDRESS })] },
    name,
    /firstName is missing/,
  ],
  [
    'an address without its first line, and name its entry',
    withAddress({ addressLine1: ' ' }),
    address,
    /deviceListWithServiceAddress\[1\]: addressLine1 is missing/,
  ],
  ['a P.O. box', withAddress({ addressLine1: 'P.O. Box 12' }), address, /P\.O\. box/],
  ['an address without a city', withAddress({ city: null }), address, /city is missing/],
  ['a state of more than two letters', withAddress({ state: 'Texas' }), address, /two-letter/],
  ['a state of two digits', withAddress({ state: '12' }), address, /two-letter/],
  ['a zip of 4 digits', withAddress({ zip: '7605' }), address, /5 digits/],
  ['a zip of 9 digits', withAddress({ zip: '76051-1234' }), address, /5 digits/],
  ['a zip4 of 3 digits', withAddress({ zip4: '123' }), address, /4 digits/],
  ['another country', withAddress({ country: 'CA' }), address, /country is not US/],
  [
    'a first name of 21 characters',
    withName({ firstName: 'A'.repeat(21) }),
    name,
    /firstName has more than 20/,
  ],
  ['a last name of 26 characters', withName({ lastName: 'A'.repeat(26) }), name, /lastName has more than 25/],
  [
    'a first name with an apostrophe',
    withName({ firstName: "D'Arcy" }),
    name,
    /firstName has other characters/,
  ],
  ['a last name with a full stop', withName({ lastName: 'Jr.' }), name, /lastName has other characters/],
  ['an empty last name', withName({ lastName: '' }), name, /lastName is missing/],
  ['a time in the future', { ...plan, devices: byImei(0), takeEffect: '2026-01-06' }, takeEffect, /at once/],
  [
    'a time that cannot be parsed',
    { ...plan, devices: byImei(0), takeEffect: 'soon' },
    takeEffect,
    /at once/,
  ],
];

describe('PUT and POST /m2m/v1/devices/actions/plan', () => {
  for (const [what, body, code, message] of REFUSED) {
    // proves 4.5/servicePlan 4.5/deviceListWithServiceAddress 4.5/deviceIds 4.5/primaryPlaceOfUse 4.5/address
    // proves 4.5/customerName 4.5/currentServicePlan 8/names plans/plan-spellings
    it(`400: refuse ${what}`, async () => {
      for (const method of ['PUT', 'POST']) {
        const answer = await call(body, method);
        assert.equal(answer.statusCode, 400, answer.body);
        assert.equal(answer.json().errorCode, code);
        assert.match(answer.json().errorMessage, message);
      }
    });
  }

  // proves lines/empty-lists plans/plan-identifiers plans/plan-refusals plans/current-plan plans/client-extras
  it('400: refuse an account that does not exist, and an unreadable or missing body', async () => {
    const unknown = await call({ ...plan, accountName: '1-1', devices: byImei(0) });
    assert.equal(unknown.json().errorCode, 'UnifiedWebService.REQUEST_FAILED.AccountNotFound');
    assert.equal((await call('{')).json().errorCode, 'DeserializationFailed');
    const empty = await call(undefined);
    assert.deepEqual([empty.statusCode, empty.json().errorCode], [400, shape]);
  });

  // proves 4.5/accountName
  it('400: require an account name if the session has several accounts', async () => {
    await world.import({
      users: [{ username: 'two', password: 'two-accounts-1', accounts: [ACCOUNT, '0000123456-00002'] }],
    });
    const two = await asUser(world, { username: 'two', password: 'two-accounts-1' });
    const answer = await two.call('PUT', PATH, { servicePlan: 'P-50MB', devices: byImei(0) });
    assert.equal(answer.json().errorCode, 'UnifiedWebService.REQUEST_FAILED.MultipleAccounts');
  });

  it('write nothing when they refuse a request', async () => {
    const { n } = await db.one<{ n: number }>(sql`select count(*)::int as n from carrier_request`);
    assert.equal(n, 0);
  });
});
