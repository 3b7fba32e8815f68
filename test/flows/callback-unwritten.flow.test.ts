import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../src/platform/db/sql.ts';
import { LEASE_MS } from '../../src/platform/lanes/leases.ts';
import { makeScene } from '../support/callback-scene.ts';

describe('callbacks whose results cannot be written for longer than a lease', () => {
  const LOCK_TIMEOUT_MS = 1_000;
  /** Much longer than a statement waits for a lock, too. */
  const BLOCKED_MS = LEASE_MS + 1_000;

  it('are not sent again by the process that holds them', async () => {
    const wanted = { lockTimeoutMs: LOCK_TIMEOUT_MS };
    const { ctx, delivery, listener, deliveries, post } = await makeScene(200, 'AlertService', wanted);
    for (const id of ['a', 'b', 'c']) await post({}, id);
    const [blocked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const blocking = ctx.db.tx(async (tx) => {
      await tx.exec(sql`select 1 from callback_pending where ecpd_id = '9000001' for update`);
      blocked.resolve();
      await released.promise;
    });
    await blocked.promise;
    delivery.start();
    await listener.next(3);
    await sleep(BLOCKED_MS);
    released.resolve();
    await blocking;
    await delivery.settle();
    assert.equal(listener.heard.length, 3);
    for (const { state } of await deliveries()) assert.equal(state, 'delivered');
  });
});
