import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import type { ClusterPlace } from './cluster-location.ts';
import { EmbeddedPostgresError, programError } from './errors.ts';
import { launchServer, type ServerProcess } from './server-process.ts';

const defaults = {
  max_connections: '100',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  log_checkpoints: 'off',
};

/** What the start relies on: nobody but this machine connects, and the log comes to us, in English. */
const fixed = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  logging_collector: 'off',
  log_destination: 'stderr',
  lc_messages: 'C',
};

const portLost = /could not bind|could not create any TCP\/IP sockets/;
const stillHeld = /pre-existing shared memory block|lock file ".*" already exists/;

const portAttempts = 5;
const heldLimitMs = 15_000;

/**
 * Another process may take the free port first, and backends of a killed server need a moment to notice its
 * end.
 */
export async function launchReady(
  binaries: Binaries,
  place: ClusterPlace,
  settings: Readonly<Record<string, string>>,
  log: (line: string) => void,
  {
    port: wantedPort,
    signal,
  }: { readonly port?: number | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<{ server: ServerProcess; port: number }> {
  const heldUntil = Date.now() + heldLimitMs;
  let heldPauseMs = 50;
  let portsLost = 0;
  for (;;) {
    signal?.throwIfAborted();
    const port = wantedPort ?? (await freePort());
    const all = { ...defaults, ...settings, ...fixed, port: String(port) };
    const server = await launchServer(binaries, place.clusterDir, place.user, all, log);
    const outcome = await server.waitUntilReady(signal).catch(async (error: unknown) => {
      await server.stop();
      throw error;
    });
    if (outcome === 'ready') return { server, port };

    const lines = server.lastLines();
    const failure = lines.join('\n');
    if (portLost.test(failure)) {
      portsLost += 1;
      if (portsLost < portAttempts) continue;
      throw programError('The PostgreSQL server could not bind a port on 127.0.0.1.', lines);
    }
    if (!stillHeld.test(failure) || Date.now() > heldUntil) {
      throw programError(`The PostgreSQL server of ${place.clusterDir} did not start.`, lines);
    }
    await sleep(heldPauseMs);
    heldPauseMs = Math.min(heldPauseMs * 2, 1000);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => {
      reject(new EmbeddedPostgresError(`No port on 127.0.0.1 can be bound: ${error.message}.`));
    });
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
