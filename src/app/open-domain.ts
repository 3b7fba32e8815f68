import { randomUUID } from 'node:crypto';
import { REACHABLE } from '../../demo/credentials.ts';
import { createCallbackHttp } from '../adapters/callback-http/index.ts';
import { reportMissingKeys } from '../features/callbacks/index.ts';
import { openChance } from '../platform/chance/open-chance.ts';
import { movableClock, realClock } from '../platform/clock/clock.ts';
import { ConfigError, type Settings } from '../platform/config/settings.ts';
import { type Ctx, NO_REQUEST } from '../platform/context/context.ts';
import { openSecretBox } from '../platform/crypto/secret-box.ts';
import { type Database, openDatabase } from '../platform/db/db.ts';
import { openNotificationFeed } from '../platform/db/listen.ts';
import type { FleetSection } from '../platform/fleet-document/section.ts';
import { createHealth, type Health } from '../platform/health/health.ts';
import { joinNodes } from '../platform/health/nodes.ts';
import { WorkerWatch } from '../platform/sharding/index.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { CHANNELS } from './compose/compose.ts';
import { loadDemoFleet, loadFleetFile } from './load-demo.ts';
import { chanceLater, feedLater, nodesLater } from './opened-later.ts';
import { openReplica } from './replica.ts';
import { fleetSectionsWith } from './sections.ts';
import { isSharded, OWN_TABLES } from './sharding.ts';
import type { Shutdown } from './shutdown.ts';
import { openMovableClock } from './starting-clock.ts';
import { readOrMakeOperatorKey, readOrMakeSecretKey } from './stored-keys.ts';

/** The place of the data and the state of the start. */
export interface DomainGround {
  readonly databaseUrl: string;
  /** No other process uses the database. */
  readonly alone: boolean;
}

/** Options for opening the database, which happens once. */
export interface Opening {
  readonly settings: Settings;
  /** The time to set the sandbox's clock to; default: its last time. */
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

/** Creates the connection pools, which connect on first use. */
async function reachDatabase(
  settings: Settings,
  { log, health, onError }: { readonly log: Log; readonly health: Health; onError(error: unknown): void },
  shutdown: Shutdown,
  { databaseUrl }: DomainGround,
) {
  const directUrl = settings.databaseDirectUrl ?? databaseUrl;
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
  return { directUrl, db, replica };
}

/**
 * The shared dependencies of the service: database, clock, fleet sections and connections. Nothing queries an embedded
 * database before `open`, which is called once; an outside one has the tables of this version already.
 */
export async function prepareDomain(settings: Settings, log: Log, shutdown: Shutdown, ground: DomainGround) {
  const onError = (error: unknown) => log.error({ err: error }, 'background failure');
  const health = createHealth();
  const secrets = await openSecrets(settings);
  const operatorKey = settings.operatorKey ?? (await readOrMakeOperatorKey(settings.dataDir));
  const { directUrl, db, replica } = await reachDatabase(
    settings,
    { log, health, onError },
    shutdown,
    ground,
  );
  const nodes = nodesLater();
  shutdown.add('list of nodes', nodes.face.stop);
  const movable = settings.sandbox ? movableClock() : undefined;
  const clock = movable ?? realClock;
  const chance = chanceLater(settings.seed);
  const ctx: Ctx = {
    ...{ db, clock, now: clock.now, newId: chance.face.newId, chance: chance.face, log, secrets },
    hashCost: settings.passwordCost,
    requestId: NO_REQUEST,
    actor: { kind: 'system', name: 'service' },
  };
  const callbackHttp = createCallbackHttp({ allow: settings.callbackAllow, log });
  shutdown.add('connections to listeners', callbackHttp.close);
  const fleetSections = fleetSectionsWith(callbackHttp.checkAddressText);
  const feed = feedLater();
  shutdown.add('notification feed', feed.face.close);

  async function open({ settings: { role, seed, isReachable }, settings: opened, standsAt }: Opening) {
    const { alone } = ground;
    // Its separate connection opens in parallel. Without notifications, each process polls.
    const loop = health.loop('listen', { vital: false });
    const listening = openNotificationFeed(directUrl, CHANNELS, loop);
    feed.open(listening);
    nodes.open(await joinNodes(db, { nodeId: randomUUID(), role, log, health, alone }));
    // After joining, no other process moves the clock.
    const letClockRun = movable && (await openMovableClock(movable, db, opened, standsAt));
    chance.open(await openChance(db, seed));
    if (chance.face.repeats && isReachable)
      log.warn(
        'all tokens follow from the seed, and others can reach this address: keep real data out of it',
      );
    await reportMissingKeys(ctx);
    const filled = fill(ctx, fleetSections, opened);
    // The callers that wait for it get the error.
    filled.catch(() => {});
    await listening;
    return {
      letClockRun,
      /** Resolves when the sandbox's first fleet is loaded. */
      filled,
    };
  }

  const faces = { nodes: nodes.face, feed: feed.face };
  const parts = { ctx, db, replica, health, operatorKey, callbackHttp, fleetSections };
  return { ...parts, ...faces, movableClock: movable, open };
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

async function loadDemo(ctx: Ctx, sections: readonly FleetSection[], { prefix, isReachable }: Settings) {
  if (await loadDemoFleet(ctx, sections, prefix)) ctx.log.info('loaded the demo fleet');
  if (isReachable) ctx.log.warn(REACHABLE.join(': '));
}
