import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { ACCOUNT, asUser, SMALL_FLEET } from '../support/fleet.ts';
import { openListener } from '../support/listener.ts';
import { openCrew, until } from '../support/service-crew.ts';
import { makeWorld } from '../support/world.ts';

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

const count = async (what: ReturnType<typeof sql>) =>
  (await db.one<{ n: number }>(sql`select count(*)::int as n from ${what}`)).n;

describe('suspending ten thousand devices', () => {
  it('changes and tells each of them once though its worker is killed twice in the middle', async () => {
    const listener = await openListener();
    const { call } = await asUser(world);
    await call('POST', `/m2m/v1/callbacks/${ACCOUNT}`, { name: 'CarrierService', url: listener.url });
    const devices = imeis.map((id) => ({ deviceIds: [{ id, kind: 'imei' }] }));
    const created = await call('POST', '/m2m/v1/devices/actions/suspend', { accountName: ACCOUNT, devices });
    assert.equal(created.statusCode, 200, created.body);
    const { requestId } = created.json();
    const settled = () =>
      count(sql`carrier_request_device where request_id = ${requestId} and state = 'done'`);
    const suspended = () => count(sql`device where state = 'suspend'`);
    const open = () => count(sql`device_suspension where resumed_at is null`);
    const posted = () => count(sql`callback_message where request_id = ${requestId}`);
    for (const enough of [1, DEVICES / 3]) {
      const [worker] = await crew.have(1);
      await until('it did not begin', async () => (await settled()) >= enough, { everyMs: 2 });
      await worker!.stop('SIGKILL');
      const done = await settled();
      assert.ok(done < DEVICES, 'it was killed before the end');
      assert.deepEqual([await suspended(), await open(), await posted()], [done, done, done]);
    }
    await crew.have(1);
    await until(
      'it did not end',
      async () =>
        (await count(sql`carrier_request where request_id = ${requestId} and status = 'Success'`)) === 1,
    );
    await listener.next();
    assert.deepEqual([await suspended(), await open(), await posted()], [DEVICES, DEVICES, DEVICES]);
    const devicesTold = await db.one<{ n: number }>(sql`
      select count(distinct payload::jsonb->'deviceIds'->0->>'id')::int as n from callback_message
      where request_id = ${requestId}`);
    assert.equal(devicesTold.n, DEVICES);
  });
});
