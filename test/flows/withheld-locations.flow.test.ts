import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../src/platform/db/sql.ts';
import { ACCOUNT, asUser } from '../support/fleet.ts';
import { openListener } from '../support/listener.ts';
import { byImei, imei, LOCATION_FLEET, mdn } from '../support/location-fleet.ts';
import { makeWorld } from '../support/world.ts';

const world = await makeWorld({ env: { LINEKEEPER_LOGIN_RATE: '0' } });
await world.import(LOCATION_FLEET);
await world.engine.addRecurring();
/** Time passes here and sessions expire, so each call has its own. */
const call = async (method: string, path: string, body?: object) =>
  (await asUser(world)).call(method, path, body && { accountName: ACCOUNT, ...body });
const devices = await openListener();
await call('POST', `/loc/v1/callbacks/${ACCOUNT}`, { name: 'DeviceLocation', url: devices.url });

const ask = async (...numbers: number[]): Promise<string> => {
  const body = { cacheMode: '2', deviceList: byImei(...numbers) };
  const answer = await call('POST', '/loc/v1/devicelocations', body);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().txid;
};
const exclude = (...numbers: number[]) =>
  call('POST', '/loc/v1/consents', {
    ...(numbers.length === 0 ? { allDevice: false, exclusion: [] } : { exclusion: numbers.map(imei) }),
  });
const work = async (afterMs = 0) => {
  world.pass(afterMs);
  await world.engine.settle();
  await world.delivery.settle();
};
const billedFor = async (txid: string) =>
  (
    await world.ctx.db.one<{ n: number }>(
      sql`select count(*)::int as n from service_transaction where request_ref = ${txid}`,
    )
  ).n;
interface Told {
  readonly callbackCount: number;
  readonly deviceList?: readonly [{ readonly msid: string; readonly error: { readonly type: string } }];
  readonly message?: { readonly deviceList: readonly [{ readonly msid: string }] };
}
/** The attempt, the device and the content. */
const heardOf = (txid: string) =>
  devices.heard
    .filter(({ text }) => text.includes(txid))
    .map(({ body }) => {
      const { callbackCount, deviceList, message } = body as unknown as Told;
      const [failed, found] = [deviceList?.[0], message?.deviceList[0]];
      return `${callbackCount} ${(failed ?? found)?.msid} ${failed?.error.type ?? 'found'}`;
    })
    .sort();

describe('a callback about a device', () => {
  // proves location/what-a-page-shows
  it('contains in each attempt what consent allows then, and the full content when consent is back', async () => {
    devices.answer = 500;
    const txid = await ask(30, 31);
    await work();
    await exclude(30, 31);
    await work(300_000);
    await exclude();
    devices.answer = 200;
    await work(300_000);
    assert.deepEqual(heardOf(txid), [
      `1 ${mdn(30)} ABSENT SUBSCRIBER`,
      `1 ${mdn(31)} SVC DEVICE TYPE CHECK FAILED`,
      `2 ${mdn(30)} SVC CONSENT CHECK FAILED`,
      `2 ${mdn(31)} SVC CONSENT CHECK FAILED`,
      `3 ${mdn(30)} ABSENT SUBSCRIBER`,
      `3 ${mdn(31)} SVC DEVICE TYPE CHECK FAILED`,
    ]);
  });

  // proves location/not-asked-yet
  it('is sent once more when an excluded device is located later, and is billed then', async () => {
    await exclude(13);
    const txid = await ask(13);
    await work();
    assert.deepEqual([heardOf(txid), await billedFor(txid)], [[`1 ${mdn(13)} SVC CONSENT CHECK FAILED`], 0]);
    await exclude();
    await work();
    await work(3_600_001);
    assert.deepEqual(
      [heardOf(txid), await billedFor(txid)],
      [[`1 ${mdn(13)} SVC CONSENT CHECK FAILED`, `1 ${mdn(13)} found`], 1],
    );
  });

  // proves location/cancelling
  it('is not sent after its request was cancelled, apart from earlier ones', async () => {
    await exclude(14);
    const txid = await ask(14, 15);
    const answer = await call('DELETE', `/loc/v1/devicelocations/${txid}?accountName=${ACCOUNT}`);
    assert.deepEqual(answer.json(), { txid });
    await work();
    await exclude();
    await work();
    await work(3_600_001);
    assert.deepEqual([heardOf(txid), await billedFor(txid)], [[`1 ${mdn(14)} SVC CONSENT CHECK FAILED`], 0]);
  });
});
