import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ADDRESS, imei, makePlanScene, NAME, PLACE } from './scene.ts';

const { call, change, deviceOf } = await makePlanScene(8);
const KEPT = { ...PLACE, address: { ...ADDRESS, state: 'TX' } };

/** Requests a plan for a fixed location: the device fails without a qualified address. */
const toFixed = (n: number, entry: object) =>
  change({
    servicePlan: 'P-FIXED',
    deviceListWithServiceAddress: [{ deviceId: [{ id: imei(n), kind: 'imei' }], ...entry }],
  });

// proves plans/plan-spellings
describe('PUT /m2m/v1/devices/actions/plan, as published clients spell it', () => {
  for (const [n, what, entry] of [
    [0, 'primaryPlaceofuse', { primaryPlaceofuse: PLACE }],
    [1, 'primaryPlaceofuse within itself', { primaryPlaceofuse: { primaryPlaceofuse: PLACE } }],
    [
      2,
      'primaryPlaceofuse within itself, with null siblings',
      { primaryPlaceofuse: { address: null, customerName: null, primaryPlaceofuse: PLACE } },
    ],
    [
      3,
      'primaryPlaceofuse with an empty primaryPlaceOfUse',
      { primaryPlaceOfUse: {}, primaryPlaceofuse: PLACE },
    ],
  ] as const)
    it(`200: reads ${what}`, async () => {
      const [result] = await toFixed(n, entry);
      assert.equal(result?.status, 'Success', JSON.stringify(result));
      const { plan, place } = await deviceOf(n);
      assert.deepEqual([plan, place], ['P-FIXED', KEPT]);
    });

  it("200: prefers the interface's spelling to the clients', and the outer of two nested places", async () => {
    const other = { address: { ...ADDRESS, city: 'Elsewhere' }, customerName: NAME };
    await toFixed(4, { primaryPlaceOfUse: PLACE, primaryPlaceofuse: other });
    assert.deepEqual((await deviceOf(4)).place, KEPT);
    await toFixed(5, { primaryPlaceofuse: { ...PLACE, primaryPlaceofuse: other } });
    assert.deepEqual((await deviceOf(5)).place, KEPT);
  });

  // proves plans/plan-spellings
  it('200: accepts a numeric zip, and stores it with five digits', async () => {
    const at = (zip: unknown) => ({ primaryPlaceofuse: { ...PLACE, address: { ...ADDRESS, zip } } });
    const [result] = await toFixed(6, at(76051));
    assert.equal(result?.status, 'Success', JSON.stringify(result));
    assert.deepEqual((await deviceOf(6)).place, KEPT);
    await change({
      servicePlan: 'P-50MB',
      deviceListWithServiceAddress: [{ deviceId: [{ id: imei(7), kind: 'imei' }], ...at(501) }],
    });
    const { place } = await deviceOf(7);
    assert.deepEqual(place, { ...KEPT, address: { ...KEPT.address, zip: '00501' } });
  });

  for (const [what, entry, words] of [
    ['a misspelt place without an address', { primaryPlaceofuse: {} }, /addressLine1 is missing/],
    [
      'a place within itself with a P.O. box',
      {
        primaryPlaceofuse: {
          primaryPlaceofuse: { ...PLACE, address: { ...ADDRESS, addressLine1: 'PO Box 1' } },
        },
      },
      /P\.O\. box/,
    ],
    [
      'a zip that is a number of six digits',
      { primaryPlaceofuse: { ...PLACE, address: { ...ADDRESS, zip: 760510 } } },
      /zip does not have 5 digits/,
    ],
    [
      'a zip that is a negative number',
      { primaryPlaceofuse: { ...PLACE, address: { ...ADDRESS, zip: -7605 } } },
      /zip does not have 5 digits/,
    ],
    ['a zip with a fraction', { primaryPlaceofuse: { ...PLACE, address: { ...ADDRESS, zip: 1.5 } } }, /zip/],
  ] as const)
    it(`400: refuses ${what}`, async () => {
      const answer = await call({
        servicePlan: 'P-50MB',
        deviceListWithServiceAddress: [{ deviceId: [{ id: imei(0), kind: 'imei' }], ...entry }],
      });
      assert.equal(answer.statusCode, 400, answer.body);
      assert.match(answer.json().errorMessage, words);
    });

  it('400: refuses the names of built-in object properties as kinds of identifiers', async () => {
    for (const kind of ['constructor', '__proto__', 'toString']) {
      const answer = await call({
        servicePlan: 'P-50MB',
        deviceListWithServiceAddress: [{ deviceIds: [{ id: imei(0), kind }], primaryPlaceOfUse: PLACE }],
      });
      assert.equal(answer.json().errorCode, 'DeviceService.INPUT_INVALID.Device.Kind.Invalid', answer.body);
    }
  });
});
