import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { demoBanner } from '../../demo/credentials.ts';
import { createCallbackHttp } from '../adapters/callback-http/index.ts';
import { createSimulatedNetwork } from '../adapters/simulated-network/index.ts';
import { reportMissingKeys } from '../features/callbacks/index.ts';
import { movableClock, realClock } from '../platform/clock/clock.ts';
import { findSavedClock, saveClock } from '../platform/clock/clock-row.ts';
import { ConfigError, type Settings } from '../platform/config/settings.ts';
import { type Ctx, NO_REQUEST } from '../platform/context/context.ts';
import { openSecretBox } from '../platform/crypto/secret-box.ts';
import { type Database, openDatabase } from '../platform/db/db.ts';
import { openNotificationFeed } from '../platform/db/listen.ts';
import { migrate, readMigrations } from '../platform/db/migrate.ts';
import { sql } from '../platform/db/sql.ts';
import type { FleetSection } from '../platform/fleet-document/section.ts';
import { createHealth, type Health } from '../platform/health/health.ts';
import { joinNodes } from '../platform/health/nodes.ts';
import { WorkerWatch } from '../platform/sharding/index.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { openTracing } from '../platform/telemetry/tracing/open-tracing.ts';
import { checkCertificate } from './check-certificate.ts';
import { CHANNELS, compose, type Parts } from './compose.ts';
import { openEmbeddedDatabase } from './embedded-database.ts';
import { hasDemoFleet, loadDemoFleet, loadFleetFile } from './load-demo.ts';
import { measureConnections, measureNotifications } from './metrics.ts';
import { openNotificationSenders } from './notification-senders.ts';
import { openReplica } from './replica.ts';
import { fleetSectionsWith } from './sections.ts';
import { isSharded, OWN_TABLES } from './sharding.ts';
import { Shutdown } from './shutdown.ts';
import { hostSimulator } from './simulator.ts';
import { ensureDataDir, readOrMakeOperatorKey, readOrMakeSecretKey } from './stored-keys.ts';
import { VERSION } from './version.ts';

export interface Service {
  readonly url: string;
  /** What a person needs who has just started it: empty unless the demo fleet is there. */
  readonly banner: string;
  readonly operatorKey: string;
  stop(): Promise<void>;
}

const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));
const LOOPBACK = /^(127\.|localhost$|::1$)/;
/** What is in flight may finish within this; then it is handed back. */
const GRACE_MS = 10_000;
/** A database that is told to stop writes all that it still has in memory. */
const EMBEDDED_STOP_MS = 60_000;

/**
 * `stopping` ends a start that is under way, which then fails. The embedded server is waited for, so that none is left
 * behind; everything else is not, be it a migration, an import or a database that does not answer: its connections are
 * closed, and what was not committed is undone by that.
 */
