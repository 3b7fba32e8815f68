import { addressOf, withDatabases } from '../../embedded-postgres/index.ts';
import { migrate } from '../platform/db/migrate.ts';
import { readOwnMigrations, schemaName } from './own-migrations.ts';

/** A database with the empty tables of this version. */
export const EMPTY = 'linekeeper_empty';
/** A database that will be renamed or dropped; the next start drops those of a killed process. */
export const PASSING = 'passing ';

export const databaseOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1));

let passing = 0;
export const nameOfPassing = () => `${PASSING}${process.pid} ${Date.now()} ${passing++}`;

/** Creates the database that a reset copies, if this version has none. */
export async function ensureEmpty(databaseUrl: string): Promise<void> {
  const schema = await schemaName();
  await withDatabases(databaseUrl, async (databases) => {
    if ((await databases.commentOf(EMPTY)) === schema) return;
    const draft = nameOfPassing();
    await databases.create(draft);
    await migrate(addressOf(databaseUrl, draft), await readOwnMigrations());
    await databases.comment(draft, schema);
    await databases.dropIfThere(EMPTY);
    await databases.rename([[draft, EMPTY]]);
  });
}

/** Creates the tables of a new database, and the database that a reset copies. */
export async function fillNew(databaseUrl: string): Promise<void> {
  await ensureEmpty(databaseUrl);
  await withDatabases(databaseUrl, async (databases) => {
    const name = databaseOf(databaseUrl);
    await databases.dropIfThere(name);
    await databases.copy(EMPTY, name, '');
  });
}
