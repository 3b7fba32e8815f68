import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { byImei, imsi, lineOf, makeElement, makeNetworkScene } from './scene.ts';

const PROFILES = 1_500;
const paused = makeElement('paused');
const alive = makeElement('alive');
const { world, db, settle, ask, progress, until } = await makeNetworkScene({
  elements: [
    { of: paused, imsi: [imsi(0)] },
    { of: alive, imsi: [imsi(1)] },
  ],
  devices: [lineOf(0), lineOf(1)],
});
await settle();

describe('a paused element', () => {
  it('never delays the orders of another element, however many profiles wait for it and however long', async () => {
    await world.operator('POST', '/network/paused/pause');
    await db.exec(sql`
      insert into network_order (ecpd_id, order_id, account_name, device_id, element, imsi, nr, wanted, cause, state, created_at,
        due_at, expires_at)
      select 'p' || n, gen_random_uuid(), 'of p' || n, gen_random_uuid(), 'paused', '9' || n, 1, 'active', 'follow', 'waiting',
        now() - interval '1 minute', now() - interval '1 minute', now() + interval '1 hour'
      from generate_series(1, ${PROFILES}::int) as n`);
    const before = paused.orders.length;
    const requestId = await ask('actions/suspend', { accountName: ACCOUNT, devices: byImei(1) });
    await until(async () => {
      // Orders held back stay due the whole time, so settling never ends.
      await Promise.race([world.orders?.settle(), sleep(300)]);
      await world.engine.settle();
      return (await progress(requestId)).json().status === 'Success';
    });
    assert.equal(alive.lines.get(imsi(1))?.state, 'suspended');
    assert.equal(paused.orders.length, before);
  });
});
