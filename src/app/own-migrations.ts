import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type Migration, readMigrations } from '../platform/db/migrate.ts';

const FOLDER = fileURLToPath(new URL('../../migrations/', import.meta.url));

let read: Promise<Migration[]> | undefined;

/** They come with the program, so they are read once. */
export function readOwnMigrations(): Promise<Migration[]> {
  read ??= readMigrations(FOLDER);
  return read;
}

/** What all migrations add up to: a database of other ones cannot be opened as it is. */
export const schemaName = async (): Promise<string> =>
  createHash('sha256')
    .update((await readOwnMigrations()).map(({ name, checksum }) => `${name} ${checksum}`).join('\n'))
    .digest('hex');
