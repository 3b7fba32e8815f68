import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '../../src/platform/db/db.ts';
import { openReplicaReads, type Went } from '../../src/platform/db/replica.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { lockDataDir, startEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.ts';
import { startReplicatedServer } from '../support/replicated-server.ts';
import { makeDataDir, removeDataDir } from '../support/service-process.ts';

/** Several proofs would have been found in this time. */
const PROBES_MS = 1_000;

const server = await startReplicatedServer();
const databases: Database[] = [];
const open = (url: string) => {
  const db = openDatabase(url, { connections: 4 });
  databases.push(db);
  return db;
};
const replica = open(server.replicaUrl);
after(async () => {
  await Promise.all(databases.map((db) => db.close()));
  await server.stop();
});

const POSITION = sql`
  select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end
          - '0/0'::pg_lsn)::int8 as position`;
const positionOf = async (db: Database) => (await db.one<{ position: bigint }>(POSITION)).position;

/** Where reads of somebody go who believes that the replica is this server's. */
async function whereReadsGo(primary: Database): Promise<Went[]> {
  const went: Went[] = [];
  const reads = await openReplicaReads({
    primary,
    replica,
    maxLagMs: 60_000,
    mustBeNew: ['none'],
    count: (where) => void went.push(where),
  });
  await sleep(PROBES_MS);
  await reads.db.one(sql`select 1 as n`);
  reads.stop();
  return went;
}

describe('a replica that is further in its log than the primary', () => {
  it('proves nothing when it is of another cluster', async () => {
    const dataDir = makeDataDir();
    // The server's user must be able to enter it when this runs as root.
    chmodSync(dataDir, 0o755);
    const lock = await lockDataDir(dataDir);
    const other = await startEmbeddedPostgres({
      dataDir,
      settings: { fsync: 'off', shared_buffers: '32MB' },
    });
    const primary = open(other.url);
    assert.ok((await positionOf(primary)) < (await positionOf(replica)));
    assert.deepEqual(await whereReadsGo(primary), ['primary: not its replica']);
    await primary.close();
    databases.splice(databases.indexOf(primary), 1);
    await other.stop();
    await lock.release();
    removeDataDir(dataDir);
  });

  it('proves nothing when it was left on the timeline before a failover', async () => {
    const old = open(server.url);
    assert.deepEqual(await whereReadsGo(old), ['replica']);
    await old.exec(sql`create table since as select generate_series(1, 200000) as n`);
    const primary = open(await server.promoteOldCopy());
    while ((await positionOf(replica)) <= (await positionOf(primary))) await sleep(20);
    assert.deepEqual(await whereReadsGo(primary), ['primary: not its replica']);
  });
});