export async function startService(settings: Settings, log: Log, stopping: AbortSignal): Promise<Service> {
  const shutdown = new Shutdown(log);
  try {
    const ground = await openGround(settings, log, shutdown, stopping);
    return await untilAborted(stopping, () => start(settings, log, shutdown, { ...ground, stopping }));
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}

function untilAborted<T>(signal: AbortSignal, begin: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const work = begin();
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  // What it runs into when its connections are closed is of no interest to anybody.
  work.catch(() => {});
  return Promise.race([work, promise]);
}

/** What the rest of the start stands on. */
async function openGround(settings: Settings, log: Log, shutdown: Shutdown, stopping: AbortSignal) {
  stopping.throwIfAborted();
  checkCertificate(settings.tls);
  const tracing = await openTracing(process.env, log, VERSION);
  shutdown.add('traces', tracing.close);
  if (settings.databaseUrl !== undefined) return { tracing, databaseUrl: settings.databaseUrl, alone: false };
  const embedded = await openEmbeddedDatabase(settings.dataDir, log, stopping);
  shutdown.add('embedded database', embedded.stop, EMBEDDED_STOP_MS);
  return { tracing, databaseUrl: embedded.url, alone: true };
}
type Ground = Awaited<ReturnType<typeof openGround>> & { readonly stopping: AbortSignal };

async function openSecrets({ secretKey, dataDir }: Settings) {
  const key = secretKey ?? (await readOrMakeSecretKey(dataDir));
  try {
    return openSecretBox(key);
  } catch (error) {
    throw new ConfigError(`LINEKEEPER_SECRET_KEY cannot be used: ${(error as Error).message}.`);
  }
}

/** All that the parts of the service are made of: database, clock, fleet sections and the connections to others. */
async function openDomain(
  settings: Settings,
  log: Log,
  shutdown: Shutdown,
  { databaseUrl, alone, stopping }: Ground,
) {
  const onError = (error: unknown) => log.error({ err: error }, 'background failure');
  const health = createHealth();
  if (settings.sandbox) await ensureDataDir(settings.dataDir);
  const secrets = await openSecrets(settings);
  const operatorKey = settings.operatorKey ?? (await readOrMakeOperatorKey(settings.dataDir));
  const directUrl = settings.databaseDirectUrl ?? databaseUrl;
  const migrated = await migrate(directUrl, await readMigrations(MIGRATIONS), { log });
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
  const movable = settings.sandbox ? await openMovableClock(db, settings) : undefined;
  const clock = movable ?? realClock;
  const ctx: Ctx = {
    ...{ db, clock, now: clock.now, newId: randomUUID, log, secrets, hashCost: settings.passwordCost },
    requestId: NO_REQUEST,
    actor: { kind: 'system', name: 'service' },
  };
  await reportMissingKeys(ctx);
  const callbackHttp = createCallbackHttp({ allow: settings.callbackAllow, log });
  shutdown.add('connections to listeners', callbackHttp.close);
  const fleetSections = fleetSectionsWith(callbackHttp.checkAddressText);
  if (settings.demo) await loadDemo(ctx, fleetSections, settings);
  if (settings.fleet !== undefined) await loadFleetFile(ctx, fleetSections, settings.fleet);
  stopping.throwIfAborted();
  // Without notifications each process polls.
  const feed = await openNotificationFeed(directUrl, CHANNELS, health.loop('listen', { vital: false }));
  shutdown.add('notification feed', feed.close);
  return {
    ctx,
    db,
    replica,
    nodes,
    health,
    movableClock: movable,
    operatorKey,
    callbackHttp,
    fleetSections,
    feed,
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

async function openMovableClock(db: Database, { role, now }: Settings) {
  if (now !== undefined) await startClockAt(db, now);
  const { destination, ...saved } = await findSavedClock(db);
  // Only who also works what falls due on the way can go on with a move that was interrupted.
  return movableClock({ ...saved, ...(role === 'all' && { destination }) });
}

/** Where nothing has happened yet, at any time; elsewhere a later one is moved to when all is ready for it. */
async function startClockAt(db: Database, now: Date): Promise<void> {
  const saved = await findSavedClock(db);
  const used =
    (await db.maybe(sql`select 1 from profile limit 1`)) ?? (await db.maybe(sql`select 1 from job limit 1`));
  const stands = movableClock(saved).now();
  if (used === undefined) await saveClock(db, { ...saved, offsetMs: now.getTime() - Date.now() });
  else if (now < stands)
    throw new ConfigError(
      `LINEKEEPER_NOW is ${now.toISOString()}, and the clock of this database stands at ${stands.toISOString()}: an earlier time needs an empty data folder.`,
    );
}

async function loadDemo(ctx: Ctx, sections: readonly FleetSection[], { prefix, host }: Settings) {
  if (await loadDemoFleet(ctx, sections, prefix)) ctx.log.info('loaded the demo fleet');
  if (!LOOPBACK.test(host))
    ctx.log.warn(
      'the demo fleet has published passwords, and others can reach this address: LINEKEEPER_DEMO=off starts without it',
    );
}

async function start(settings: Settings, log: Log, shutdown: Shutdown, ground: Ground): Promise<Service> {
  const { tracing, stopping } = ground;
  const { db, fleetSections, ...domain } = await openDomain(settings, log, shutdown, ground);
  const { ctx } = domain;
  const simulator = settings.sandbox && settings.role === 'all' ? hostSimulator(ctx, settings) : undefined;
  const senders = openNotificationSenders(settings);
  shutdown.add('mail and SMS', senders.close);
  const positionSource = settings.sandbox ? createSimulatedNetwork(ctx) : undefined;
  const parts = await compose({ ...domain, settings, positionSource, ways: senders, simulator, tracing });
  stopping.throwIfAborted();
  shutdown.add('uses of sessions', parts.stop);
  measureConnections(parts.metrics, db);
  if (settings.role !== 'api') await startWorkers(ctx, parts, shutdown, senders.missing);
  shutdown.addWorker('requests', () => closeWithin(parts.api, GRACE_MS));
  const address = await parts.api.listen({ host: settings.host, port: settings.port });
  const url = `${address.replace('[::]', '[::1]').replace('0.0.0.0', '127.0.0.1')}${settings.basePath}`;
  stopping.throwIfAborted();
  if (simulator !== undefined) {
    shutdown.addWorker('living fleet', simulator.stop);
    await simulator.begin(url);
  }
  if (settings.sandbox) await announce(settings.dataDir, url, shutdown);
  if (settings.role === 'all') await moveOn(parts, ctx, settings.now);
  const banner =
    settings.demo && (await hasDemoFleet(ctx, fleetSections))
      ? demoBanner({
          url,
          sessionHeader: `${settings.prefix}-M2M-Token`,
          dataDir: settings.dataDir,
          operatorKeyGiven: settings.operatorKey !== undefined,
        })
      : '';
  return { url, banner, operatorKey: domain.operatorKey, stop: () => shutdown.run() };
}

/** Through everything that falls due until then, as any move. */
async function moveOn({ mover }: Parts, { clock }: Ctx, now: Date | undefined): Promise<void> {
  await mover?.resume();
  if (mover === undefined || now === undefined) return;
  await mover.current()?.done;
  if (now > clock.now()) await mover.moveTo(now).done;
}

async function startWorkers(
  ctx: Ctx,
  { metrics, engine, delivery, notifier, watcher, dueWork, mover }: Parts,
  shutdown: Shutdown,
  missingSettings: readonly string[],
): Promise<void> {
  metrics.measureJobs(engine, () => engine.countUnfinished(ctx.now()));
  await engine.start();
  shutdown.addWorker('jobs', () => engine.stop(GRACE_MS));
  delivery.start();
  shutdown.addWorker('callbacks', delivery.stop);
  for (const setting of missingSettings)
    ctx.log.warn({ setting }, 'not set: notifications that need it are recorded as failed');
  measureNotifications(metrics, notifier);
  notifier.start();
  shutdown.addWorker('notifications', () => notifier.stop(GRACE_MS));
  watcher.start();
  shutdown.addWorker('smart alerts', watcher.stop);
  dueWork.start();
  shutdown.addWorker('due work', dueWork.stop);
  shutdown.addWorker('clock', async () => mover?.stop());
}

/** A connection that is still busy after the grace time is cut: a stop must come to its end. */
async function closeWithin(api: FastifyInstance, graceMs: number): Promise<void> {
  const patience = setTimeout(() => api.server.closeAllConnections(), graceMs);
  await api.close();
  clearTimeout(patience);
}

/** Where a command line started in the same checkout finds the service. */
async function announce(dataDir: string, url: string, shutdown: Shutdown): Promise<void> {
  const file = join(dataDir, 'service.json');
  await writeFile(file, `${JSON.stringify({ url, pid: process.pid })}\n`);
  shutdown.addWorker('announcement', () => rm(file, { force: true }));
}
