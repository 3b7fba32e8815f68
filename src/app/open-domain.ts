import { randomUUID } from 'node:crypto';
import { createCallbackHttp } from '../adapters/callback-http/index.ts';
import { reportMissingKeys } from '../features/callbacks/index.ts';
import { openChance } from '../platform/chance/open-chance.ts';
import { realClock } from '../platform/clock/clock.ts';
import { ConfigError, type Settings } from '../platform/config/settings.ts';
import { type Ctx, NO_REQUEST } from '../platform/context/context.ts';
import { openSecretBox } from '../platform/crypto/secret-box.ts';
import { type Database, openDatabase } from '../platform/db/db.ts';
import { openNotificationFeed } from '../platform/db/listen.ts';
import { migrate } from '../platform/db/migrate.ts';
import type { FleetSection } from '../platform/fleet-document/section.ts';
import { createHealth, type Health } from '../platform/health/health.ts';
import { joinNodes } from '../platform/health/nodes.ts';
import { WorkerWatch } from '../platform/sharding/index.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { CHANNELS } from './compose.ts';
import { loadDemoFleet, loadFleetFile } from './load-demo.ts';
import { readOwnMigrations } from './own-migrations.ts';
import { openReplica } from './replica.ts';
import { fleetSectionsWith } from './sections.ts';
import { isSharded, OWN_TABLES } from './sharding.ts';
import type { Shutdown } from './shutdown.ts';
import { openMovableClock } from './starting-clock.ts';
import { ensureDataDir, readOrMakeOperatorKey, readOrMakeSecretKey } from './stored-keys.ts';

const LOOPBACK = /^(127\.|localhost$|::1$)/;

/** Where the data are, and how the start goes. */
export interface DomainGround {
  readonly databaseUrl: string;
  /** No other process uses the database. */
  readonly alone: boolean;
  readonly stopping: AbortSignal;
  /** Its tables are known to be those of this version. */
  readonly isMigrated?: boolean;
  /** Where the sandbox's clock is put, if not where it was left. */
  readonly standsAt?: Date | undefined;
}

async function openSecrets({ secretKey, dataDir, seed }: Settings) {
  const key = secretKey ?? (await readOrMakeSecretKey(dataDir));
  try {
    return openSecretBox(key, seed);
  } catch (error) {
    throw new ConfigError(`LINEKEEPER_SECRET_KEY cannot be used: ${(error as Error).message}.`);
  }
}

/** All that the parts of the service are made of: database, clock, fleet sections and the connections to others. */
export async function openDomain(
  settings: Settings,
  log: Log,
  shutdown: Shutdown,
  { databaseUrl, alone, stopping, standsAt, isMigrated = false }: DomainGround,
) {
  const onError = (error: unknown) => log.error({ err: error }, 'background failure');
  const health = createHealth();
  if (settings.sandbox) await ensureDataDir(settings.dataDir);
  const secrets = await openSecrets(settings);
  const operatorKey = settings.operatorKey ?? (await readOrMakeOperatorKey(settings.dataDir));
  const directUrl = settings.databaseDirectUrl ?? databaseUrl;
  const migrated = isMigrated ? [] : await migrate(directUrl, await readOwnMigrations(), { log });
  if (migrated.length > 0)
    log.info({ from: migrated[0], to: migrated.at(-1) }, 'database schema brought up to date');
  stopping.throwIfAborted();

  const sharded = settings.databaseUrl !== undefined && (await isSharded(directUrl));
  const workers = new WorkerWatch();
  const db = openDatabase(databaseUrl, {
    connections: settings.databaseConnections,
    directUrl: settings.databaseDirectUrl,
    applicationName: `linekeeper-${settings.role}`,
    distribution: sharded ? { servers: workers.servers, ownTables: OWN_TABLES } : undefined,
    onError,
  });
  shutdown.add('connections to the database', db.close);
  if (sharded) await watchWorkers(workers, { db, health, log }, shutdown);
  const replica = await openReplica(settings, db, onError, health);
  if (replica !== undefined) shutdown.add('connections to the replica', replica.close);
  const nodes = await joinNodes(db, { nodeId: randomUUID(), role: settings.role, log, health, alone });
  shutdown.add('list of nodes', nodes.stop);
  // After joining: from then on no other process moves the clock.
  const starting = settings.sandbox ? await openMovableClock(db, settings, standsAt) : undefined;
  const clock = starting?.clock ?? realClock;
  const chance = await openChance(db, settings.seed);
  if (chance.repeats && !LOOPBACK.test(settings.host))
    log.warn('all tokens follow from the seed, and others can reach this address: keep real data out of it');
  const ctx: Ctx = {
    ...{ db, clock, now: clock.now, newId: chance.newId, chance, log, secrets },
    hashCost: settings.passwordCost,
    requestId: NO_REQUEST,
    actor: { kind: 'system', name: 'service' },
  };
  await reportMissingKeys(ctx);
  const callbackHttp = createCallbackHttp({ allow: settings.callbackAllow, log });
  shutdown.add('connections to listeners', callbackHttp.close);
  const fleetSections = fleetSectionsWith(callbackHttp.checkAddressText);
  const filled = fill(ctx, fleetSections, settings);
  // Whoever waits for it hears of a failure.
  filled.catch(() => {});
  // Without notifications each process polls.
  const feed = await openNotificationFeed(directUrl, CHANNELS, health.loop('listen', { vital: false }));
  shutdown.add('notification feed', feed.close);
  return {
    ctx,
    db,
    replica,
    nodes,
    health,
    movableClock: starting?.clock,
    letClockRun: starting?.letRun,
    operatorKey,
    callbackHttp,
    fleetSections,
    feed,
    /** Resolves when the fleet is there that the sandbox starts with. */
    filled,
  };
}

async function watchWorkers(
  workers: WorkerWatch,
  { db, health, log }: { readonly db: Database; readonly health: Health; readonly log: Log },
  shutdown: Shutdown,
): Promise<void> {
  await workers.start({ db, loop: health.loop('workers.check', { vital: false }), log });
  shutdown.add('check of workers', workers.stop);
  health.addNotice('database workers', () =>
    db.servers.list().flatMap(({ name, answers }) => (answers ? [] : [`${name} does not answer`])),
  );
}

async function fill(ctx: Ctx, sections: readonly FleetSection[], settings: Settings): Promise<void> {
  if (settings.demo) await loadDemo(ctx, sections, settings);
  if (settings.fleet !== undefined) await loadFleetFile(ctx, sections, settings.fleet);
}

async function loadDemo(ctx: Ctx, sections: readonly FleetSection[], { prefix, host }: Settings) {
  if (await loadDemoFleet(ctx, sections, prefix)) ctx.log.info('loaded the demo fleet');
  if (!LOOPBACK.test(host))
    ctx.log.warn(
      'the demo fleet has published passwords, and others can reach this address: LINEKEEPER_DEMO=off starts without it',
    );
}
