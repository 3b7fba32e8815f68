import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { demoBanner } from '../../demo/credentials.ts';
import type { ComingServer } from '../../embedded-postgres/index.ts';
import type { Settings } from '../platform/config/settings.ts';
import { Front } from '../platform/http/front.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { openTracing } from '../platform/telemetry/tracing/open-tracing.ts';
import type { Tracing } from '../platform/telemetry/tracing/tracing.ts';
import { checkCertificate } from './check-certificate.ts';
import { openEmbeddedDatabase } from './embedded-database.ts';
import type { Host } from './host.ts';
import { bringUpToDate } from './own-migrations.ts';
import { findPreparedFleet } from './prepared-fleet.ts';
import { Shutdown } from './shutdown.ts';
import { ensureDataDir, storeSecretKey } from './stored-keys.ts';
import { clearLeftBehind, deleteAtTheEnd } from './temporary-data.ts';
import { VERSION } from './version.ts';

export interface Service {
  readonly url: string;
  /** The banner for the user; empty without the demo fleet. */
  banner(): Promise<string>;
  readonly operatorKey: string;
  stop(): Promise<void>;
}

/** A stopping database first writes its memory to disk. */
const EMBEDDED_STOP_MS = 60_000;
/** The parts of a core have their own time limits, one after the other. */
const CORE_STOP_MS = 120_000;

interface Starting {
  readonly settings: Settings;
  readonly log: Log;
  readonly tracing: Tracing;
  readonly front: Front;
  readonly shutdown: Shutdown;
  readonly stopping: AbortSignal;
}

/**
 * `stopping` aborts a start in progress, which then fails. The abort waits for the embedded server, so that
 * none is left behind. It does not wait for anything else, such as a migration, an import or a silent
 * database: closing their connections rolls back uncommitted work.
 */
export async function startService(settings: Settings, log: Log, stopping: AbortSignal): Promise<Service> {
  const shutdown = new Shutdown(log);
  try {
    if (settings.temporary) await deleteAtTheEnd(settings.dataDir, shutdown);
    stopping.throwIfAborted();
    checkCertificate(settings.tls);
    const tracing = await openTracing(process.env, log, VERSION);
    shutdown.add('traces', tracing.close);
    const starting = { settings, log, tracing, front: new Front(settings), shutdown, stopping };
    const { databaseUrl } = settings;
    const open =
      databaseUrl === undefined ? await launchOwnDatabase(starting) : () => openOn(starting, databaseUrl);
    const service = await untilAborted(stopping, async () => start(starting, await open()));
    if (settings.temporary) void clearLeftBehind(settings.dataDir, log);
    return service;
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
  // Ignores errors that follow from closing its connections.
  work.catch(() => {});
  return Promise.race([work, promise]);
}

/** Most of the service's code, loaded while the embedded database is copied. */
const loadHost = () => import('./host.ts');

/** Callers that need the module get the error. */
const loadAhead = () => void loadHost().catch(() => {});

async function prepareHost(starting: Starting, databaseUrl: string, alone: boolean): Promise<Host> {
  const { settings, log, shutdown, ...ground } = starting;
  const { Host } = await loadHost();
  ground.stopping.throwIfAborted();
  const host = new Host(settings, log, { ...ground, databaseUrl, alone });
  shutdown.add('service', () => host.stop(), CORE_STOP_MS);
  await host.prepare();
  return host;
}

/** Composes the service while its embedded database starts. Opening it, which needs the database, is left to the caller. */
async function launchOwnDatabase(starting: Starting): Promise<() => Promise<Host>> {
  const { settings, log, shutdown, stopping } = starting;
  const hosts = new Map<string, Promise<Host>>();
  let keyStored: Promise<unknown> | undefined;
  const compose = async ({ url, note }: ComingServer): Promise<Host> => {
    // It opens what the copied fleet keeps sealed.
    if (note !== undefined) keyStored ??= storeSecretKey(settings.dataDir, note);
    await keyStored;
    return prepareHost(starting, url, true);
  };
  const forServer = (coming: ComingServer): void => {
    const host = compose(coming);
    // The caller that needs this one gets the error.
    host.catch(() => {});
    hosts.set(coming.url, host);
  };
  const preparedFleet = await findPreparedFleet(settings, log);
  const waiting = { forFiles: loadAhead, forServer };
  const opening = openEmbeddedDatabase({ ...settings, preparedFleet, waiting }, log, stopping);
  const stop = async () => (await opening.catch(() => undefined))?.stop();
  shutdown.add('embedded database', stop, EMBEDDED_STOP_MS);
  const { url, isPrepared } = await opening;
  return async () => {
    const host = await hosts.get(url)!;
    if (!isPrepared) await bringUpToDate(url, log);
    return host;
  };
}

/** What is composed depends on whether the database is spread over several servers, so it is asked first. */
async function openOn(starting: Starting, databaseUrl: string): Promise<Host> {
  const { settings, log } = starting;
  if (settings.sandbox) await ensureDataDir(settings.dataDir);
  await bringUpToDate(settings.databaseDirectUrl ?? databaseUrl, log);
  return prepareHost(starting, databaseUrl, false);
}

async function start({ settings, shutdown }: Starting, host: Host): Promise<Service> {
  const { dataDir, prefix } = settings;
  const { url, core } = await host.start();
  if (settings.sandbox) await announce(dataDir, url, shutdown);
  const banner = async () =>
    settings.demo && (await core.hasDemoFleet())
      ? demoBanner({
          url,
          sessionHeader: `${prefix}-M2M-Token`,
          dataDir,
          isReachable: settings.isReachable,
          operatorKeyGiven: settings.operatorKey !== undefined,
        })
      : '';
  return { url, banner, operatorKey: core.operatorKey, stop: () => shutdown.run() };
}

/** Writes the file by which a command line in the same checkout finds the service. */
async function announce(dataDir: string, url: string, shutdown: Shutdown): Promise<void> {
  const file = join(dataDir, 'service.json');
  await writeFile(file, `${JSON.stringify({ url, pid: process.pid })}\n`);
  shutdown.addWorker('announcement', () => rm(file, { force: true }));
}
