import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const RUNNER = fileURLToPath(new URL('runner.ts', import.meta.url));
const PATIENCE_MS = 60_000;
const isRoot = process.geteuid?.() === 0;

/** A temporary folder for one test: anything in it was left behind by that test. */
function makeRoot(t: TestContext, mode = 0o711): string {
  const root = mkdtempSync(join(tmpdir(), 'linekeeper-left-'));
  chmodSync(root, mode);
  t.after(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

interface Runner {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly urls: readonly string[];
  readonly profiles: readonly { readonly ecpdId: string }[][];
  readonly ended: Promise<unknown>;
}

/** Without a root, the sandboxes use their default folder. */
async function run(t: TestContext, root: string | undefined, ...words: string[]): Promise<Runner> {
  const { TMPDIR, TMP, TEMP, ...env } = process.env;
  const child = spawn(process.execPath, [RUNNER, ...words], {
    env: root === undefined ? env : { ...env, TMPDIR: root },
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'close');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, ended, ...JSON.parse(line) };
}

/** A zombie has ended, even if no process has collected its exit status. */
function isRunning(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  if (existsSync('/proc/self/stat')) return existsSync(stat) && !/\) Z /.test(readFileSync(stat, 'utf8'));
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

interface Traces {
  readonly folders: readonly string[];
  readonly services: readonly number[];
  readonly databases: readonly number[];
}

const foldersIn = (root: string): string[] =>
  globSync('linekeeper-sandbox-*', { cwd: root }).map((name) => join(root, name));

/** What the sandboxes in a folder consist of: services, database servers and their data folders. */
const tracesIn = (root: string): Traces => tracesOf(foldersIn(root));

/** Other sandboxes may start and stop at the same time. */
const serves = (folder: string, urls: readonly string[]): boolean => {
  try {
    return urls.includes(JSON.parse(readFileSync(join(folder, 'service.json'), 'utf8')).url);
  } catch {
    return false;
  }
};

function tracesOf(folders: readonly string[]): Traces {
  const numberIn = (file: string) => Number.parseInt(readFileSync(file, 'utf8'), 10);
  const homes = folders.map((folder) => {
    const pointer = join(folder, 'cluster-location');
    return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : folder;
  });
  return {
    folders: [...new Set([...folders, ...homes])],
    services: folders.map((folder) => numberIn(join(folder, 'service.pid'))),
    databases: homes.map((home) => numberIn(join(home, 'pgdata/postmaster.pid'))),
  };
}

const remaining = ({ folders, services, databases }: Traces) => ({
  folders: folders.filter((folder) => existsSync(folder)),
  services: services.filter(isRunning),
  databases: databases.filter(isRunning),
});
const NOTHING = { folders: [], services: [], databases: [] };

/** Polls, because nothing reports when they are gone. */
async function untilGone(traces: Traces): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  while (Date.now() < until && remaining(traces).folders.length > 0) await sleep(50);
  while (Date.now() < until && remaining(traces).services.length > 0) await sleep(50);
  assert.deepEqual(remaining(traces), NOTHING);
}

describe('of sandboxes nothing is left behind', () => {
  it('when they are stopped, of four at once in one process, each with a fleet of its own', async (t) => {
    const root = makeRoot(t);
    const { urls, profiles, ended } = await run(t, root, 'stops', '4');
    assert.equal(new Set(urls).size, 4);
    assert.deepEqual(
      profiles.map((own) => own.map(({ ecpdId }) => ecpdId)),
      [['9000000'], ['9000001'], ['9000002'], ['9000003']],
    );
    assert.deepEqual(await ended, [0, null]);
    assert.deepEqual(globSync('*', { cwd: root }), []);
  });

  it('when a test forgets to stop them: its process ends all the same', async (t) => {
    const root = makeRoot(t);
    const { child, ended } = await run(t, root, 'forgets', '2');
    const traces = tracesIn(root);
    assert.equal(traces.databases.length, 2);
    child.stdin.end();
    await ended;
    assert.equal(child.exitCode, 0);
    await untilGone(traces);
  });

  it('when the runners that had them side by side are killed', async (t) => {
    const root = makeRoot(t);
    const runners = await Promise.all([run(t, root, 'hangs'), run(t, root, 'hangs')]);
    const traces = tracesIn(root);
    assert.deepEqual(remaining(traces), traces);
    // Kills the whole process group, as a terminal or a build server does.
    for (const { child } of runners) process.kill(-child.pid!, 'SIGKILL');
    await untilGone(traces);
    assert.deepEqual(globSync('*', { cwd: root }), []);
  });

  it('also where the database is kept outside of a folder that its user cannot reach', {
    skip: !isRoot && 'only root runs PostgreSQL as another user',
  }, async (t) => {
    const root = makeRoot(t, 0o700);
    const { child } = await run(t, root, 'hangs');
    const traces = tracesIn(root);
    assert.equal(traces.folders.length, 2);
    child.kill('SIGKILL');
    await untilGone(traces);
  });

  it('when the services are killed too: the next one clears up', async (t) => {
    const root = makeRoot(t);
    const { child } = await run(t, root, 'hangs');
    const traces = tracesIn(root);
    const young = (await run(t, root, 'hangs')).child;
    for (const pid of traces.services) process.kill(pid, 'SIGKILL');
    child.kill('SIGKILL');
    assert.equal(remaining(traces).databases.length, 1);
    const long = new Date(Date.now() - 3_600_000);
    for (const folder of traces.folders) utimesSync(join(folder, 'temporary'), long, long);
    const next = await run(t, root, 'hangs');
    await untilGone(traces);
    const others = tracesIn(root);
    assert.deepEqual([others.folders.length, remaining(others)], [2, others]);
    next.child.kill('SIGKILL');
    young.kill('SIGKILL');
    await untilGone(others);
  });

  it('nor in memory, where they are unless a folder is named: the next one clears up there, wherever it is itself', {
    skip: process.platform !== 'linux' && 'only Linux has such a folder',
  }, async (t) => {
    const { child, urls } = await run(t, undefined, 'hangs');
    const own = ['/dev/shm', '/tmp'].flatMap(foldersIn).filter((folder) => serves(folder, urls));
    const traces = tracesOf(own);
    assert.equal(traces.services.length, 1);
    for (const pid of traces.services) process.kill(pid, 'SIGKILL');
    child.kill('SIGKILL');
    const long = new Date(Date.now() - 3_600_000);
    for (const folder of own) utimesSync(join(folder, 'temporary'), long, long);
    const root = own[0]!.startsWith('/dev/shm') ? makeRoot(t) : undefined;
    await run(t, root, 'hangs');
    await untilGone(traces);
  });
});
