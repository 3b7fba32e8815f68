import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { eachRound, faultMoments, faultRounds, TOO_LATE } from '../support/fault-mode.ts';
import { ACCOUNT, asUser, SMALL_FLEET, STRANGER } from '../support/fleet.ts';
import { openCrew, until } from '../support/service-crew.ts';
import { makeWorld } from '../support/world.ts';
import { killForGood } from './support/kill-for-good.ts';

const ROUNDS = faultRounds(1);
const moments = faultMoments('consents');
const DEVICES = 45_000;

const secretKey = generateSecretKey();
const world = await makeWorld({ secretKey });
await world.import({
  ...SMALL_FLEET,
  devices: SMALL_FLEET.devices.filter(({ accountName }) => accountName === STRANGER),
});
// The job must be due by the real clock of the worker process.
world.clock.release();
world.clock.reset();
const { db } = world.ctx;
await db.exec(sql`
  insert into device (ecpd_id, device_id, account_name, kind, state, imei, iot, activated_by_sku, ota_updated, labels,
    record, simulation, foreign_id, created_on, last_updated, version, version_id)
  select '9000001', gen_random_uuid(), ${ACCOUNT}, 'device', 'active', (870000000000000 + n)::text, true, false, true, '[]',
    '{}', '{}', gen_random_uuid(), now(), now(), 1, gen_random_uuid()
  from generate_series(1, ${DEVICES}::int) n`);

const crew = openCrew(world, secretKey);
const count = async (transactionID: string) =>
  db.one<{ messages: number; devices: number }>(sql`
    select count(*)::int as messages, count(distinct payload::json->'message'->'deviceList'->0->>'id')::int as devices
    from callback_message where request_id = ${transactionID}`);

describe('the reports of a new consent level', () => {
  it(`are posted once for each device, even if their worker is killed in the middle, ${ROUNDS} times`, async (t) => {
    let level = 0;
    await eachRound(t, ROUNDS, async () => {
      const { call } = await asUser(world);
      const [worker] = await crew.have(1);
      const answer = await call('PUT', '/loc/v1/devicelocations/action/consents', {
        accountName: ACCOUNT,
        allDeviceConsent: level,
      });
      level = 1 - level;
      const { transactionID } = answer.json();
      const enough = moments.between(1, DEVICES - 10_000);
      await until('no messages came', async () => (await count(transactionID)).messages >= enough);
      await killForGood(world, worker!);
      const { messages } = await count(transactionID);
      if (messages === DEVICES) return TOO_LATE;
      await crew.have(1);
      await until('not all were reported', async () => (await count(transactionID)).messages >= DEVICES);
      assert.deepEqual(
        await count(transactionID),
        { messages: DEVICES, devices: DEVICES },
        `${messages} before`,
      );
      const open = await db.many(
        sql`select from job where kind like 'consents.report-%' and state <> 'done'`,
      );
      assert.equal(open.length, 0);
    });
  });
});
