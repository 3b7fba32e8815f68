import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../platform/config/settings.ts';
import type { Log } from '../platform/telemetry/log.ts';
import type { PreparedFleet } from './embedded-database.ts';

/** The npm package has this file, which names its code. A checkout has none: its code may change between two starts. */
const BUILD = fileURLToPath(new URL('../../build-id', import.meta.url));
const NAME_LENGTH = 16;

/**
 * The demo fleet in a prepared database; undefined where a start has to import it itself. Copies share the secret key of
 * that database, so only a sandbox that is thrown away begins with one.
 */
export async function findPreparedFleet(settings: Settings, log: Log): Promise<PreparedFleet | undefined> {
  const { temporary, demo, fleet, now, seed, secretKey, network } = settings;
  const isAsPrepared = [fleet, now, seed, secretKey, network].every((setting) => setting === undefined);
  if (!temporary || !demo || !isAsPrepared) return undefined;
  const build = await readFile(BUILD, 'utf8').catch(() => undefined);
  if (build === undefined) return undefined;
  const { prefix, callbackAllow, passwordCost } = settings;
  const parts = JSON.stringify([build, prefix, callbackAllow, passwordCost]);
  return {
    name: createHash('sha256').update(parts).digest('hex').slice(0, NAME_LENGTH),
    async fill(databaseUrl) {
      // Most of the service's code: only a start that prepares needs it this early.
      const { fillWithDemo } = await import('./fill-with-demo.ts');
      return fillWithDemo(databaseUrl, settings, log);
    },
  };
}
