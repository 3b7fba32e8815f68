import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockDataDir, startEmbeddedPostgres } from '../../embedded-postgres/index.ts';
import { type Database, openDatabase } from '../../src/platform/db/db.ts';
import { openReplicaReads, type Went } from '../../src/platform/db/replica.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { startReplicatedServer } from '../support/replicated-server.ts';
import { makeDataDir, removeDataDir } from '../support/service-process.ts';

/** Long enough for a false proof to appear. */
const NO_PROOF_MS = 2_000;
const PROOF_MS = 20_000;

const server = await startReplicatedServer();
const databases: Database[] = [];
const open = (url: string) => {
  const db = openDatabase(url, { connections: 4 });
  databases.push(db);
  return db;
};
const replicaOfOld = open(server.replicaUrl);
after(async () => {
  await Promise.all(databases.map((db) => db.close()));
  await server.stop();
});

const POSITION = sql`
  select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end
          - '0/0'::pg_lsn)::int8 as position`;
const positionOf = async (db: Database) => (await db.one<{ position: bigint }>(POSITION)).position;

/** Where reads end up if the service takes the replica for this server's. */
async function whereReadsGo(primary: Database, replica: Database, waitMs: number): Promise<Went | undefined> {
  let went: Went | undefined;
  const reads = await openReplicaReads({
    primary,
    replica,
    maxLagMs: 60_000,
    mustBeNew: ['none'],
    count: (where) => {
      went = where;
    },
  });
  for (const end = Date.now() + waitMs; went !== 'replica' && Date.now() < end; await sleep(50))
    await reads.db.one(sql`select 1 as n`);
  reads.stop();
  return went;
}

let promotedUrl = '';

describe('a replica further ahead in its log than the primary', () => {
  it('proves nothing if it belongs to another cluster', async () => {
    const dataDir = makeDataDir();
    // The server's user needs access to the folder when this runs as root.
    chmodSync(dataDir, 0o755);
    const lock = await lockDataDir(dataDir);
    const other = await startEmbeddedPostgres({
      dataDir,
      settings: { fsync: 'off', shared_buffers: '32MB' },
    });
    const primary = openDatabase(other.url, { connections: 4 });
    try {
      assert.ok((await positionOf(primary)) < (await positionOf(replicaOfOld)));
      assert.equal(await whereReadsGo(primary, replicaOfOld, NO_PROOF_MS), 'primary: not its replica');
    } finally {
      await primary.close();
      await other.stop();
      await lock.release();
      removeDataDir(dataDir);
    }
  });

  it('proves nothing if it stayed on the timeline before a failover', async () => {
    const old = open(server.url);
    assert.equal(await whereReadsGo(old, replicaOfOld, PROOF_MS), 'replica');
    await old.exec(sql`create table since as select generate_series(1, 200000) as n`);
    promotedUrl = await server.promoteOldCopy();
    const primary = open(promotedUrl);
    while ((await positionOf(replicaOfOld)) <= (await positionOf(primary))) await sleep(20);
    assert.equal(await whereReadsGo(primary, replicaOfOld, NO_PROOF_MS), 'primary: not its replica');
  });
});

describe('a replica that follows a failover', () => {
  const asPlain = (url: string) => {
    const plain = new URL(url);
    [plain.username, plain.password] = ['plain', 'word'];
    return open(plain.href);
  };

  it('proves itself at once to users that may see its receiver, and to all after its next checkpoint', async () => {
    const primary = open(promotedUrl);
    await primary.exec(sql`create role plain login password 'word'`);
    const followerUrl = await server.followOldCopy();
    const follower = open(followerUrl);
    while ((await positionOf(follower)) < (await positionOf(primary))) await sleep(20);
    assert.equal(await whereReadsGo(primary, follower, PROOF_MS), 'replica');
    for (const db of [primary, follower]) {
      await db.exec(sql`checkpoint`);
      while ((await positionOf(follower)) < (await positionOf(primary))) await sleep(20);
    }
    const [plain, plainFollower] = [asPlain(promotedUrl), asPlain(followerUrl)];
    assert.equal(await whereReadsGo(plain, plainFollower, PROOF_MS), 'replica');
  });
});
