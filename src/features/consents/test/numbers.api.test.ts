import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { openListener } from '../../../../test/support/listener.ts';
import * as scene from './scene.ts';

const { call, ...world } = await scene.makeScene();
const PATH = '/loc/v1/devicelocations/action/consents';
const [imei, msisdn, tenDigits] = ['990000000000666', '15550100666', '5550100666'];
await world.import({
  devices: [{ accountName: ACCOUNT, imei, msisdn, simulation: { position: { lat: 1, lon: 2, radius: 3 } } }],
});
const listener = await openListener();
await call('POST', `/loc/v1/callbacks/${ACCOUNT}`, { name: 'consentEnableReport', url: listener.url });

const setLevel = (mdn: string) =>
  call('POST', PATH, { accountName: ACCOUNT, deviceList: [{ id: imei, kind: 'IMEI', mdn, consent: 0 }] });
const locate = (mdn: string) =>
  call('POST', '/loc/v1/locations', {
    accountName: ACCOUNT,
    cacheMode: '2',
    deviceList: [{ id: imei, kind: 'IMEI', mdn }],
  });

describe('the mdn of a device that has only a telephone number', () => {
  for (const mdn of [tenDigits, msisdn, '', ' ']) {
    it(`200: is accepted as ${JSON.stringify(mdn)}, by consents and by locations`, async () => {
      assert.equal((await setLevel(mdn)).statusCode, 200);
      const located = await locate(mdn);
      assert.deepEqual([located.statusCode, located.json()[0].msid], [200, tenDigits]);
    });
  }

  it('400: is refused if it differs, by consents and by locations', async () => {
    for (const mdn of ['5550100667', '25550100666', '550100666'])
      for (const answer of [await setLevel(mdn), await locate(mdn)])
        assert.equal(answer.json().errorMessage, `Ownership or MDN validation failed: ${imei}`, mdn);
  });

  it('200: is answered and reported with its ten digits', async () => {
    await setLevel('');
    const { deviceList } = (await call('GET', `${PATH}?accountName=${ACCOUNT}&deviceId=${imei}`)).json();
    assert.equal(deviceList[0].mdn, tenDigits);
    listener.heard.length = 0;
    await setLevel('');
    await call('PUT', PATH, { accountName: ACCOUNT, allDeviceConsent: 2 });
    await world.engine.settle();
    await world.delivery.settle();
    const texts = listener.heard.map(({ text }) => text).filter((text) => text.includes(imei));
    assert.ok(
      texts.length >= 2 && texts.every((text) => text.includes(`"mdn":"${tenDigits}"`)),
      texts.join(),
    );
  });
});
