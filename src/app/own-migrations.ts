import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type Migration, readMigrations } from '../platform/db/migrate.ts';

const FOLDER = fileURLToPath(new URL('../../migrations/', import.meta.url));

let read: Promise<Migration[]> | undefined;

/** Part of the program, so they are read once. */
export function readOwnMigrations(): Promise<Migration[]> {
  read ??= readMigrations(FOLDER);
  return read;
}

/** A checksum of all migrations; a database with another one cannot be opened. */
export const schemaName = async (): Promise<string> =>
  createHash('sha256')
    .update((await readOwnMigrations()).map(({ name, checksum }) => `${name} ${checksum}`).join('\n'))
    .digest('hex');
