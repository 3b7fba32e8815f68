import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT } from '../support/fleet.ts';
import { byImei, imei, LOCATION_FLEET, placeOf } from '../support/location-fleet.ts';
import { makeLocationScene } from '../support/location-scene.ts';

const { world, call, devices, post, work, exclude, pageOf, heardOf } = await makeLocationScene();

describe('an excluded device that was deleted and comes back', () => {
  it('is never located: not by a request, the cache, a report or a callback', async () => {
    await exclude(11);
    assert.equal((await world.operator('DELETE', `/devices/imei/${imei(11)}`)).statusCode, 200);
    await world.import({ devices: LOCATION_FLEET.devices.filter((one) => one.imei === imei(11)) });
    const fed = { kind: 'imei', device: imei(11), ...placeOf(11), at: world.ctx.now().toISOString() };
    assert.equal((await world.operator('POST', '/positions', [fed])).json().accepted, 1);
    for (const cacheMode of ['0', '1', '2']) {
      const body = { accountName: ACCOUNT, cacheMode, deviceList: byImei(11) };
      assert.equal(
        (await call('POST', '/loc/v1/locations', body)).json().errorMessage,
        'Consent check failed',
      );
      const { txid } = await post('locationreports', body);
      const told = await post('devicelocations', body);
      await work();
      assert.equal((await pageOf(txid))[0].error.type, 'SVC CONSENT CHECK FAILED');
      const heard = JSON.stringify(heardOf(devices, told.txid));
      assert.ok(heard.includes('SVC CONSENT CHECK FAILED') && !heard.includes('SUCCESS'), heard);
    }
    await exclude();
    const { txid } = await post('locationreports', { deviceList: byImei(11) });
    await work();
    assert.equal((await pageOf(txid))[0].pd.x, String(placeOf(11).lat));
  });
});

describe('erasing positions', () => {
  it('removes them from the cache, reports and callbacks, and keeps those of other devices', async () => {
    const locate = async (path: string) =>
      (
        await call('POST', `/loc/v1/${path}`, {
          accountName: ACCOUNT,
          cacheMode: '2',
          deviceList: byImei(9, 10),
        })
      ).json().txid;
    const [report, messages] = [await locate('locationreports'), await locate('devicelocations')];
    await work();
    const answer = await world.operator('DELETE', `/devices/imei/${imei(9)}/positions`);
    assert.ok(answer.json().erased >= 4, answer.body);
    const { devLocationList } = (
      await call('GET', `/loc/v1/locationreports/${ACCOUNT}/report/${report}/index/0`)
    ).json();
    assert.equal(devLocationList[0].error.type, 'SVC DEVICE LOCATION DATA UNAVAILABLE');
    assert.equal(devLocationList[1].pd.x, String(placeOf(10).lat));
    const log = (await world.operator('GET', `/callbacks?requestId=${messages}`)).body;
    assert.ok(!log.includes(String(placeOf(9).lat)) && log.includes(String(placeOf(10).lat)), log);
    const cached = await call('POST', '/loc/v1/locations', {
      accountName: ACCOUNT,
      cacheMode: '0',
      deviceList: byImei(9),
    });
    assert.equal(cached.json().errorCode, 'CACHE_UNAVAILABLE');
  });
});
