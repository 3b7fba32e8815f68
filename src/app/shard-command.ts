import type pg from 'pg';
import { ConfigError, parseSettings } from '../platform/config/settings.ts';
import { whyInUse, withConnection } from '../platform/db/connection.ts';
import { MIGRATION_LOCK } from '../platform/db/migrate.ts';
import {
  findExtension,
  isolate,
  listUnplaced,
  planShards,
  readTables,
  rebalance,
} from '../platform/sharding/index.ts';
import { PLACEMENT } from './sharding.ts';

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

/** Only these settings, so that distributing the database needs none of the service's secrets. */
function parseTarget({ DATABASE_URL, DATABASE_DIRECT_URL }: NodeJS.ProcessEnv): string {
  const { databaseUrl } = parseSettings({
    LINEKEEPER_MODE: 'sandbox',
    ...(DATABASE_URL !== undefined && { DATABASE_URL: DATABASE_DIRECT_URL || DATABASE_URL }),
  });
  if (databaseUrl === undefined)
    throw new ConfigError('DATABASE_URL must be set: the embedded database cannot be distributed.');
  return databaseUrl;
}

/** Progress for the command line, one line each. */
const report = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);

type Say = (line: string) => void;
type Command =
  | { readonly plan: boolean }
  | { readonly rebalance: true }
  | { readonly isolate: string; readonly blockWrites: boolean };

/** Both move rows of a distributed database while it is in use. */
async function move(client: pg.Client, command: Command, say: Say): Promise<object> {
  if ((await findExtension(client)) !== 'created' || (await listUnplacedTables(client)).length > 0)
    throw new ShardError('The database is not distributed yet: run "linekeeper shard" first.');
  if ('rebalance' in command) {
    const moved = await rebalance(client, say);
    say(moved === 0 ? 'Every worker has its share already.' : 'Done: every worker has its share.');
    return { moved };
  }
  if ('isolate' in command) {
    const known = await client.query('select 1 from account_directory where ecpd_id = $1 limit 1', [
      command.isolate,
    ]);
    if (known.rowCount === 0) throw new ShardError(`No account belongs to the profile ${command.isolate}.`);
    const { isolate: tenant, blockWrites } = command;
    await isolate(client, { table: 'profile', tenant, blockWrites }, say);
  }
  return command;
}

const listUnplacedTables = async (client: pg.Client): Promise<string[]> =>
  listUnplaced(await readTables(client, PLACEMENT.key, true), PLACEMENT);

async function distribute(client: pg.Client, onlyPlan: boolean, say: Say): Promise<object> {
  const extension = await findExtension(client);
  const tables = await readTables(client, PLACEMENT.key, extension === 'created');
  if (!tables.some(({ name }) => name === 'schema_migration'))
    throw new ShardError('The database has no schema yet: start the service on it once.');
  const { statements, problems } = planShards(tables, PLACEMENT);
  if (problems.length > 0)
    throw new ShardError(`The schema cannot be distributed:\n  ${problems.join('\n  ')}`);
  if (onlyPlan) {
    for (const statement of statements) say(`${statement};`);
    return { plan: true, statements };
  }
  if (extension === 'absent')
    throw new ShardError(
      'The server does not have the extension Citus. Nothing was done; --plan prints the statements.',
      EXIT_NO_EXTENSION,
    );
  await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
  const reason = await whyInUse(client);
  if (reason !== undefined) throw new ShardError(reason);
  for (const [i, statement] of statements.entries()) {
    report({
      line: statement,
      step: `${i} of ${statements.length} statements`,
      share: i / statements.length,
    });
    await client.query(statement);
  }
  say(statements.length === 0 ? 'Everything is in its place.' : `Done: ${statements.length} statements.`);
  return { plan: false, statements };
}

async function shard(command: Command): Promise<object> {
  const say: Say = (line) => report({ line });
  const unreachable = (reason: string) => new ShardError(reason);
  return withConnection(parseTarget(process.env), 'linekeeper-shard', unreachable, (client) =>
    'plan' in command ? distribute(client, command.plan, say) : move(client, command, say),
  );
}

function codeFor(error: unknown): number {
  if (error instanceof ConfigError) return EXIT_WRONG_USAGE;
  return error instanceof ShardError ? error.exitCode : EXIT_FAILED;
}

shard(JSON.parse(process.argv[2] ?? '{"plan":true}') as Command).then(
  (result) => report({ result }),
  (error: Error) => {
    report({ error: error.message });
    process.exitCode = codeFor(error);
  },
);
