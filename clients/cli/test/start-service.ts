import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cleanEnv, type How, type Ran, ROOT, runCli } from './run-cli.ts';

export interface RunningService {
  readonly url: string;
  readonly dataDir: string;
  /** Runs the command line in the service's data folder, where it finds address and key by itself. */
  run(args: readonly string[], how?: How): Promise<Ran>;
  stop(): Promise<void>;
}

const STOP_MS = 15_000;

/** A service of its own, as a process of its own, on an empty database. */
export async function startService(): Promise<RunningService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'linekeeper-cli-'));
  const env = { LINEKEEPER_DATA_DIR: dataDir };
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: ROOT,
    env: cleanEnv({ ...env, LINEKEEPER_PORT: '0', LINEKEEPER_DEMO: 'off', LINEKEEPER_LOG_LEVEL: 'error' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let url: string | undefined;
  for await (const line of createInterface(child.stdout)) {
    url = /^Linekeeper ready on (\S+)$/.exec(line)?.[1];
    if (url !== undefined) break;
  }
  if (url === undefined) throw new Error('the service ended before it was ready');
  child.stdout.resume();
  return {
    url,
    dataDir,
    run: (args, how = {}) => runCli(args, { ...how, env: { ...env, ...how.env } }),
    async stop() {
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      child.kill('SIGTERM');
      await exited;
      clearTimeout(late);
      // Started as root, the embedded database lies outside of the data folder.
      const cluster = await readFile(join(dataDir, 'cluster-location'), 'utf8').catch(() => '');
      for (const folder of [dataDir, cluster.trim()]) {
        if (folder !== '') await rm(folder, { recursive: true, force: true });
      }
    },
  };
}
