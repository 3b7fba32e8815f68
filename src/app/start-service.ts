import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { demoBanner } from '../../demo/credentials.ts';
import type { Settings } from '../platform/config/settings.ts';
import { Front } from '../platform/http/front.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { openTracing } from '../platform/telemetry/tracing/open-tracing.ts';
import { checkCertificate } from './check-certificate.ts';
import { openEmbeddedDatabase } from './embedded-database.ts';
import type { Host } from './host.ts';
import { findPreparedFleet } from './prepared-fleet.ts';
import { Shutdown } from './shutdown.ts';
import { storeSecretKey } from './stored-keys.ts';
import { clearLeftBehind, deleteAtTheEnd } from './temporary-data.ts';
import { VERSION } from './version.ts';

export interface Service {
  readonly url: string;
  /** The banner for the user; empty without the demo fleet. */
  readonly banner: string;
  readonly operatorKey: string;
  stop(): Promise<void>;
}

/** A stopping database first writes its memory to disk. */
const EMBEDDED_STOP_MS = 60_000;
/** The parts of a core have their own time limits, one after the other. */
const CORE_STOP_MS = 120_000;

/**
 * `stopping` aborts a start in progress, which then fails. The abort waits for the embedded server, so that
 * none is left behind. It does not wait for anything else, such as a migration, an import or a silent
 * database: closing their connections rolls back uncommitted work.
 */
export async function startService(settings: Settings, log: Log, stopping: AbortSignal): Promise<Service> {
  const shutdown = new Shutdown(log);
  try {
    if (settings.temporary) await deleteAtTheEnd(settings.dataDir, shutdown);
    const host = await openHost(settings, log, shutdown, stopping);
    const service = await untilAborted(stopping, () => start(settings, host, shutdown));
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

/** Most of the service's code, loaded while the embedded database starts in another process. */
const loadHost = () => import('./host.ts');

/** Callers that need the module get the error. */
const loadAhead = () => void loadHost().catch(() => {});

const openOwnDatabase = async (settings: Settings, log: Log, stopping: AbortSignal) =>
  openEmbeddedDatabase(
    { ...settings, preparedFleet: await findPreparedFleet(settings, log), waiting: loadAhead },
    log,
    stopping,
  );

/** The ground of the core: it starts before the core and stops after it. */
async function openHost(
  settings: Settings,
  log: Log,
  shutdown: Shutdown,
  stopping: AbortSignal,
): Promise<Host> {
  stopping.throwIfAborted();
  checkCertificate(settings.tls);
  const tracing = await openTracing(process.env, log, VERSION);
  shutdown.add('traces', tracing.close);
  const embedded =
    settings.databaseUrl === undefined ? await openOwnDatabase(settings, log, stopping) : undefined;
  if (embedded !== undefined) shutdown.add('embedded database', embedded.stop, EMBEDDED_STOP_MS);
  // It opens what the copied fleet keeps sealed.
  if (embedded?.note !== undefined) await storeSecretKey(settings.dataDir, embedded.note);
  const databaseUrl = settings.databaseUrl ?? embedded!.url;
  const { Host } = await loadHost();
  const front = new Front(settings);
  const alone = embedded !== undefined;
  const isMigrated = embedded?.isPrepared ?? false;
  const host = new Host(settings, log, { tracing, databaseUrl, alone, isMigrated, front, stopping });
  shutdown.add('service', () => host.stop(), CORE_STOP_MS);
  return host;
}

async function start(settings: Settings, host: Host, shutdown: Shutdown): Promise<Service> {
  const { dataDir, prefix } = settings;
  const { url, core } = await host.start();
  if (settings.sandbox) await announce(dataDir, url, shutdown);
  const banner =
    settings.demo && (await core.hasDemoFleet())
      ? demoBanner({
          url,
          sessionHeader: `${prefix}-M2M-Token`,
          dataDir,
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
