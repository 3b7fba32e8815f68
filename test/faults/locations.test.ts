import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { eachRound, faultMoments, faultRounds, TOO_LATE } from '../support/fault-mode.ts';
import { ACCOUNT, asUser, SMALL_FLEET } from '../support/fleet.ts';
import { openListener } from '../support/listener.ts';
import { openCrew, until } from '../support/service-crew.ts';
import { makeWorld } from '../support/world.ts';
import { killForGood } from './support/kill-for-good.ts';

const ROUNDS = faultRounds(1);
const moments = faultMoments('locations');
const DEVICES = 3_000;
const secretKey = generateSecretKey();
const world = await makeWorld({ secretKey });
const { db } = world.ctx;
const imeis = Array.from({ length: DEVICES }, (_, n) => `9922000000${String(n).padStart(5, '0')}`);
await world.import({
  ...SMALL_FLEET,
  devices: imeis.map((imei) => ({ accountName: ACCOUNT, imei, simulation: { delayMs: 20 } })),
});

const crew = openCrew(world, secretKey);

const count = async (what: ReturnType<typeof sql>) =>
  (await db.one<{ n: number }>(sql`select count(*)::int as n from ${what}`)).n;

describe('a location report', () => {
  it(`is completed, billed and reported once, even if its worker is killed twice in the middle, ${ROUNDS} times`, async (t) => {
    const listener = await openListener();
    const { call } = await asUser(world);
    await call('POST', `/loc/v1/callbacks/${ACCOUNT}`, { name: 'Location', url: listener.url });
    let reports = 0;
    await eachRound(t, ROUNDS, async () => {
      const { call } = await asUser(world);
      const created = await call('POST', '/loc/v1/locationreports', {
        accountName: ACCOUNT,
        cacheMode: '2',
        deviceList: imeis.map((id) => ({ id, kind: 'IMEI' })),
      });
      assert.equal(created.statusCode, 200, created.body);
      const { txid } = created.json();
      reports++;
      const located = () => count(sql`location_entry where txid = ${txid} and state = 'located'`);
      const isEnded = async () =>
        (await count(sql`location_request where txid = ${txid} and status = 'COMPLETED'`)) === 1;
      let isTooLate = false;
      for (const enough of [1, moments.between(DEVICES / 6, DEVICES / 2)]) {
        const [worker] = await crew.have(1);
        await until('it did not begin', async () => (await located()) >= enough, { everyMs: 5 });
        await killForGood(world, worker!);
        isTooLate ||= (await located()) === DEVICES;
      }
      await crew.have(1);
      await until('it did not end', isEnded);
      await listener.next(reports);
      assert.deepEqual(
        await db.one(sql`
          select (select count(*)::int from location_entry where txid = ${txid} and state = 'located') as located,
            (select count(*)::int from service_transaction where request_ref = ${txid}) as billed,
            (select sum(transactions)::int from service_day) as counted,
            (select count(*)::int from callback_message where request_id = ${txid}) as told`),
        { located: DEVICES, billed: DEVICES, counted: reports * DEVICES, told: 1 },
      );
      if (isTooLate) return TOO_LATE;
    });
  });
});
