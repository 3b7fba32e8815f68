import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { usableBinaries } from '../../embedded-postgres/binaries.ts';
import { lockDataDir, startEmbeddedPostgres } from '../../embedded-postgres/index.ts';
import { launchServer } from '../../embedded-postgres/server-process.ts';
import { ownerOfCluster } from '../../embedded-postgres/server-user.ts';
import { migrate, readMigrations } from '../../src/platform/db/migrate.ts';
import { freePort } from './free-port.ts';
import { makeDataDir, removeDataDir } from './service-process.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));
const READY_MS = 30_000;
const SETTINGS = { fsync: 'off', full_page_writes: 'off', shared_buffers: '32MB' };

export interface ReplicatedServer {
  readonly url: string;
  readonly replicaUrl: string;
  /** Pauses or resumes the replay on the replica: it still receives changes, but does not show them. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  killReplica(): Promise<void>;
  /** Promotes a copy that has missed everything since the start, as a failover does: a primary of the next timeline. */
  promoteOldCopy(): Promise<string>;
  /** Another copy, a replica of the promoted one. */
  followOldCopy(): Promise<string>;
  stop(): Promise<void>;
}

async function ask(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function untilAnswers(url: string, explain: () => string): Promise<void> {
  for (const until = Date.now() + READY_MS; ; await sleep(50)) {
    try {
      return void (await ask(url, 'select 1'));
    } catch (error) {
      if (Date.now() > until) throw new Error(`the replica does not answer:\n${explain()}`, { cause: error });
    }
  }
}

/** A migrated PostgreSQL server and a streaming replica, made by copying its files while it was down. */
export async function startReplicatedServer(): Promise<ReplicatedServer> {
  const dataDir = makeDataDir();
  // The server's user needs access to the folder when this runs as root.
  chmodSync(dataDir, 0o755);
  const lock = await lockDataDir(dataDir);
  const first = await startEmbeddedPostgres({ dataDir, settings: SETTINGS });
  await migrate(first.url, await readMigrations(MIGRATIONS));
  await first.stop();
  const { clusterDir } = first;
  const copyDir = `${clusterDir}-replica`;
  const [oldCopyDir, followerDir] = [`${clusterDir}-old`, `${clusterDir}-follower`];
  for (const copy of [copyDir, oldCopyDir]) {
    execFileSync('cp', ['-a', clusterDir, copy]);
    writeFileSync(join(copy, 'standby.signal'), '');
  }

  const primary = await startEmbeddedPostgres({ dataDir, settings: SETTINGS });
  const user = await ownerOfCluster(clusterDir);
  const binaries = await usableBinaries(user, join(clusterDir, '..'), () => {});
  const launchCopy = async (folder: string, more: Record<string, string>) => {
    const at = new URL(primary.url);
    at.port = String(await freePort());
    const settings = {
      ...SETTINGS,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      port: at.port,
    };
    const server = await launchServer(binaries, folder, user, { ...settings, ...more }, () => {});
    await untilAnswers(at.href, () => server.lastLines().join('\n'));
    return { server, url: at.href };
  };
  const replicaOf = (url: string) => {
    const { port, username, password } = new URL(url);
    const primary_conninfo = `host=127.0.0.1 port=${port} user=${username} password=${decodeURIComponent(password)}`;
    return { primary_conninfo };
  };
  const { server: replica, url: replicaUrl } = await launchCopy(copyDir, replicaOf(primary.url));
  let promoted: Awaited<ReturnType<typeof launchCopy>> | undefined;
  let follower: typeof promoted;
  return {
    url: primary.url,
    replicaUrl,
    async pauseReplay() {
      await ask(replicaUrl, 'select pg_wal_replay_pause()');
      // It takes effect with the next record that would be replayed.
      while ((await ask(replicaUrl, "select where pg_get_wal_replay_pause_state() = 'paused'")).length === 0)
        await sleep(20);
    },
    resumeReplay: async () => void (await ask(replicaUrl, 'select pg_wal_replay_resume()')),
    async killReplica() {
      process.kill(replica.pid, 'SIGQUIT');
      await replica.exited;
    },
    async promoteOldCopy() {
      execFileSync('cp', ['-a', oldCopyDir, followerDir]);
      promoted = await launchCopy(oldCopyDir, {});
      await ask(promoted.url, 'select pg_promote()');
      return promoted.url;
    },
    async followOldCopy() {
      if (promoted === undefined) throw new Error('nothing was promoted yet');
      follower = await launchCopy(followerDir, replicaOf(promoted.url));
      return follower.url;
    },
    async stop() {
      await follower?.server.stop();
      await promoted?.server.stop();
      await replica.stop();
      await primary.stop();
      await lock.release();
      removeDataDir(dataDir);
    },
  };
}
