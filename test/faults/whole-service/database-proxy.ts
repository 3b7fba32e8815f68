import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { SeededRandom } from '../../support/seeded-random.ts';

export interface DatabaseProxy {
  readonly url: string;
  /** Resets this share of the connections, on both sides. */
  cut(share: number): number;
  /**
   * From now on nothing that is sent on this share of the connections arrives, and nobody is told; new connections are
   * as dead where `alsoNew`. With what comes back new ones live again. Those that are dead stay so: the service must give
   * them up by itself.
   */
  swallow(share: number, alsoNew: boolean): () => void;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  isDead: boolean;
}

/** When the probes of a server's machine have told it that a client which is gone is gone. */
const NOTICED_AFTER_MS = 10_000;

const reset = ({ client, server }: Pair) => {
  for (const socket of [client, server]) {
    // One that is being ended cannot be reset: its handle would stay open, and the process with it.
    if (!socket.writableEnded) socket.resetAndDestroy();
    // By itself a reset waits until everything is written, which a peer that stands still never lets happen.
    socket.destroy();
  }
};

/** Stands between the service and its database, and does what networks do. */
export async function openDatabaseProxy(databaseUrl: string, random: SeededRandom): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const pairs = new Set<Pair>();
  let newAreDead = false;

  const swallowPair = (pair: Pair) => {
    pair.isDead = true;
    pair.client.unpipe(pair.server).resume();
    pair.server.unpipe(pair.client).resume();
  };
  // Half-open in earnest: who ends a dead connection is not told that the other side has ended it too.
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
        // The other side of a dead connection does not hear of it: that is what half-open means.
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
