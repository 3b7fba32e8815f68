import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { ACCOUNT, asUser, SMALL_FLEET } from '../support/fleet.ts';
import { openListener } from '../support/listener.ts';
import { openCrew, until } from '../support/service-crew.ts';
import { makeWorld } from '../support/world.ts';

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
  it('is completed, billed and told once though its worker is killed twice in the middle', async () => {
    const listener = await openListener();
    const { call } = await asUser(world);
    await call('POST', `/loc/v1/callbacks/${ACCOUNT}`, { name: 'Location', url: listener.url });
    const deviceList = imeis.map((id) => ({ id, kind: 'IMEI' }));
    const created = await call('POST', '/loc/v1/locationreports', {
      accountName: ACCOUNT,
      cacheMode: '2',
      deviceList,
    });
    const { txid } = created.json();
    const located = () => count(sql`location_entry where txid = ${txid} and state = 'located'`);
    for (const enough of [1, DEVICES / 3]) {
      const [worker] = await crew.have(1);
      await until('it did not begin', async () => (await located()) >= enough, { everyMs: 5 });
      await worker!.stop('SIGKILL');
      assert.ok((await located()) < DEVICES, 'it was killed before the end');
    }
    await crew.have(1);
    await until(
      'it did not end',
      async () => (await count(sql`location_request where txid = ${txid} and status = 'COMPLETED'`)) === 1,
    );
    await listener.next();
    assert.equal(await located(), DEVICES);
    assert.equal(await count(sql`service_transaction where request_ref = ${txid}`), DEVICES);
    assert.equal(await count(sql`callback_message where request_id = ${txid}`), 1);
    const { sum } = await db.one<{ sum: number }>(sql`select sum(transactions)::int as sum from service_day`);
    assert.equal(sum, DEVICES);
  });
});
