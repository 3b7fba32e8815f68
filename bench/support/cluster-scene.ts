import { fileURLToPath } from 'node:url';
import { fleetSections } from '../../src/app/sections.ts';
import { OWN_TABLES } from '../../src/app/sharding.ts';
import type { Ctx } from '../../src/platform/context/context.ts';
import { type Database, openDatabase } from '../../src/platform/db/db.ts';
import { migrate, readMigrations } from '../../src/platform/db/migrate.ts';
import { ONE_SERVER } from '../../src/platform/db/servers.ts';
import { importDocument } from '../../src/platform/fleet-document/import-document.ts';
import { atNode, joinNodes, listWorkers, onEveryNode, shardTables } from '../../test/support/citus.ts';
import { makeCtx } from '../../test/support/ctx.ts';
import { run } from './bench-postgres.ts';
import { startService } from './service.ts';

const NAME = 'linekeeper_bench';
const SHARDS = 8;

/** One of the compared databases and all servers that work for it, first the one that the service queries. */
export interface Place {
  readonly url: string;
  readonly servers: readonly { readonly name: string; readonly url: string }[];
  readonly sharded: boolean;
}

/** One of the two compared sides: a database with the fleet, and the service on it. */
export interface Side extends Place {
  readonly db: Database;
  readonly ctx: Ctx;
  readonly serviceUrl: string;
  readonly stop: () => Promise<void>;
}

const migrateTo = async (url: string): Promise<void> => {
  await migrate(url, await readMigrations(fileURLToPath(new URL('../../migrations/', import.meta.url))));
};

/** Distributes the tables as `linekeeper shard` does. */
export async function makeClusterDatabase(coordinatorUrl: string): Promise<Place> {
  // The test helpers read the cluster's address from here.
  process.env['TEST_CITUS'] = coordinatorUrl;
  await onEveryNode(`drop database if exists ${NAME} with (force)`);
  await onEveryNode(`create database ${NAME}`);
  await joinNodes(NAME);
  const url = atNode(coordinatorUrl, { database: NAME });
  await migrateTo(url);
  await shardTables(NAME, SHARDS);
  const workers = (await listWorkers()).map((worker, n) => ({
    name: `worker ${n + 1}`,
    url: atNode(url, worker),
  }));
  return { url, servers: [{ name: 'coordinator', url }, ...workers], sharded: true };
}

export async function makePlainDatabase(serverUrl: string): Promise<Place> {
  await run(serverUrl, `drop database if exists ${NAME} with (force)`);
  await run(serverUrl, `create database ${NAME}`);
  const url = atNode(serverUrl, { database: NAME });
  await migrateTo(url);
  return { url, servers: [{ name: 'plain', url }], sharded: false };
}

export async function openSide(place: Place, fleet: object): Promise<Side> {
  const { url, sharded } = place;
  const distribution = sharded ? { servers: ONE_SERVER, ownTables: OWN_TABLES } : undefined;
  const db = openDatabase(url, { connections: 10, distribution, statementTimeoutMs: 600_000 });
  const ctx = makeCtx(db, new Date());
  ctx.clock.release();
  const imported = await importDocument(
    ctx,
    (async function* () {
      yield Buffer.from(JSON.stringify(fleet));
    })(),
    fleetSections,
  );
  if ('problems' in imported) throw new Error(JSON.stringify(imported.problems));
  for (const server of place.servers) await run(server.url, 'vacuum analyze');
  const service = await startService(url, { LINEKEEPER_ROLE: 'api' });
  return {
    ...place,
    db,
    ctx,
    serviceUrl: service.url,
    async stop() {
      await service.stop();
      await db.close();
    },
  };
}
