import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { OWN_TABLES, PLACEMENT } from '../../src/app/sharding.ts';
import { type Database, openDatabase } from '../../src/platform/db/db.ts';
import { migrate, readMigrations } from '../../src/platform/db/migrate.ts';
import { ONE_SERVER, type Servers } from '../../src/platform/db/servers.ts';
import { isOnCluster, joinNodes, makeTemplate, onEveryNode, shardTables } from './citus.ts';
import { empty, lookAtFresh } from './used-database.ts';
import { withClient } from './with-client.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));
const TEMPLATE_LOCK = 4_711;

/** Set by test/run.ts, which starts one server for all test files. */
function serverUrl(): string {
  const url = process.env['TEST_DATABASE_SERVER'];
  if (url === undefined) throw new Error('run tests with: npm test [-- path-part …]');
  return url;
}

export function databaseUrl(name: string): string {
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return url.href;
}

const withAdmin = <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => withClient(serverUrl(), work);

/** Named after the content of the migrations: an edited migration gets a new template, and a stale one is never used. */
export function templateName(): string {
  const texts = readdirSync(MIGRATIONS)
    .sort()
    .map((file) => readFileSync(`${MIGRATIONS}${file}`, 'utf8'));
  if (isOnCluster()) texts.push(JSON.stringify(PLACEMENT));
  return `template_${createHash('sha256').update(texts.join()).digest('hex').slice(0, 12)}`;
}

/** On a cluster, a database exists under its name on each node. */
export const everywhere = async (admin: pg.Client, text: string): Promise<void> =>
  isOnCluster() ? onEveryNode(text) : void (await admin.query(text));

async function ensureTemplate(admin: pg.Client, template: string): Promise<void> {
  // Test files are separate processes; the lock makes exactly one of them build the template.
  await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  const found = await admin.query('select 1 from pg_database where datname = $1', [template]);
  if (found.rowCount === 0) {
    const building = `${template}_building`;
    await everywhere(admin, `drop database if exists ${building} with (force)`);
    await everywhere(admin, `create database ${building}`);
    if (isOnCluster()) await joinNodes(building);
    await migrate(databaseUrl(building), await readMigrations(MIGRATIONS));
    if (isOnCluster()) {
      await shardTables(building);
      await makeTemplate(building);
    }
    await everywhere(admin, `alter database ${building} rename to ${template}`);
  }
  await admin.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
}

let template: string | undefined;
let fresh: Awaited<ReturnType<typeof lookAtFresh>> | undefined;
/** Emptied databases of finished tests in this process. Creating and dropping one takes many times as long. */
const left: string[] = [];

async function cloneTemplate(): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await withAdmin(async (admin) => {
    if (template === undefined) {
      template = templateName();
      await ensureTemplate(admin, template);
    }
    await everywhere(admin, `create database ${name} template ${template} strategy file_copy`);
  });
  if (!isOnCluster()) fresh ??= await lookAtFresh(databaseUrl(name));
  return name;
}

/** A migrated, empty database for this test. */
export async function createTestDatabase(): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = left.pop() ?? (await cloneTemplate());
  const url = databaseUrl(name);
  return {
    url,
    drop: async () => {
      if (fresh !== undefined && (await empty(url, fresh))) left.push(name);
      else await withAdmin((admin) => everywhere(admin, `drop database if exists ${name} with (force)`));
    },
  };
}

/** On a cluster: migrated, up to a version if one is given, and joined to the workers, but not distributed yet. */
export async function createUnshardedDatabase(
  upTo = '9999',
): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onEveryNode(`create database ${name}`);
  await joinNodes(name);
  const migrations = await readMigrations(MIGRATIONS);
  await migrate(
    databaseUrl(name),
    migrations.filter((migration) => migration.name <= upTo),
  );
  return { url: databaseUrl(name), drop: () => onEveryNode(`drop database if exists ${name} with (force)`) };
}

/** An unmigrated database, for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = `empty_${randomBytes(6).toString('hex')}`;
  await withAdmin((admin) => admin.query(`create database ${name}`));
  return {
    url: databaseUrl(name),
    drop: async () => {
      await withAdmin((admin) => admin.query(`drop database if exists ${name} with (force)`));
    },
  };
}

/** Opens the database like the service: it knows whether the tables are distributed. */
/** Does not check the servers unless a check is given. */
export const distributionOfTests = (servers: Servers = ONE_SERVER) =>
  isOnCluster() ? { servers, ownTables: OWN_TABLES } : undefined;

export const openTestDatabase = (url: string, options: Parameters<typeof openDatabase>[1] = {}): Database =>
  openDatabase(url, { distribution: distributionOfTests(), ...options });

export async function freshDatabase(): Promise<{ readonly db: Database; drop(): Promise<void> }> {
  const { url, drop } = await createTestDatabase();
  const db = openTestDatabase(url, { connections: 5 });
  return {
    db,
    drop: async () => {
      await db.close();
      await drop();
    },
  };
}
