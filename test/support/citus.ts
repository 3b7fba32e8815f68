import type pg from 'pg';
import { PLACEMENT } from '../../src/app/sharding.ts';
import { planShards, readTables } from '../../src/platform/sharding/index.ts';
import { withClient } from './with-client.ts';

/** Few, because every clone copies the files of each. Each of the two workers has two. */
const SHARDS = 4;

/** Set by test/run.ts when tests run on a cluster: the address of its coordinator for a superuser. */
const coordinatorUrl = (): string | undefined => process.env['TEST_CITUS'];

export const isOnCluster = (): boolean => coordinatorUrl() !== undefined;

/** The address of the same database on another server, or of another database. */
export function atNode(
  url: string,
  { host, port, database }: { host?: string; port?: number; database?: string },
) {
  const changed = new URL(url);
  if (host !== undefined) changed.hostname = host;
  if (port !== undefined) changed.port = String(port);
  if (database !== undefined) changed.pathname = `/${database}`;
  return changed.href;
}

interface Worker {
  readonly host: string;
  readonly port: number;
}

/** Read from the cluster once, because it is the same for all databases. */
let known: Promise<readonly Worker[]> | undefined;
export function listWorkers(): Promise<readonly Worker[]> {
  const url = coordinatorUrl()!;
  known ??= withClient(url, async (client) => {
    const { rows } = await client.query<Worker>(
      `select nodename as host, nodeport as port from pg_dist_node
       where groupid > 0 and noderole = 'primary' order by nodeid`,
    );
    if (rows.length < 2) throw new Error('the cluster of LINEKEEPER_CITUS_URL needs at least two workers');
    return rows;
  });
  return known;
}

/** Runs the same statement separately on the coordinator and every worker. */
export async function onEveryNode(text: string): Promise<void> {
  const url = coordinatorUrl()!;
  const urls = [url, ...(await listWorkers()).map((worker) => atNode(url, worker))];
  await Promise.all(urls.map((node) => withClient(node, (client) => queryAlone(client, text))));
}

const IN_USE = '55006';

/** Repeated if a process of Citus itself, which restarts automatically, was in the database. */
async function queryAlone(client: pg.Client, text: string, tries = 1): Promise<void> {
  try {
    await client.query(text);
  } catch (error) {
    if ((error as { code?: unknown }).code !== IN_USE || tries === 5) throw error;
    await queryAlone(client, text, tries + 1);
  }
}

/** Joins databases that exist on every node into a cluster. */
export async function joinNodes(database: string): Promise<void> {
  const url = atNode(coordinatorUrl()!, { database });
  const workers = await listWorkers();
  for (const worker of workers)
    await withClient(atNode(url, worker), (client) => client.query('create extension if not exists citus'));
  await withClient(url, async (client) => {
    await client.query('create extension if not exists citus');
    const { hostname, port } = new URL(url);
    await client.query('select citus_set_coordinator_host($1, $2)', [hostname, Number(port || 5432)]);
    for (const { host, port } of workers) await client.query('select citus_add_node($1, $2)', [host, port]);
  });
}

/** Like `linekeeper shard`, with fewer shards. */
export const shardTables = (database: string, shards = SHARDS): Promise<void> =>
  withClient(atNode(coordinatorUrl()!, { database }), async (client) => {
    const { statements, problems } = planShards(await readTables(client, PLACEMENT.key, true), PLACEMENT);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    await client.query(`set citus.shard_count = ${shards}`);
    for (const statement of statements) await client.query(statement);
  });

/** A copied database must have no connections, but Citus has its own process in every database. */
export async function makeTemplate(database: string): Promise<void> {
  await onEveryNode(`alter database ${database} allow_connections false`);
  await onEveryNode(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`);
}

/** Workers number rows from here on, each in its own range. */
const COUNTED_BY_WORKER = 2n ** 48n;

/** Readers order rows by number, so only the coordinator may number them. Called when a world is closed. */
export const checkNumbers = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    const { rows: columns } = await client.query<{ table: string; column: string }>(
      `select attrelid::regclass::text as table, attname as column from pg_attribute
       where attidentity <> '' and attrelid in (select table_name from citus_tables where citus_table_type = 'distributed')`,
    );
    for (const { table, column } of columns) {
      const { rows } = await client.query<{ last: string | null }>(
        `select max(${column})::text as last from ${table}`,
      );
      if (BigInt(rows[0]!.last ?? 0) >= COUNTED_BY_WORKER)
        throw new Error(
          `a worker has counted ${table}.${column}: the statement that inserts has to be planned otherwise`,
        );
    }
  });
