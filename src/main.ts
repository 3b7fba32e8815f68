import { setFlagsFromString } from 'node:v8';
import { EmbeddedPostgresError } from '../embedded-postgres/index.ts';
import { ConfigError, parseSettings } from './platform/config/settings.ts';
import { MigrationError } from './platform/db/migrate.ts';
import { createLog } from './platform/telemetry/log.ts';
import { readableLog } from './platform/telemetry/readable-log.ts';

const PARENT_WATCH_MS = 200;
const EXIT_FAILED = 1;
const EXIT_WRONG_SETTING = 2;

/** One sentence without a stack: the problem and the setting to fix. */
function sentenceFor(error: unknown): string {
  if (
    error instanceof ConfigError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof MigrationError
  ) {
    return error.message;
  }
  const { code, message, address, hostname, port, path } = error as NodeJS.ErrnoException & {
    address?: string;
    hostname?: string;
    port?: number;
  };
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${address} is already in use; set LINEKEEPER_PORT to another one.`;
  if (code === 'EADDRNOTAVAIL')
    return `This machine has no address ${address}; set LINEKEEPER_HOST to one it has.`;
  if (hostname !== undefined && hostname === settings.host)
    return `The name ${hostname} has no address; set LINEKEEPER_HOST to an address of this machine.`;
  if (code === 'EACCES' && port !== undefined)
    return `Port ${port} needs rights that this user does not have.`;
  if (path !== undefined) return `${path} cannot be used: ${message}.`;
  return `The service could not start: ${message || String(error)}`;
}

function fail(error: unknown, exitCode = EXIT_FAILED): never {
  const title = sentenceFor(error);
  const asJson = process.env['LINEKEEPER_READY_FORMAT'] === 'json';
  process.stderr.write(asJson ? `${JSON.stringify({ title, exitCode })}\n` : `linekeeper: ${title}\n`);
  process.exit(exitCode);
}

function settingsOrExit() {
  try {
    return parseSettings(process.env);
  } catch (error) {
    return fail(error, EXIT_WRONG_SETTING);
  }
}

const settings = settingsOrExit();
const { logLevel, logFormat, readyFormat, quietWhenReady } = settings;
const isReadable = logFormat === 'auto' ? process.stderr.isTTY : logFormat === 'text';
const readable = isReadable ? readableLog(process.stderr, !process.env['NO_COLOR']) : undefined;
const log = createLog(logLevel, readable);

/** Under `npm start`, a shell dies from a signal without passing it on, so this process stops when the shell is gone. */
function stopWithParent(): void {
  const parent = process.ppid;
  if (process.env['npm_lifecycle_event'] === undefined || process.platform === 'win32') return;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_WATCH_MS);
  watch.unref();
}

/** A killed parent cannot send a signal, but its end of standard input closes. The other streams may close with it. */
function stopWithStdin(): void {
  if (!settings.stopWithStdin) return;
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
  const end = () => void stop('end of standard input');
  process.stdin.once('end', end).once('error', end).resume();
}

const stopping = new AbortController();
let isBegun = false;
/** Loads the service after signal handlers are in place, because loading takes as long as the rest of a quick start. */
async function start() {
  const { startService } = await import('./app/start-service.ts');
  isBegun = true;
  return startService(settings, log, stopping.signal);
}
const starting = start();

async function stop(reason: NodeJS.Signals | 'end of standard input'): Promise<void> {
  if (stopping.signal.aborted) return;
  if (readable !== undefined) readable.quiet = false;
  log.info({ reason }, 'stopping');
  // Only a start in progress can delete its temporary folder.
  if (!isBegun && !settings.temporary) process.exit(0);
  stopping.abort();
  const started = await starting.catch(() => undefined);
  await started?.stop();
  process.exit();
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);

/**
 * The heap grows in small steps, because large reports leave much garbage behind. Set only now, because Node's own compiled
 * code and the cache of ours are not used under another flag: a start with it takes 0.1 s longer. So the flag is reset
 * before that cache is written.
 */
function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50');
  process.prependOnceListener('exit', () => setFlagsFromString('--heap-growing-percent=0'));
}

/** Says where the service is and who may use it, in the format that the caller wants. */
async function announce(): Promise<void> {
  const { url, banner, operatorKey } = await starting;
  keepHeapSmall();
  const { pid } = process;
  const quiet = readable !== undefined && quietWhenReady;
  const more = quiet
    ? 'Only warnings are logged from now on; set LINEKEEPER_LOG_LEVEL=info to see requests.\n'
    : '';
  process.stdout.write(
    readyFormat === 'json'
      ? `${JSON.stringify({ ready: true, url, operatorKey, pid })}\n`
      : `Linekeeper ready on ${url}\n${await banner()}${more}`,
  );
  // Keeps the banner on the screen.
  if (quiet) readable.quiet = true;
}

stopWithParent();
stopWithStdin();
for (const name of settings.unknown) log.warn(`${name} is not a setting of this version and is ignored`);
announce().catch((error: unknown) => {
  // A start interrupted by a stop ends like a stop.
  if (!stopping.signal.aborted) fail(error, error instanceof ConfigError ? EXIT_WRONG_SETTING : EXIT_FAILED);
});
