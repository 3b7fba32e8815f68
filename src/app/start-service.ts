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
  /** What a person needs who has just started it: empty unless the demo fleet is there. */
  readonly banner: string;
  readonly operatorKey: string;
  stop(): Promise<void>;
}

/** A database that is told to stop writes all that it still has in memory. */
const EMBEDDED_STOP_MS = 60_000;
/** The parts of a core have limits of their own, one after the other. */
const CORE_STOP_MS = 120_000;

/**
 * `stopping` ends a start that is under way, which then fails. The embedded server is waited for, so that none is left
 * behind; everything else is not, be it a migration, an import or a database that does not answer: its connections are
 * closed, and what was not committed is undone by that.
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
  // What it runs into when its connections are closed is of no interest to anybody.
  work.catch(() => {});
  return Promise.race([work, promise]);
}

/** Most of the service's code: loaded while the embedded database starts, which is another process. */
const loadHost = () => import('./host.ts');

/** Whoever needs what is loaded gets the error. */
const loadAhead = () => void loadHost().catch(() => {});

const openOwnDatabase = async (settings: Settings, log: Log, stopping: AbortSignal) =>
  openEmbeddedDatabase(
    { ...settings, preparedFleet: await findPreparedFleet(settings, log), waiting: loadAhead },
    log,
    stopping,
  );

/** What the core stands on: it is there before, and ends after it. */
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

/** Where a command line started in the same checkout finds the service. */
async function announce(dataDir: string, url: string, shutdown: Shutdown): Promise<void> {
  const file = join(dataDir, 'service.json');
  await writeFile(file, `${JSON.stringify({ url, pid: process.pid })}\n`);
  shutdown.addWorker('announcement', () => rm(file, { force: true }));
}
