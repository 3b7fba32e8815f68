import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOsmoHlr } from '../../src/adapters/osmo-hlr/index.ts';
import {
  createOrderEngine,
  type LineNetwork,
  type LineOrder,
  ORDER_CHANNEL,
} from '../../src/features/network/index.ts';
import { placeOrders } from '../../src/features/network/order-lines.ts';
import { inTx } from '../../src/platform/context/context.ts';
import { openNotificationFeed } from '../../src/platform/db/listen.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { imsiOf } from '../../test/network/support/lines.ts';
import { run } from './bench-postgres.ts';
import { type CallbackScene, ECPD } from './callback-scene.ts';

const ALIVE = 'alive';
const DEAD = 'dead';
const ACCOUNT = '0000123456-00001';
const HOUR_MS = 3_600_000;

/** The orders name the elements of their lines themselves, and no request waits for them. */
const network: LineNetwork = {
  time: 'real',
  maxAgeMs: HOUR_MS,
  onClosed: async () => {},
  routesOf: async () => new Map(),
};

/** A register that accepts connections and reads everything, but never answers. */
export async function startSilentRegister() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.resume().on('error', () => {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

interface Orders {
  readonly from: number;
  readonly count: number;
  readonly wanted: LineOrder['wanted'];
}

/** Lines in one transaction. */
const ORDERED_AT_ONCE = 1_000;

/** Places orders as the service does when lines have changed. */
async function order({ ctx }: CallbackScene, element: string, { from, count, wanted }: Orders) {
  for (let n = from; n < from + count; n += ORDERED_AT_ONCE) {
    const lines = Array.from({ length: Math.min(ORDERED_AT_ONCE, from + count - n) }, (_, k) => ({
      line: { deviceId: randomUUID(), accountName: ACCOUNT, imsi: imsiOf(n + k), wanted },
      route: { element, afterwards: false },
    }));
    await inTx(ctx, (tx) => placeOrders(tx, ECPD, network, lines, { cause: 'follow' }), ECPD);
  }
}

/** The engine carries out and records waiting orders. Returns the orders per second. */
export async function carryOutWaiting(
  scene: CallbackScene,
  orders: Orders,
  { alive, dead }: { readonly alive: string; readonly dead?: string | undefined },
): Promise<number> {
  const { ctx, db } = scene;
  await db.exec(sql`delete from network_order`);
  await order(scene, ALIVE, orders);
  if (dead !== undefined) await order(scene, DEAD, orders);
  await run(db.url, 'vacuum analyze network_order');
  const connected = (name: string, address: string) => ({
    element: createOsmoHlr({ name, address }),
    afterwards: false,
  });
  const feed = await openNotificationFeed(db.url, [ORDER_CHANNEL]);
  const elements = [connected(ALIVE, alive), ...(dead === undefined ? [] : [connected(DEAD, dead)])];
  const engine = createOrderEngine(ctx, { network, elements, feed });
  const startedAt = performance.now();
  engine.start();
  while ((engine.counts.get(ALIVE)?.done ?? 0) < orders.count) await sleep(2);
  const seconds = (performance.now() - startedAt) / 1_000;
  await engine.stop(0);
  await feed.close();
  return orders.count / seconds;
}
