import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { SeededRandom } from '../../support/seeded-random.ts';

export interface DatabaseProxy {
  readonly url: string;
  /** Resets this share of the connections, on both sides. */
  cut(share: number): number;
  /**
   * From now on nothing that is sent on this share of the connections arrives, and nobody is told; new connections are
   * as dead where `alsoNew`. What comes back ends it: all of them are reset, because bytes are missing.
   */
  swallow(share: number, alsoNew: boolean): () => void;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  isDead: boolean;
}

const reset = ({ client, server }: Pair) => {
  client.resetAndDestroy();
  server.resetAndDestroy();
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
  const proxy = createServer({ noDelay: true }, (client) => {
    const server = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
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
        for (const pair of pairs) if (pair.isDead) reset(pair);
      };
    },
    async close() {
      for (const pair of pairs) reset(pair);
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
