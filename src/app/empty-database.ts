import { addressOf, withDatabases } from '../../embedded-postgres/index.ts';
import { migrate } from '../platform/db/migrate.ts';
import { readOwnMigrations, schemaName } from './own-migrations.ts';

/** With the tables of this version and nothing in them. */
export const EMPTY = 'linekeeper_empty';
/** On its way to be another, or to be dropped; what a killed process leaves behind is dropped by the next. */
export const PASSING = 'passing ';

export const databaseOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1));

let passing = 0;
export const nameOfPassing = () => `${PASSING}${process.pid} ${Date.now()} ${passing++}`;

/** Creates the database that a reset copies, where there is none of this version. */
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

/** For a database that was just made: it gets the tables, and the other that a reset copies is there too. */
export async function fillNew(databaseUrl: string): Promise<void> {
  await ensureEmpty(databaseUrl);
  await withDatabases(databaseUrl, async (databases) => {
    const name = databaseOf(databaseUrl);
    await databases.dropIfThere(name);
    await databases.copy(EMPTY, name, '');
  });
}
