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
const moments = faultMoments('carrier-requests');
const DEVICES = 10_000;
const secretKey = generateSecretKey();
const world = await makeWorld({ secretKey });
const { db } = world.ctx;
const imeis = Array.from({ length: DEVICES }, (_, n) => `9944000000${String(n).padStart(5, '0')}`);
await world.import({
  ...SMALL_FLEET,
  devices: imeis.map((imei) => ({ accountName: ACCOUNT, imei, servicePlan: 'P-5MB' })),
});

const crew = openCrew(world, secretKey);

/** One statement, so that all counts are of the same moment. */
const look = (requestId: string, state: string) =>
  db.one<{ settled: number; changed: number; suspensions: number; told: number; devicesTold: number }>(sql`
    select (select succeeded from carrier_request where request_id = ${requestId}) as settled,
      (select count(*)::int from device where state = ${state}) as changed,
      (select count(*)::int from device_suspension where (resumed_at is null) = ${state === 'suspend'}) as suspensions,
      told.*
    from (select count(*)::int as told, count(distinct payload::jsonb->'deviceIds'->0->>'id')::int as "devicesTold"
          from callback_message where request_id = ${requestId}) told`);
const settled = async (requestId: string) =>
  (
    await db.one<{ n: number }>(
      sql`select succeeded as n from carrier_request where request_id = ${requestId}`,
    )
  ).n;
const all = (n: number, suspensions = n) => ({
  ...{ settled: n, changed: n, suspensions },
  ...{ told: n, devicesTold: n },
});

describe('suspending and restoring ten thousand devices', () => {
  it(`changes and reports each of them once, even if its worker is killed twice in the middle, ${ROUNDS} times`, async (t) => {
    const listener = await openListener();
    const { call } = await asUser(world);
    await call('POST', `/m2m/v1/callbacks/${ACCOUNT}`, { name: 'CarrierService', url: listener.url });
    const devices = imeis.map((id) => ({ deviceIds: [{ id, kind: 'imei' }] }));
    let asked = 0;
    await eachRound(t, ROUNDS, async () => {
      const [what, state] = asked % 2 === 0 ? ['suspend', 'suspend'] : ['restore', 'active'];
      // Each earlier pair of requests left as many resumed ones.
      const resumed = asked % 2 === 0 ? 0 : ((asked - 1) / 2) * DEVICES;
      asked++;
      const { call } = await asUser(world);
      const created = await call('POST', `/m2m/v1/devices/actions/${what}`, {
        accountName: ACCOUNT,
        devices,
      });
      assert.equal(created.statusCode, 200, created.body);
      const { requestId } = created.json();
      let isTooLate = false;
      for (const enough of [1, moments.between(DEVICES / 6, DEVICES / 2)]) {
        const [worker] = await crew.have(1);
        await until('it did not begin', async () => (await settled(requestId)) >= enough, { everyMs: 2 });
        await killForGood(world, worker!);
        const found = await look(requestId, state!);
        assert.deepEqual(found, all(found.settled, resumed + found.settled), 'what is settled is all there');
        isTooLate ||= found.settled === DEVICES;
      }
      await crew.have(1);
      await until('it did not end', async () => {
        const ended = await db.many(sql`
          select from carrier_request where request_id = ${requestId} and status = 'Success'`);
        return ended.length === 1;
      });
      await listener.next();
      assert.deepEqual(await look(requestId, state!), all(DEVICES, resumed + DEVICES));
      if (isTooLate) return TOO_LATE;
    });
  });
});
