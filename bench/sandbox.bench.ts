import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, createOperatorClient } from '../clients/sdk/index.ts';
import { clients, users } from '../demo/credentials.ts';
import { makeProject } from '../test/support/package-project.ts';
import { removeDataDir } from '../test/support/service-process.ts';
import { inTurns } from './support/in-turns.ts';
import { installPeers, startMock } from './support/mock.ts';
import { alone, beside, type Finding } from './support/report.ts';
import { residentMb } from './support/resident-memory.ts';
import { roundsOr } from './support/rounds.ts';

const ROUNDS = roundsOr(5);
const CALLS = 1_000;
const CALLS_OF_A_TEST = 50;
const WARM_RUNS = 3;
const ACCOUNT = users[0]!.accounts[0]!;
const [IDLE_MS, IDLE_MB] = [5_000, 130];
const EMPTY_MS = 3_000;
const PREPARED_MS = 1_000;
const RESTORE_MS = 200;
const EXAMPLE_COLD_MS = 5_000;
const EXAMPLE_WARM_MS = 1_500;

const makeFolder = () => mkdtempSync(join(tmpdir(), 'linekeeper-bench-'));

interface Started {
  readonly ms: number;
  readonly url: string;
  readonly operatorKey: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts the installed package as a user does; without the simulated fleet, which would make the results unsteady. */
async function startPackage(project: string, dataDir: string): Promise<Started> {
  const args = ['node_modules/linekeeper/bin/linekeeper.js', 'start', '--json', '--port', '0'];
  const before = performance.now();
  const child = spawn(process.execPath, [...args, '--data-dir', dataDir], {
    cwd: project,
    env: { ...process.env, LINEKEEPER_SIMULATOR: 'off' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const ms = performance.now() - before;
  const ready = JSON.parse(line) as { url: string; operatorKey: string; pid: number };
  return {
    ...ready,
    ms,
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

async function startAndStop(project: string, dataDir: string): Promise<number> {
  const { ms, stop } = await startPackage(project, dataDir);
  await stop();
  return ms;
}

/** Memory when idle after a start. */
async function idleMemory(project: string, dataDir: string): Promise<number[]> {
  const memory: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { pid, stop } = await startPackage(project, dataDir);
    await sleep(IDLE_MS);
    memory.push(residentMb(pid));
    await stop();
  }
  return memory;
}

/** Removes folders only at the end: some file systems are slow for a while after the deletion of thousands of files. */
function startsOnEmpty(project: string) {
  const folders: string[] = [];
  return {
    async start(): Promise<number> {
      const dataDir = makeFolder();
      folders.push(dataDir);
      return startAndStop(project, dataDir);
    },
    remove() {
      for (const folder of folders) removeDataDir(folder);
    },
  };
}

async function startMockOnce(): Promise<number> {
  const before = performance.now();
  const { stop } = await startMock();
  stop();
  return performance.now() - before;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

/** Times restores with calls in between, as a test makes them, and one right after another. */
async function restores({ url, operatorKey }: Started): Promise<{ apart: number[]; together: number[] }> {
  const operator = createOperatorClient({ baseUrl: url, operatorKey });
  const name = 'bench';
  await operator.call('POST /operator/v1/snapshots', { body: { name } });
  const restore = () => operator.call('POST /operator/v1/snapshots/{name}/restore', { path: { name } });
  const [apart, together]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    for (let nth = 0; nth < CALLS_OF_A_TEST; nth++) await operator.call('GET /operator/v1/accounts');
    apart.push(await timed(restore));
  }
  for (let round = 0; round < ROUNDS; round++) together.push(await timed(restore));
  return { apart, together };
}

async function thousandCalls({ url }: Started): Promise<number[]> {
  const client = createClient({ baseUrl: url, ...clients[0]!, ...users[0]! });
  const path = { accountName: ACCOUNT };
  const all = async () => {
    for (let nth = 0; nth < CALLS; nth++) await client.call('GET /m2m/v1/plans/{accountName}', { path });
  };
  await all();
  const ms: number[] = [];
  for (let round = 0; round < ROUNDS; round++) ms.push(await timed(all));
  return ms;
}

/** Runs the example for Node's test runner: provisions, moves the clock 30 days, waits for a callback and reads a mail. */
async function runExample(project: string, cacheDir: string): Promise<number> {
  const file = join(project, 'lines.test.mjs');
  cpSync('examples/node-test/lines.test.js', file);
  const env = { ...process.env, LINEKEEPER_CACHE_DIR: cacheDir };
  const before = performance.now();
  const child = spawn(process.execPath, ['--test', file], { cwd: project, env, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('the example does not pass');
  return performance.now() - before;
}

/** The database's user prepares a database there, so it needs access through the folder. */
function makeCache(): string {
  const folder = makeFolder();
  chmodSync(folder, 0o711);
  return folder;
}

/** Runs the example first as after an installation, with nothing compiled and no database prepared, and then again. */
async function runExamples(): Promise<{ cold: number[]; warm: number[] }> {
  const [cold, warm]: [number[], number[]] = [[], []];
  const removals: (() => void)[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { folder, remove } = await makeProject();
    const cacheDir = makeCache();
    removals.push(remove, () => rmSync(cacheDir, { recursive: true, force: true }));
    cold.push(await runExample(folder, cacheDir));
    for (let nth = 0; nth < WARM_RUNS; nth++) warm.push(await runExample(folder, cacheDir));
  }
  for (const remove of removals) remove();
  return { cold, warm };
}

/** Measures the waits of a test suite with the demo fleet: starts of the installed package, restores and calls. */
export async function sandbox(): Promise<Finding[]> {
  installPeers();
  const project = await makeProject();
  const dataDir = makeFolder();
  const onEmpty = startsOnEmpty(project.folder);
  try {
    const cold = await startAndStop(project.folder, dataDir);
    const empty = await inTurns(ROUNDS, onEmpty.start, startMockOnce);
    const prepared = await inTurns(ROUNDS, () => startAndStop(project.folder, dataDir), startMockOnce);
    const memory = await idleMemory(project.folder, dataDir);
    const running = await startPackage(project.folder, dataDir);
    const restored = await restores(running);
    const calls = await thousandCalls(running);
    await running.stop();
    const example = await runExamples();
    const is = 'Prism, until it answers from our OpenAPI document';
    return [
      alone('First start of the package, its code compiled and its database prepared, ms', [cold]),
      alone('Start of the package on an empty folder to ready, ms', empty.ours, { atMost: EMPTY_MS }),
      beside({ what: 'The same beside a mock, ms', ...empty, is }),
      alone('Start of the package on a folder that was used before to ready, ms', prepared.ours, {
        atMost: PREPARED_MS,
      }),
      beside({ what: 'The same beside a mock, ms', ...prepared, is }),
      alone(`Restore of a snapshot of the demo fleet after ${CALLS_OF_A_TEST} calls, ms`, restored.apart, {
        atMost: RESTORE_MS,
      }),
      alone('The same right after another restore, ms', restored.together),
      alone(`${CALLS} calls through the typed client, one after the other, ms`, calls),
      alone('Resident memory of the package when idle, without PostgreSQL, MB', memory, {
        atMost: IDLE_MB,
      }),
      alone('The example test after an installation, ms', example.cold, { atMost: EXAMPLE_COLD_MS }),
      alone('The example test, again, ms', example.warm, { atMost: EXAMPLE_WARM_MS }),
    ];
  } finally {
    onEmpty.remove();
    removeDataDir(dataDir);
    project.remove();
  }
}
