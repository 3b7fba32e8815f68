import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { EmbeddedPostgresError, findRunningServer } from '../../embedded-postgres/index.ts';
import { BackupError, restoreBackup, writeBackup } from '../platform/backup/index.ts';
import { ConfigError, parseSettings } from '../platform/config/settings.ts';
import { readMigrations } from '../platform/db/migrate.ts';
import { createLog } from '../platform/telemetry/log.ts';
import { openEmbeddedDatabase } from './embedded-database.ts';
import { VERSION } from './version.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));
const USAGE = `linekeeper backup FILE            saves the whole database, while the service runs
linekeeper restore FILE [--force] puts it into an empty database, or with --force in the place of another

The database is DATABASE_URL, or else the embedded one of the data folder (LINEKEEPER_DATA_DIR, .linekeeper).
The keys that seal secrets are not in a backup: keep LINEKEEPER_SECRET_KEY, or the file secret-key, apart from it.
`;
const EXIT_FAILED = 1;
const EXIT_WRONG_USAGE = 2;

interface Target {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Only these: whoever saves the database need not have the service's secrets. No pooler: a copy is one long session. */
const parseTarget = ({ DATABASE_URL, DATABASE_DIRECT_URL, LINEKEEPER_DATA_DIR }: NodeJS.ProcessEnv) =>
  parseSettings({
    LINEKEEPER_MODE: 'sandbox',
    ...(DATABASE_URL !== undefined && { DATABASE_URL: DATABASE_DIRECT_URL || DATABASE_URL }),
    ...(LINEKEEPER_DATA_DIR !== undefined && { LINEKEEPER_DATA_DIR }),
  });

async function openTarget(command: string): Promise<Target> {
  const { databaseUrl, dataDir } = parseTarget(process.env);
  if (databaseUrl !== undefined) return { url: databaseUrl, close: async () => {} };
  if (command === 'backup') {
    if (!existsSync(dataDir))
      throw new BackupError(`There is no data folder ${dataDir}, and DATABASE_URL is not set.`);
    const running = await findRunningServer(dataDir);
    if (running !== undefined) return { url: running, close: async () => {} };
  }
  const { url, stop } = await openEmbeddedDatabase(dataDir, createLog('warn'));
  return { url, close: stop };
}

async function run(command: string, file: string, force: boolean): Promise<string> {
  const { url, close } = await openTarget(command);
  try {
    if (command === 'backup') {
      const { tables, rows } = await writeBackup(url, file, VERSION);
      return `Saved ${rows} rows of ${tables} tables in ${file}.`;
    }
    const options = { migrations: await readMigrations(MIGRATIONS), force };
    const { tables, rows } = await restoreBackup(url, file, options);
    return `Restored and compared ${rows} rows of ${tables} tables.`;
  } finally {
    await close();
  }
}

function parseArguments() {
  try {
    const options = { force: { type: 'boolean' }, help: { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [command, file, ...rest] = positionals;
    if (values.help || command === undefined || file === undefined || rest.length > 0) return undefined;
    return { command, file, force: values.force ?? false };
  } catch {
    return undefined;
  }
}

const EXPECTED = [BackupError, ConfigError, EmbeddedPostgresError];
const given = parseArguments();
if (given === undefined) {
  process.stderr.write(USAGE);
  process.exitCode = process.argv.includes('--help') ? 0 : EXIT_WRONG_USAGE;
} else {
  try {
    process.stdout.write(`${await run(given.command, given.file, given.force)}\n`);
  } catch (error) {
    const expected = EXPECTED.some((kind) => error instanceof kind);
    const reason = (error as Error).message;
    process.stderr.write(`linekeeper: ${expected ? reason : `${given.command} failed: ${reason}`}\n`);
    process.exitCode = error instanceof ConfigError ? EXIT_WRONG_USAGE : EXIT_FAILED;
  }
}
