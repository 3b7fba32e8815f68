import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type Migration, migrate, readMigrations } from '../platform/db/migrate.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { findDistributing } from './sharding.ts';

const FOLDER = fileURLToPath(new URL('../../migrations/', import.meta.url));

let read: Promise<Migration[]> | undefined;

/** Part of the program, so they are read once. */
export function readOwnMigrations(): Promise<Migration[]> {
  read ??= readMigrations(FOLDER);
  return read;
}

export async function bringUpToDate(databaseUrl: string, log: Log): Promise<void> {
  const migrated = await migrate(databaseUrl, await readOwnMigrations(), { log, findDistributing });
  if (migrated.length > 0)
    log.info({ from: migrated[0], to: migrated.at(-1) }, 'database schema brought up to date');
}

/** A checksum of all migrations; a database with another one cannot be opened. */
export const schemaName = async (): Promise<string> =>
  createHash('sha256')
    .update((await readOwnMigrations()).map(({ name, checksum }) => `${name} ${checksum}`).join('\n'))
    .digest('hex');
