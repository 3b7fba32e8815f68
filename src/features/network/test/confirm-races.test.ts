import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { untilWaiting } from '../../../../test/support/lock-waits.ts';
import { inTx } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';
import { confirmOrder, recordAttempts, releaseNext } from '../carrying/sql-lane.ts';
import type { LineNetwork } from '../line-network.ts';
import { placeOrders } from '../order-lines.ts';
import { byImei, imsi, lineOf, makeElement, makeNetworkScene, PROFILE } from './scene.ts';

const register = makeElement('hlr');
const { world, db, settle, ask, progress } = await makeNetworkScene({
  elements: [{ of: register }],
  devices: [lineOf(0), lineOf(1)],
});
await settle();

const at = sql`statement_timestamp()`;

async function confirm(tx: Db, orderId: string, n: number): Promise<void> {
  await confirmOrder(tx, PROFILE, { orderId, state: 'done', reason: null, at });
  await releaseNext(tx, PROFILE, 'hlr', [imsi(n)], at);
}

describe('an order that an element has taken', () => {
  it('does not delay a newer one if it is confirmed while that one is placed', async () => {
    register.answers({ outcome: 'later' });
    await ask('actions/suspend', { accountName: ACCOUNT, devices: byImei(0) });
    await settle();
    const { orderId } = register.orders.at(-1)!;
    register.answers({ outcome: 'done' });
    const newer = await ask('actions/deactivate', {
      ...{ accountName: ACCOUNT, etfWaiver: true, reasonCode: 'FF', devices: byImei(0) },
    });
    let placing: Promise<unknown> = Promise.resolve();
    await db.tx(async (tx) => {
      await confirm(tx, orderId, 0);
      placing = world.engine.settle();
      await untilWaiting(db, { unless: placing });
    });
    await placing;
    await settle();
    assert.equal(register.lines.get(imsi(0))?.state, 'gone');
    assert.equal((await progress(newer)).json().status, 'Success');
  });

  it('does not delay a newer one if it is taken and confirmed while that one is placed', async () => {
    await ask('actions/suspend', { accountName: ACCOUNT, devices: byImei(1) });
    await world.engine.settle();
    const taken = await db.one<{ orderId: string; deviceId: string }>(sql`
      select order_id as "orderId", device_id as "deviceId" from network_order
      where ecpd_id = ${PROFILE} and imsi = ${imsi(1)} and state = 'waiting'`);
    const record = (tx: Db) =>
      recordAttempts(
        tx,
        { ecpdId: PROFILE, element: 'hlr' },
        [{ orderId: taken.orderId, state: 'taken', reason: null, pauseMs: 0 }],
        new Date(),
      );
    let elementTx: Promise<unknown> | undefined;
    /** Runs the element's transactions in sequence. Each ends now, unless it must wait for the newer order. */
    const asElement = async (work: (tx: Db) => Promise<unknown>) => {
      elementTx = Promise.resolve(elementTx).then(() => db.tx(work));
      await untilWaiting(db, { unless: elementTx });
    };
    const network: LineNetwork = {
      ...{ routesOf: async () => new Map(), time: 'real', maxAgeMs: 3_600_000 },
      onClosed: () => asElement((tx) => confirm(tx, taken.orderId, 1)),
    };
    const line = { accountName: ACCOUNT, imsi: imsi(1), deviceId: taken.deviceId, wanted: 'gone' } as const;
    await inTx(
      world.ctx,
      (own) => {
        const many: Db['many'] = async (query) => {
          const rows = await own.db.many(query);
          if (elementTx === undefined) await asElement(record);
          return rows as never;
        };
        const tx = { ...own, db: { ...own.db, many } };
        const newer = { line, route: { element: 'hlr', afterwards: false } };
        return placeOrders(tx, PROFILE, network, [newer], { cause: 'follow' });
      },
      PROFILE,
    );
    await elementTx;
    await settle();
    assert.equal(register.lines.get(imsi(1))?.state, 'gone');
  });
});
