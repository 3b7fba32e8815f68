import { parseArgs } from 'node:util';
import type pg from 'pg';
import { ConfigError, parseSettings } from '../platform/config/settings.ts';
import { whyInUse, withConnection } from '../platform/db/connection.ts';
import { MIGRATION_LOCK } from '../platform/db/migrate.ts';
import { findExtension, planShards, readTables } from '../platform/sharding/index.ts';
import { PLACEMENT } from './sharding.ts';

const USAGE = `linekeeper shard --plan   prints what would be done to the database of DATABASE_URL, and does nothing
linekeeper shard          distributes its tables by profile over the nodes of a Citus cluster

DATABASE_DIRECT_URL is used where it is set. Stop every process of the service first, and keep a backup. It can be run
again: what is already in its place stays there. Exit code 3 says that the server does not have Citus.
`;
const EXIT_FAILED = 1;
const EXIT_WRONG_USAGE = 2;
const EXIT_NO_EXTENSION = 3;

class ShardError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode = EXIT_FAILED) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Only these: whoever distributes the database need not have the service's secrets. */
function parseTarget({ DATABASE_URL, DATABASE_DIRECT_URL }: NodeJS.ProcessEnv): string {
  const { databaseUrl } = parseSettings({
    LINEKEEPER_MODE: 'sandbox',
    ...(DATABASE_URL !== undefined && { DATABASE_URL: DATABASE_DIRECT_URL || DATABASE_URL }),
  });
  if (databaseUrl === undefined)
    throw new ConfigError('DATABASE_URL must be set: the embedded database is one machine by nature.');
  return databaseUrl;
}

async function run(client: pg.Client, onlyPlan: boolean, say: (line: string) => void): Promise<void> {
  const extension = await findExtension(client);
  const tables = await readTables(client, PLACEMENT.key, extension === 'created');
  if (!tables.some(({ name }) => name === 'schema_migration'))
    throw new ShardError('The database has no schema yet: start the service on it once.');
  const { statements, problems } = planShards(tables, PLACEMENT);
  if (problems.length > 0)
    throw new ShardError(`The schema cannot be distributed:\n  ${problems.join('\n  ')}`);
  if (onlyPlan) {
    for (const statement of statements) say(`${statement};`);
    return;
  }
  if (extension === 'absent')
    throw new ShardError(
      'The server does not have the extension Citus: nothing was done. --plan prints what would be.',
      EXIT_NO_EXTENSION,
    );
  await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
  const reason = await whyInUse(client);
  if (reason !== undefined) throw new ShardError(reason);
  for (const statement of statements) {
    say(statement);
    await client.query(statement);
  }
  say(statements.length === 0 ? 'Everything is in its place.' : `Done: ${statements.length} statements.`);
}

async function shard(onlyPlan: boolean): Promise<void> {
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const unreachable = (reason: string) => new ShardError(reason);
  await withConnection(parseTarget(process.env), 'linekeeper-shard', unreachable, (client) =>
    run(client, onlyPlan, say),
  );
}

function parseArguments() {
  try {
    const options = { plan: { type: 'boolean' }, help: { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    return values.help || positionals.length !== 1 ? undefined : { plan: values.plan ?? false };
  } catch {
    return undefined;
  }
}

const given = parseArguments();
if (given === undefined) {
  process.stderr.write(USAGE);
  process.exitCode = process.argv.includes('--help') ? 0 : EXIT_WRONG_USAGE;
} else {
  try {
    await shard(given.plan);
  } catch (error) {
    process.stderr.write(`linekeeper: ${(error as Error).message}\n`);
    process.exitCode =
      error instanceof ConfigError
        ? EXIT_WRONG_USAGE
        : error instanceof ShardError
          ? error.exitCode
          : EXIT_FAILED;
  }
}
