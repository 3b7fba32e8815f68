import { setTimeout as sleep } from 'node:timers/promises';
import {
  DataFolderError,
  type EmbeddedPostgres,
  lockDataDir,
  startEmbeddedPostgres,
} from '../../embedded-postgres/index.ts';
import { ConfigError } from '../platform/config/settings.ts';
import type { Log } from '../platform/telemetry/log.ts';

const RESTART_MS = 250;
const RESTART_MAX_MS = 10_000;

/** The embedded server for as long as the service lives: one that dies is started again where clients know it. */
export async function openEmbeddedDatabase(dataDir: string, log: Log, signal?: AbortSignal) {
  const lock = await lockDataDir(dataDir).catch((error: unknown) => {
    throw error instanceof DataFolderError ? new ConfigError(error.message, { cause: error }) : error;
  });
  const options = { dataDir, log: (line: string) => log.debug({ postgres: line }, 'postgres') };
  let server: EmbeddedPostgres;
  try {
    server = await startEmbeddedPostgres({ ...options, ...(signal && { signal }) });
  } catch (error) {
    await lock.release();
    throw error;
  }
  const { url } = server;
  const port = Number(new URL(url).port);
  const stopping = new AbortController();
  let restarting: Promise<void> = Promise.resolve();

  const keepUp = () => {
    server.exited.then(() => {
      if (!stopping.signal.aborted) restarting = restart();
    });
  };
  const restart = async () => {
    for (
      let delayMs = RESTART_MS;
      !stopping.signal.aborted;
      delayMs = Math.min(RESTART_MAX_MS, delayMs * 2)
    ) {
      log.error('the embedded PostgreSQL server ended; starting it again');
      try {
        server = await startEmbeddedPostgres({ ...options, port, signal: stopping.signal });
        return keepUp();
      } catch (error) {
        log.error({ err: error }, 'the embedded PostgreSQL server did not start');
        await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  };
  keepUp();

  return {
    url,
    async stop() {
      stopping.abort();
      await restarting;
      await server.stop();
      await lock.release();
    },
  };
}
