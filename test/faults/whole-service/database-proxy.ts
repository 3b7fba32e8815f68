import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { SeededRandom } from '../../support/seeded-random.ts';

export interface DatabaseProxy {
  readonly url: string;
  /** Resets this share of the connections, on both sides. */
  cut(share: number): number;
  /**
   * Silently drops all data on this share of the connections; with `alsoNew`, new connections are dead too. The returned function
   * revives new connections only. Dead ones stay dead until the service gives them up.
   */
  swallow(share: number, alsoNew: boolean): () => void;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  isDead: boolean;
}

/** The time after which the keep-alive probes of a server's machine detect that a client is gone. */
const NOTICED_AFTER_MS = 10_000;

const reset = ({ client, server }: Pair) => {
  for (const socket of [client, server]) {
    // A socket that is already ending cannot be reset: its handle would stay open, and with it the process.
    if (!socket.writableEnded) socket.resetAndDestroy();
    // A reset alone waits until everything is written, which a stalled peer prevents.
    socket.destroy();
  }
};

/** Relays between the service and its database, and causes network faults. */
export async function openDatabaseProxy(databaseUrl: string, random: SeededRandom): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const pairs = new Set<Pair>();
  let newAreDead = false;

  const swallowPair = (pair: Pair) => {
    pair.isDead = true;
    pair.client.unpipe(pair.server).resume();
    pair.server.unpipe(pair.client).resume();
  };
  // Really half-open: a side that ends a dead connection does not learn that the other side has ended it too.
  const proxy = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    const server = connect({
      port: Number(target.port),
      host: target.hostname,
      noDelay: true,
      allowHalfOpen: true,
    });
    const pair: Pair = { client, server, isDead: false };
    pairs.add(pair);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.on('error', () => {});
      socket.on('close', () => {
        // The other side of a dead connection is not notified: that is what half-open means.
        if (!pair.isDead) other.destroy();
        else if (socket === client) setTimeout(() => server.destroy(), NOTICED_AFTER_MS).unref();
        if (client.destroyed && server.destroyed) pairs.delete(pair);
      });
    }
    client.pipe(server);
    server.pipe(client);
    if (newAreDead) swallowPair(pair);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((proxy.address() as AddressInfo).port);

  const some = (share: number) => [...pairs].filter(() => random.next() < share);
  return {
    url: url.href,
    cut(share) {
      const chosen = some(share);
      chosen.forEach(reset);
      return chosen.length;
    },
    swallow(share, alsoNew) {
      newAreDead = alsoNew;
      some(share).forEach(swallowPair);
      return () => {
        newAreDead = false;
      };
    },
    async close() {
      for (const pair of pairs) reset(pair);
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
