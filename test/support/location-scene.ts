import assert from 'node:assert/strict';
import { sql } from '../../src/platform/db/sql.ts';
import { ACCOUNT, asUser } from './fleet.ts';
import { openListener } from './listener.ts';
import { imei, LOCATION_FLEET } from './location-fleet.ts';
import { makeWorld } from './world.ts';

/** A customer with locatable devices, and listeners for reports and single devices. */
export async function makeLocationScene() {
  const world = await makeWorld({ env: { LINEKEEPER_LOGIN_RATE: '0' } });
  await world.import(LOCATION_FLEET);
  await world.engine.addRecurring();
  /** Time passes here and sessions expire, so each call has its own. */
  const call = async (method: string, path: string, body?: unknown) =>
    (await asUser(world)).call(method, path, body);
  const [reports, devices] = [await openListener(), await openListener()];
  for (const [name, url] of [
    ['Location', reports.url],
    ['DeviceLocation', devices.url],
  ]) {
    const answer = await call('POST', `/loc/v1/callbacks/${ACCOUNT}`, { name, url });
    assert.equal(answer.statusCode, 200, answer.body);
  }
  return {
    world,
    call,
    reports,
    devices,

    async post(path: string, body: object) {
      const answer = await call('POST', `/loc/v1/${path}`, { accountName: ACCOUNT, cacheMode: '2', ...body });
      assert.equal(answer.statusCode, 200, answer.body);
      return answer.json();
    },

    async work() {
      await world.engine.settle();
      await world.delivery.settle();
    },

    async simulate(n: number, patch: object) {
      const answer = await world.operator('PATCH', `/devices/imei/${imei(n)}/simulation`, patch);
      assert.equal(answer.statusCode, 200, answer.body);
    },

    exclude: (...numbers: number[]) =>
      call('POST', '/loc/v1/consents', {
        accountName: ACCOUNT,
        ...(numbers.length === 0 ? { allDevice: false, exclusion: [] } : { exclusion: numbers.map(imei) }),
      }),

    pageOf: async (txid: string) =>
      (await call('GET', `/loc/v1/locationreports/${ACCOUNT}/report/${txid}/index/0`)).json().devLocationList,

    billedFor: async (txid: string) =>
      (
        await world.ctx.db.one<{ n: number }>(
          sql`select count(*)::int as n from service_transaction where request_ref = ${txid}`,
        )
      ).n,

    /** The callbacks for a request, without the data of attempts. */
    heardOf: (listener: typeof reports, txid: string) =>
      listener.heard.filter(({ text }) => text.includes(txid)).map(({ body }) => body),
  };
}
