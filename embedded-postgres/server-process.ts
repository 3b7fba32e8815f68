import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import type { ClusterPlace } from './cluster-location.ts';
import { EmbeddedPostgresError, programError } from './errors.ts';
import { spawnOptions } from './run-program.ts';
import type { ServerUser } from './server-user.ts';
import { stopServer } from './stop-server.ts';

interface ServerProcess {
  readonly pid: number;
  readonly exited: Promise<number | null>;
  /** 'ready', or 'exited' if the server gave up; lastLines then explain why. */
  waitUntilReady(signal?: AbortSignal): Promise<'ready' | 'exited'>;
  lastLines(): string[];
  stop(): Promise<void>;
}

export async function launchServer(
  binaries: Binaries,
  clusterDir: string,
  user: ServerUser,
  settings: Readonly<Record<string, string>>,
  log: (line: string) => void,
  keepsData = true,
): Promise<ServerProcess> {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(binaries.postgres, ['-D', clusterDir, ...options], {
    ...spawnOptions(binaries.postgres, user),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const recent: string[] = [];
  const exited = new Promise<number | null>((resolve) => void child.once('exit', resolve));
  // Fires after the last line of output; 'exit' may fire before it.
  const closed = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  let onLine: (line: string) => void = () => {};
  if (child.stderr !== null) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      recent.push(line);
      if (recent.length > 40) recent.shift();
      onLine(line);
      log(line);
    });
  }
  const pid = await new Promise<number>((resolve, reject) => {
    child.once('spawn', () => resolve(child.pid ?? 0));
    child.once('error', (error) => {
      reject(new EmbeddedPostgresError(`The PostgreSQL server could not be started: ${error.message}.`));
    });
  });

  const waitUntilReady = async (signal?: AbortSignal): Promise<'ready' | 'exited'> => {
    const ready = Promise.withResolvers<'ready' | 'exited'>();
    const giveUp = (): void =>
      ready.reject(programError('The PostgreSQL server did not become ready in time.', recent));
    // Recovery after a crash may be long but reports its progress, so only silence counts.
    const silence = setTimeout(giveUp, 60_000);
    onLine = (line) => {
      silence.refresh();
      if (line.includes('database system is ready to accept connections')) ready.resolve('ready');
    };
    void closed.then(() => ready.resolve('exited'));
    const leave = (): void => ready.reject(signal?.reason);
    signal?.addEventListener('abort', leave);
    try {
      return await ready.promise;
    } finally {
      clearTimeout(silence);
      signal?.removeEventListener('abort', leave);
      onLine = () => {};
    }
  };

  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    const isRunning = () => child.exitCode === null && child.signalCode === null;
    stopping ??= stopServer(pid, binaries, isRunning, { keepsData, exited });
    return stopping;
  };
  return { pid, exited, waitUntilReady, lastLines: () => [...recent], stop };
}

const defaults = {
  max_connections: '100',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  log_checkpoints: 'off',
  // A new cluster has no old log files to reuse, and filling new ones with zeros would double the writes.
  wal_init_zero: 'off',
};

/** Settings that the start relies on: only this machine connects, and this process reads the log in English. */
const fixed = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  logging_collector: 'off',
  log_destination: 'stderr',
  lc_messages: 'C',
  // Many rounds protect guessable passwords, which generated ones are not, and would slow down each
  // connection.
  scram_iterations: '1',
};

const portLost = /could not bind|could not create any TCP\/IP sockets/;
const stillHeld = /pre-existing shared memory block|lock file ".*" already exists/;

const portAttempts = 5;

interface Launching {
  readonly settings?: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
  /** Default: a free port. */
  readonly port?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly keepsData?: boolean | undefined;
  /** Called each time a server is launched, with the port at which it will answer. */
  readonly launched?: ((port: number) => void) | undefined;
}

/** Another process may take the free port first, and backends of a killed server need a moment to notice its end. */
export async function launchReady(
  binaries: Binaries,
  place: ClusterPlace,
  { settings = {}, log, port: wantedPort, signal, keepsData, launched }: Launching,
): Promise<{ server: ServerProcess; port: number }> {
  const heldUntil = Date.now() + 15_000;
  let heldPauseMs = 50;
  let portsLost = 0;
  for (;;) {
    signal?.throwIfAborted();
    const port = wantedPort ?? (await freePort());
    const all = { ...defaults, ...settings, ...fixed, port: String(port) };
    const server = await launchServer(binaries, place.clusterDir, place.user, all, log, keepsData);
    launched?.(port);
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
