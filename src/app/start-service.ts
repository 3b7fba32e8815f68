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
import { readSavedClock } from '../platform/clock/clock-row.ts';
import { ConfigError, type Settings } from '../platform/config/settings.ts';
import { type Ctx, NO_REQUEST } from '../platform/context/context.ts';
import { openSecretBox } from '../platform/crypto/secret-box.ts';
import { openDatabase } from '../platform/db/db.ts';
import { openNotificationFeed } from '../platform/db/listen.ts';
import { migrate, readMigrations } from '../platform/db/migrate.ts';
import { createHealth } from '../platform/health/health.ts';
import { joinNodes } from '../platform/health/nodes.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { openTracing } from '../platform/telemetry/tracing/open-tracing.ts';
import { checkCertificate } from './check-certificate.ts';
import { CHANNELS, compose } from './compose.ts';
import { openEmbeddedDatabase } from './embedded-database.ts';
import { hasDemoFleet, loadDemoFleet } from './load-demo.ts';
import { openReplica } from './replica.ts';
import { fleetSectionsWith } from './sections.ts';
import { isSharded } from './sharding.ts';
import { hostSimulator } from './simulator/simulator.ts';
import { ensureDataDir, readOrMakeOperatorKey, readOrMakeSecretKey } from './stored-keys.ts';
import { Unwinding } from './unwinding.ts';
import { VERSION } from './version.ts';
import { watchNotifications } from './watch-notifications.ts';
import { openWaysOut } from './ways-out.ts';

