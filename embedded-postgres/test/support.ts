import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, readFile, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../index.ts';
import type { EmbeddedPostgresOptions } from '../start.ts';
import { isServerOf } from '../stop-server.ts';

interface User {
  readonly uid: number;
  readonly gid: number;
}

export const isRoot = process.geteuid?.() === 0;
/** Stands for an ordinary user: nobody under root, else the user who runs the tests. */
export const ordinaryUser: User | undefined = isRoot ? { uid: 65534, gid: 65534 } : undefined;
const childProgram = fileURLToPath(new URL('service-child.ts', import.meta.url));

/** A reason to skip aloud, or false. */
export const needsRoot = isRoot ? false : 'only root can run PostgreSQL as another user';
export const needsOpenCheckout =
  isRoot && spawnSync(process.execPath, ['--check', childProgram], { ...ordinaryUser, cwd: '/' }).status !== 0
    ? 'this checkout or its Node lies in a folder that is closed to the user nobody'
    : false;

const cleanUps = new WeakMap<TestContext, (() => Promise<unknown>)[]>();

/** Last come, first served, so that a server stops before its folder goes. */
function cleanUp(t: TestContext, step: () => Promise<unknown>): void {
  const steps = cleanUps.get(t) ?? [];
  if (steps.length === 0) {
    cleanUps.set(t, steps);
    t.after(async () => {
      for (const each of steps.reverse()) await each();
    });
  }
  steps.push(step);
}

export async function temporaryFolder(t: TestContext, owner?: User): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'linekeeper test '));
  if (owner === undefined) await chmod(folder, 0o755);
  else await chown(folder, owner.uid, owner.gid);
  cleanUp(t, () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Where the cluster of a closed data folder went; removed after the test. */
export async function outsideHome(t: TestContext, dataDir: string): Promise<string> {
  const home = (await readFile(join(dataDir, 'cluster-location'), 'utf8')).trim();
  cleanUp(t, async () => {
    await rm(home, { recursive: true, force: true });
    // Stays where it holds the cluster of somebody else.
    await rmdir(dirname(home)).catch(() => {});
  });
  return home;
}

export async function startServer(
  t: TestContext,
  dataDir: string,
  more: Partial<
    Pick<EmbeddedPostgresOptions, 'password' | 'keepsData' | 'log' | 'preparation' | 'waiting'>
  > = {},
): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' }, ...more });
  cleanUp(t, () => server.stop());
  return server;
}

export async function query(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

export interface Report {
  readonly url: string;
  readonly pid: number;
  readonly clusterDir: string;
  readonly error?: { readonly name: string; readonly message: string };
}

export interface Service {
  readonly process: ChildProcess;
  readonly report: Promise<Report>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

export function runService(
  t: TestContext,
  dataDir: string,
  options: {
    mode?: 'serve' | 'lock' | 'prepare';
    cacheDir?: string;
    user?: User | undefined;
    program?: string;
  } = {},
): Service {
  const { mode = 'serve', cacheDir = '', user = {}, program = childProgram } = options;
  const child = spawn(process.execPath, [program, dataDir, mode, cacheDir], {
    ...user,
    cwd: dirname(program),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const report = new Promise<Report>((resolve, reject) => {
    const lines = createInterface({ input: child.stdout });
    lines.once('line', (line) => resolve(JSON.parse(line)));
    lines.once('close', () => reject(new Error('the service ended without a report')));
  });
  // A test that kills the service does not wait for its report.
  report.catch(() => {});
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await exited;
  };
  cleanUp(t, async () => {
    await kill('SIGTERM');
    const last = await report.catch(() => null);
    if (last?.pid !== undefined) await endServer(last.pid, last.clusterDir);
  });
  return { process: child, report, kill };
}

/** For a test that failed before it took over the server of the service it killed. */
async function endServer(pid: number, clusterDir: string): Promise<void> {
  for (let attempt = 0; attempt < 100 && (await isServerOf(pid, clusterDir)); attempt += 1) {
    process.kill(pid, 'SIGQUIT');
    await sleep(50);
  }
}
