import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { untilWaiting } from '../../../../test/support/lock-waits.ts';
import { sql } from '../../../platform/db/sql.ts';
import { confirmOrder, releaseNext } from '../carrying/sql-lane.ts';
import { byImei, imsi, lineOf, makeElement, makeNetworkScene, PROFILE } from './scene.ts';

const register = makeElement('hlr');
const { world, db, settle, ask, progress } = await makeNetworkScene({
  elements: [{ of: register }],
  devices: [lineOf(0)],
});
await settle();

describe('an order that an element has taken', () => {
  it('keeps no newer one waiting when it is confirmed in the moment in which that is placed', async () => {
    register.answers({ outcome: 'later' });
    await ask('actions/suspend', { accountName: ACCOUNT, devices: byImei(0) });
    await settle();
    const { orderId } = register.orders.at(-1)!;
    register.answers({ outcome: 'done' });
    const newer = await ask('actions/deactivate', {
      ...{ accountName: ACCOUNT, etfWaiver: true, reasonCode: 'FF', devices: byImei(0) },
    });
    const at = sql`statement_timestamp()`;
    let placing: Promise<unknown> = Promise.resolve();
    await db.tx(async (tx) => {
      await confirmOrder(tx, PROFILE, { orderId, state: 'done', reason: null, at });
      await releaseNext(tx, PROFILE, 'hlr', [imsi(0)], at);
      placing = world.engine.settle();
      await untilWaiting(db, { unless: placing });
    });
    await placing;
    await settle();
    assert.equal(register.lines.get(imsi(0))?.state, 'gone');
    assert.equal((await progress(newer)).json().status, 'Success');
  });
});
