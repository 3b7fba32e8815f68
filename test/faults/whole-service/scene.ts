import { setTimeout as sleep } from 'node:timers/promises';
import { generateSecretKey } from '../../../src/platform/crypto/secret-box.ts';
import { type KillableServer, startKillableServer } from '../../support/killable-server.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import { makeDataDir, removeDataDir } from '../../support/service-process.ts';
import { OPERATOR_KEY } from '../../support/world.ts';
import { type DatabaseProxy, openDatabaseProxy } from './database-proxy.ts';
import { type DomainClock, watchClock } from './domain-clock.ts';
import { type MoodyListeners, openMoodyListeners } from './moody-listeners.ts';
import { type OutsideClient, openOutsideClient } from './outside-client.ts';
import { type KeptProcess, keepProcess, type Role } from './processes.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';
import { fleetOf, HOPELESS, laneOf, TENANTS } from './tenants.ts';

export interface Scene {
  readonly database: KillableServer;
  readonly proxy: DatabaseProxy;
  /** Or why the folder of the database cannot be filled up. */
  readonly disk: SmallDisk | string;
  readonly listeners: MoodyListeners;
  readonly client: OutsideClient;
  readonly clock: DomainClock;
  readonly processes: readonly KeptProcess[];
  /** What must never happen and did. */
  readonly surprises: string[];
  /** How often the database said that its disk is full. */
  fullDisks(): number;
  /** These processes instead of those that are there, which get the signal. */
  staff(roles: readonly Role[], signal: 'SIGTERM' | 'SIGKILL'): Promise<(number | null)[]>;
  close(): Promise<void>;
}

/** Domain time begins on the tenth of the month after next, at noon: no cycle ends while the scene is played. */
const beginning = () => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 10, 12));
};
/** The log is kept small, because it lies on the small disk. */
const SETTINGS = { max_wal_size: '96MB', min_wal_size: '32MB', max_connections: '120' };
const READY_EVERY_MS = 50;

/** A database that can be broken, listeners that misbehave, and processes of the service between them. */
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
    DATABASE_URL: proxy.url,
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

  const staff: Scene['staff'] = async (roles, signal) => {
    const codes = await Promise.all(processes.map((process) => process.stop(signal)));
    processes = roles.map((role) => keepProcess(role, dataDir, env, onSurprise));
    while (processes.some(({ url }) => url() === undefined)) await sleep(READY_EVERY_MS);
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
    fullDisks: () => fullDisks,
    staff,
    async close() {
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
