import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError, programError } from './errors.ts';
import { spawnOptions } from './run-program.ts';
import type { ServerUser } from './server-user.ts';
import { patience, shutDown } from './shutdown.ts';

export interface ServerProcess {
  readonly pid: number;
  readonly exited: Promise<number | null>;
  /** 'ready', or 'exited' where the server gave up; lastLines then tell why. */
  waitUntilReady(signal?: AbortSignal): Promise<'ready' | 'exited'>;
  lastLines(): string[];
  stop(): Promise<void>;
}

const silenceLimitMs = 60_000;

export async function launchServer(
  binaries: Binaries,
  clusterDir: string,
  user: ServerUser,
  settings: Readonly<Record<string, string>>,
  log: (line: string) => void,
): Promise<ServerProcess> {
  const args = [
    '-D',
    clusterDir,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  const child = spawn(binaries.postgres, args, {
    ...spawnOptions(binaries.postgres, user),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const recent: string[] = [];
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
  });
  // Comes after the last line of output, where the exit alone may come before it.
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
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
    const silence = setTimeout(giveUp, silenceLimitMs);
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
    stopping ??= stopProcess(child, pid, binaries);
    return stopping;
  };
  return { pid, exited, waitUntilReady, lastLines: () => [...recent], stop };
}

async function stopProcess(child: ChildProcess, pid: number, binaries: Binaries): Promise<void> {
  for (const [mode, patienceMs] of patience) {
    // A process id of the past may belong to a stranger by now.
    if (child.exitCode !== null || child.signalCode !== null) return;
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), patienceMs);
    const exit = once(child, 'exit', { signal: limit.signal }).then(
      () => true,
      () => false,
    );
    try {
      await shutDown(pid, mode, binaries);
      if (await exit) return;
    } finally {
      clearTimeout(timer);
    }
  }
  throw new EmbeddedPostgresError(`The PostgreSQL server (pid ${pid}) does not stop.`);
}
