import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, uptime } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { lockDataDir, startEmbeddedPostgres } from '../../embedded-postgres/index.ts';
import { everywhere, templateName } from '../support/database.ts';

/** Ignored by git. What is in it is made anew when it is missing. */
export const KEPT = resolve('.test-cache');

// Nothing here must survive a power failure; durability is tested on servers of its own.
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };

export interface TestServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** A server of another version does not read it. */
function keptFolder(): string {
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const versions = new Set(Object.values<string>(optionalDependencies));
  return join(KEPT, `postgres-${[...versions].join('-')}`);
}

/** Another run in this checkout may have the kept one: then this run has its own, and leaves nothing. */
async function lockFolder() {
  const kept = keptFolder();
  removeUnsafe(kept);
  mkdirSync(kept, { recursive: true });
  try {
    return { dataDir: kept, lock: await lockDataDir(kept), keep: true };
  } catch {
    const own = mkdtempSync(join(tmpdir(), 'linekeeper-test-'));
    return { dataDir: own, lock: await lockDataDir(own), keep: false };
  }
}

const RUNNING = 'running';
const startedAtMs = () => Date.now() - uptime() * 1_000;
const CLOCK_DRIFT_MS = 60_000;

/** A server that never waits for the disk survives its own death, but not that of the machine. */
function removeUnsafe(dataDir: string): void {
  const running = join(dataDir, RUNNING);
  if (!existsSync(running)) return;
  if (Math.abs(Number(readFileSync(running, 'utf8')) - startedAtMs()) < CLOCK_DRIFT_MS) return;
  const elsewhere = join(dataDir, 'cluster-location');
  if (existsSync(elsewhere)) rmSync(readFileSync(elsewhere, 'utf8').trim(), { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
}

/** What this run and those that were cut off have left, and templates of migrations that have changed since. */
async function removeLeftovers(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select quote_ident(datname) as name from pg_database
       where datname ~ '^(test|empty|template)_' and datname <> $1 order by datname`,
      [templateName()],
    );
    for (const { name } of rows) await everywhere(client, `drop database if exists ${name} with (force)`);
  } finally {
    await client.end();
  }
}

/** One server for all test files. It is kept between runs, and with it the template that databases are cloned from. */
export async function startTestServer(): Promise<TestServer> {
  const { dataDir, lock, keep } = await lockFolder();
  // The server's user must be able to enter it when this runs as root.
  chmodSync(dataDir, 0o755);
  const running = join(dataDir, RUNNING);
  writeFileSync(running, String(startedAtMs()));
  const postgres = await startEmbeddedPostgres({ dataDir, settings: SETTINGS });
  await removeLeftovers(postgres.url);
  return {
    url: postgres.url,
    async stop() {
      await removeLeftovers(postgres.url);
      await postgres.stop();
      rmSync(running);
      await lock.release();
      if (!keep) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A cluster that somebody else has started: a superuser's address of its coordinator. */
export async function joinCluster(): Promise<TestServer> {
  const url = process.env['LINEKEEPER_CITUS_URL'];
  if (url === undefined)
    throw new Error(
      'LINEKEEPER_CITUS_URL must be set: the address of a database with Citus and its workers, as a superuser',
    );
  process.env['TEST_CITUS'] = url;
  await removeLeftovers(url);
  return { url, stop: () => removeLeftovers(url) };
}
