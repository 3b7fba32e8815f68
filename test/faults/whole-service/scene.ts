import { setTimeout as sleep } from 'node:timers/promises';
import { generateSecretKey } from '../../../src/platform/crypto/secret-box.ts';
import { type KillableServer, startKillableServer } from '../../support/killable-server.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import { makeDataDir, removeDataDir } from '../../support/service-process.ts';
import { OPERATOR_KEY } from '../../support/world.ts';
import { type DatabaseProxy, openDatabaseProxy } from './database-proxy.ts';
import { type DomainClock, watchClock } from './domain-clock.ts';
import { type Interruptions, openInterruptions } from './interruptions.ts';
import { type MoodyListeners, openMoodyListeners } from './moody-listeners.ts';
import { type OutsideClient, openOutsideClient } from './outside-client.ts';
import { type KeptProcess, keepProcess, type Role } from './processes.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';
import { fleetOf, HOPELESS, laneOf, TENANTS } from './tenants.ts';

export interface Scene {
  readonly database: KillableServer;
  readonly proxy: DatabaseProxy;
  /** The small disk, or the reason why the folder of the database cannot be filled. */
  readonly disk: SmallDisk | string;
  readonly listeners: MoodyListeners;
  readonly client: OutsideClient;
  readonly clock: DomainClock;
  readonly processes: readonly KeptProcess[];
  /** Events that must never happen but did. */
  readonly surprises: string[];
  /** Aborted by `end`. */
  readonly over: AbortSignal;
  readonly interruptions: Interruptions;
  /** How often the database reported a full disk. */
  fullDisks(): number;
  /** Stops the running processes with the signal, and starts one for each of these roles. */
  staff(roles: readonly Role[], signal: 'SIGTERM' | 'SIGKILL'): Promise<(number | null)[]>;
  /** Begins nothing more; everything that waits for a response fails. */
  end(): void;
  close(): Promise<void>;
}

/** Domain time begins at noon on the day before the last one of the month after next: no cycle ends in the first hours. */
const beginning = () => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 3, -1, 12));
};
/** When the service gives up an unanswered statement; by default it would wait for longer than an act lasts. */
export const GIVEN_UP_MS = 5_000;
const LIMITS = {
  query_timeout: GIVEN_UP_MS,
  statement_timeout: GIVEN_UP_MS - 1_000,
  idle_in_transaction_session_timeout: GIVEN_UP_MS - 1_000,
};
const limited = (databaseUrl: string): string => {
  const url = new URL(databaseUrl);
  for (const [name, ms] of Object.entries(LIMITS)) url.searchParams.set(name, String(ms));
  return url.href;
};
/** Keeps the write-ahead log small, because it is on the small disk. */
const SETTINGS = { max_wal_size: '96MB', min_wal_size: '32MB', max_connections: '120' };
const READY_EVERY_MS = 50;

/** A database that can be broken, listeners that misbehave, and between them processes of the service. */
export async function openScene(random: SeededRandom, usesAllowed: number): Promise<Scene> {
  const dataDir = makeDataDir();
  const databaseDir = makeDataDir();
  const disk = mountSmallDisk(databaseDir);
  const surprises: string[] = [];
  let fullDisks = 0;
  const database = await startKillableServer({
    dataDir: databaseDir,
    settings: SETTINGS,
    log: (line) => {
      if (line.includes('No space left on device')) fullDisks++;
    },
  });
  const proxy = await openDatabaseProxy(database.url, random.fork('proxy'));
  const listeners = await openMoodyListeners();
  const env = {
    DATABASE_URL: limited(proxy.url),
    LINEKEEPER_MODE: 'sandbox',
    LINEKEEPER_SECRET_KEY: generateSecretKey(),
    LINEKEEPER_OPERATOR_KEY: OPERATOR_KEY,
    LINEKEEPER_LOGIN_RATE: '0',
    LINEKEEPER_ADVANCE_WAIT_SECONDS: '2',
    LINEKEEPER_LOG_LEVEL: 'warn',
  };
  let processes: KeptProcess[] = [];
  const onSurprise = (what: string) => void surprises.push(what);
  const serving = () => processes.filter(({ role }) => role !== 'worker').flatMap(({ url }) => url() ?? []);
  const client = openOutsideClient(serving, onSurprise);
  const clock = watchClock(client);
  const over = new AbortController();
  const interruptions = openInterruptions();

  const staff: Scene['staff'] = async (roles, signal) => {
    const stopped = processes;
    const codes = await interruptions.during(0, () =>
      Promise.all(stopped.map((process) => process.stop(signal))),
    );
    over.signal.throwIfAborted();
    processes = roles.map((role) => keepProcess(role, dataDir, env, onSurprise));
    while (processes.some(({ url }) => url() === undefined))
      await sleep(READY_EVERY_MS, undefined, { signal: over.signal });
    return codes;
  };
  for (const tenant of TENANTS) listeners.setMood(laneOf(tenant, HOPELESS), 'refuses');
  await staff(['all'], 'SIGTERM');
  await clock.moveTo(beginning());
  const fleet = fleetOf(usesAllowed, listeners.urlOf);
  const imported = await client.operator({ method: 'POST', path: '/operator/v1/import', body: fleet });
  if (imported.status !== 200) throw new Error(`the fleet was refused: ${imported.text}`);
  return {
    database,
    proxy,
    disk,
    listeners,
    client,
    clock,
    get processes() {
      return processes;
    },
    surprises,
    over: over.signal,
    interruptions,
    fullDisks: () => fullDisks,
    staff,
    end() {
      over.abort();
      client.giveUp();
      // Kills them now, because `staff` may still wait for one of them to end.
      for (const process of processes) void process.stop('SIGKILL');
    },
    async close() {
      interruptions.close();
      await Promise.all(processes.map((process) => process.stop('SIGKILL')));
      listeners.close();
      await proxy.close();
      await database.stop();
      if (typeof disk !== 'string') disk.unmount();
      removeDataDir(databaseDir);
      removeDataDir(dataDir);
    },
  };
}
