import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EmbeddedPostgresError, findRunningServer } from '../../embedded-postgres/index.ts';
import { BackupError, restoreBackup, type Watch, writeBackup } from '../platform/backup/index.ts';
import { ConfigError, parseSettings } from '../platform/config/settings.ts';
import { readMigrations } from '../platform/db/migrate.ts';
import { listShardedTables } from '../platform/sharding/index.ts';
import { createLog } from '../platform/telemetry/log.ts';
import { openEmbeddedDatabase } from './embedded-database.ts';
import { PLACEMENT } from './sharding.ts';
import { VERSION } from './version.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));
const EXIT_FAILED = 1;
const EXIT_WRONG_USAGE = 2;

interface Target {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Only these settings, so that backups need none of the service's secrets. No pooler, because a copy is one long session. */
const parseTarget = ({ DATABASE_URL, DATABASE_DIRECT_URL, LINEKEEPER_DATA_DIR }: NodeJS.ProcessEnv) =>
  parseSettings({
    LINEKEEPER_MODE: 'sandbox',
    ...(DATABASE_URL !== undefined && { DATABASE_URL: DATABASE_DIRECT_URL || DATABASE_URL }),
    ...(LINEKEEPER_DATA_DIR !== undefined && { LINEKEEPER_DATA_DIR }),
  });

async function openTarget(command: string): Promise<Target> {
  const settings = parseTarget(process.env);
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl !== undefined) return { url: databaseUrl, close: async () => {} };
  if (command === 'backup') {
    if (!existsSync(dataDir))
      throw new BackupError(`There is no data folder ${dataDir}, and DATABASE_URL is not set.`);
    const running = await findRunningServer(dataDir);
    if (running !== undefined) return { url: running, close: async () => {} };
  }
  const { url, stop } = await openEmbeddedDatabase({ ...settings, beginsEmpty: true }, createLog('warn'));
  return { url, close: stop };
}

/** Progress for the command line, one line each. */
const report = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);

const REPORT_MS = 100;
let reportedMs = 0;
const watch: Watch = (step, share) => {
  if (performance.now() - reportedMs < REPORT_MS) return;
  reportedMs = performance.now();
  report({ step, share });
};

async function run(command: string, file: string, force: boolean) {
  const { url, close } = await openTarget(command);
  try {
    // The command itself explains why a database cannot be reached.
    if ((await listShardedTables(url, PLACEMENT.key).catch(() => undefined)) !== undefined)
      throw new BackupError(
        'The database is distributed over several servers, but this command works with one. Use the tools of the servers: see docs/scaling.md.',
      );
    return command === 'backup'
      ? await writeBackup(url, file, VERSION, watch)
      : await restoreBackup(url, file, { migrations: await readMigrations(MIGRATIONS), force, watch });
  } finally {
    await close();
  }
}

const EXPECTED = [BackupError, ConfigError, EmbeddedPostgresError];
const [command = 'backup', file = '', force] = process.argv.slice(2);
run(command, file, force === 'force').then(
  (result) => report({ result }),
  (error: Error) => {
    const expected = EXPECTED.some((kind) => error instanceof kind);
    report({ error: expected ? error.message : `${command} failed: ${error.message}` });
    process.exitCode = error instanceof ConfigError ? EXIT_WRONG_USAGE : EXIT_FAILED;
  },
);