export interface Service {
  readonly url: string;
  /** What a person needs who has just started it: empty unless the demo fleet is there. */
  readonly banner: string;
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
  const unwinding = new Unwinding(log);
  try {
    const ground = await openGround(settings, log, unwinding, stopping);
    return await untilAborted(stopping, () => start(settings, log, unwinding, { ...ground, stopping }));
  } catch (error) {
    await unwinding.run();
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
async function openGround(settings: Settings, log: Log, unwinding: Unwinding, stopping: AbortSignal) {
  stopping.throwIfAborted();
  checkCertificate(settings.tls);
  const tracing = await openTracing(process.env, log, VERSION);
  unwinding.add('traces', tracing.close);
  if (settings.databaseUrl !== undefined) return { tracing, databaseUrl: settings.databaseUrl, alone: false };
  const embedded = await openEmbeddedDatabase(settings.dataDir, log, stopping);
  unwinding.add('embedded database', embedded.stop, EMBEDDED_STOP_MS);
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

async function start(
  settings: Settings,
  log: Log,
  unwinding: Unwinding,
  { tracing, databaseUrl, alone, stopping }: Ground,
): Promise<Service> {
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

  const db = openDatabase(databaseUrl, {
    connections: settings.databaseConnections,
    directUrl: settings.databaseDirectUrl,
    applicationName: `linekeeper-${settings.role}`,
    sharded: settings.databaseUrl !== undefined && (await isSharded(directUrl)),
    onError,
  });
  unwinding.add('connections to the database', db.close);
  const replica = await openReplica(settings, db, onError, health);
  if (replica !== undefined) unwinding.add('connections to the replica', replica.close);
  const nodes = await joinNodes(db, {
    nodeId: randomUUID(),
    role: settings.role,
    log,
    health,
    alone,
  });
  unwinding.add('list of nodes', nodes.stop);
  // After joining: from then on no other process moves the clock.
  const { destination, ...saved } = await readSavedClock(db);
  // Only who also works what falls due on the way can go on with a move that was interrupted.
  const goesOn = settings.role === 'all' ? { destination } : {};
  const movable = settings.sandbox ? movableClock({ ...saved, ...goesOn }) : undefined;
  const clock = movable ?? realClock;
  const ctx: Ctx = {
    ...{ db, clock, now: clock.now, newId: randomUUID, log, secrets, hashCost: settings.passwordCost },
    requestId: NO_REQUEST,
    actor: { kind: 'system', name: 'service' },
  };
  await reportMissingKeys(ctx);
  const callbackHttp = createCallbackHttp({ allow: settings.callbackAllow, log });
  unwinding.add('connections to listeners', callbackHttp.close);
  const fleetSections = fleetSectionsWith(callbackHttp.checkAddressText);
  if (settings.demo && (await loadDemoFleet(ctx, fleetSections, settings.prefix)))
    log.info('loaded the demo fleet');
  stopping.throwIfAborted();
  if (settings.demo && !LOOPBACK.test(settings.host)) {
    log.warn(
      'the demo fleet has published passwords, and others can reach this address: LINEKEEPER_DEMO=off starts without it',
    );
  }
  const feed = await openNotificationFeed(
    directUrl,
    CHANNELS,
    // Who is not told looks by itself.
    health.loop('listen', { vital: false }),
  );
  unwinding.add('notification feed', feed.close);

  const simulator = settings.sandbox && settings.role === 'all' ? hostSimulator(ctx, settings) : undefined;
  const ways = openWaysOut(settings);
  unwinding.add('mail and SMS', ways.close);
  const parts = await compose({
    settings,
    ctx,
    replica,
    movableClock: movable,
    feed,
    nodes,
    health,
    operatorKey,
    callbackHttp,
    positionSource: settings.sandbox ? createSimulatedNetwork(ctx) : undefined,
    ways,
    simulator,
    tracing,
  });
  stopping.throwIfAborted();
  unwinding.add('uses of sessions', parts.stop);
  parts.metrics.watchConnections(db);
  if (settings.role !== 'api') {
    parts.metrics.watchJobs(parts.engine, () => parts.engine.countUnfinished(ctx.now()));
    await parts.engine.start();
    unwinding.addWorker('jobs', () => parts.engine.stop(GRACE_MS));
    parts.delivery.start();
    unwinding.addWorker('callbacks', parts.delivery.stop);
    for (const setting of ways.missing)
      log.warn({ setting }, 'not set: notifications that need it are recorded as failed');
    watchNotifications(parts.metrics, parts.notifier);
    parts.notifier.start();
    unwinding.addWorker('notifications', () => parts.notifier.stop(GRACE_MS));
    parts.watcher.start();
    unwinding.addWorker('smart alerts', parts.watcher.stop);
    parts.dueWork.start();
    unwinding.addWorker('due work', parts.dueWork.stop);
    unwinding.addWorker('clock', async () => parts.mover?.stop());
  }
  unwinding.addWorker('requests', () => closeWithin(parts.api, GRACE_MS));
  const address = await parts.api.listen({ host: settings.host, port: settings.port });
  const url = `${address.replace('[::]', '[::1]').replace('0.0.0.0', '127.0.0.1')}${settings.basePath}`;
  stopping.throwIfAborted();
  if (simulator !== undefined) {
    unwinding.addWorker('living fleet', simulator.stop);
    await simulator.begin(url);
  }
  if (settings.sandbox) await announce(settings.dataDir, url, unwinding);
  if (settings.role === 'all') await parts.mover?.resume();
  const banner =
    settings.demo && (await hasDemoFleet(ctx, fleetSections))
      ? demoBanner({
          url,
          sessionHeader: `${settings.prefix}-M2M-Token`,
          dataDir: settings.dataDir,
          operatorKeyGiven: settings.operatorKey !== undefined,
        })
      : '';
  return { url, banner, stop: () => unwinding.run() };
}

/** A connection that is still busy after the grace time is cut: a stop must come to its end. */
async function closeWithin(api: FastifyInstance, graceMs: number): Promise<void> {
  const patience = setTimeout(() => api.server.closeAllConnections(), graceMs);
  await api.close();
  clearTimeout(patience);
}

/** Where a command line started in the same checkout finds the service. */
async function announce(dataDir: string, url: string, unwinding: Unwinding): Promise<void> {
  const file = join(dataDir, 'service.json');
  await writeFile(file, `${JSON.stringify({ url, pid: process.pid })}\n`);
  unwinding.addWorker('announcement', () => rm(file, { force: true }));
}
