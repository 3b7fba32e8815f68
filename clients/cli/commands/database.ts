import type { Command } from 'commander';
import { wrongUsage } from '../failure.ts';
import { print, printOutcome } from '../print.ts';
import { type GlobalOptions, runOf } from '../run.ts';
import { programFile, runServiceProgram } from '../service-programs.ts';

interface Counts {
  readonly tables: number;
  readonly rows: number;
}

async function backup(file: string, _: object, command: Command): Promise<void> {
  const run = runOf(command);
  const counts = await runServiceProgram<Counts>(run, programFile('app/backup-command'), ['backup', file]);
  printOutcome(run, { file, ...counts }, `Saved ${counts.rows} rows of ${counts.tables} tables in ${file}.`);
}

async function restore(file: string, { force }: { force?: boolean }, command: Command): Promise<void> {
  const run = runOf(command);
  const args = ['restore', file, ...(force ? ['force'] : [])];
  const counts = await runServiceProgram<Counts>(run, programFile('app/backup-command'), args);
  printOutcome(
    run,
    { file, ...counts },
    `Restored and compared ${counts.rows} rows of ${counts.tables} tables.`,
  );
}

interface ShardOptions extends GlobalOptions {
  readonly plan?: boolean;
  readonly rebalance?: boolean;
  readonly isolate?: string;
  readonly blockWrites?: boolean;
}

async function shard(_: object, command: Command): Promise<void> {
  const run = runOf<ShardOptions>(command);
  const { plan, rebalance, isolate, blockWrites = false } = run.options;
  if ([plan, rebalance, isolate].filter(Boolean).length > 1)
    throw wrongUsage('Give one of --plan, --rebalance and --isolate, such as linekeeper shard --plan');
  if (blockWrites && isolate === undefined)
    throw wrongUsage(
      '--block-writes goes with --isolate, such as linekeeper shard --isolate 9000001 --block-writes',
    );
  const asked =
    isolate === undefined ? (rebalance ? { rebalance } : { plan: plan ?? false }) : { isolate, blockWrites };
  const result = await runServiceProgram<object>(run, programFile('app/shard-command'), [
    JSON.stringify(asked),
  ]);
  if (run.json) print(run, JSON.stringify(result));
}

const DATABASE =
  '\nThe database is DATABASE_URL, or else the embedded one of the data folder (LINEKEEPER_DATA_DIR, .linekeeper).\n' +
  'A backup does not contain the key that seals secrets: keep LINEKEEPER_SECRET_KEY, or the file secret-key, separately.\n';

/** These commands work on the database directly, without calling a service. */
function addOne(program: Command, name: string, json: string): Command {
  return program.command(name).option('--json', json).configureHelp({ showGlobalOptions: false });
}

export function addDatabase(program: Command): void {
  const counts = 'print {"file":…,"tables":…,"rows":…}, and errors on stderr, as JSON';
  addOne(program, 'backup', counts)
    .description('Saves the whole database in a file, while the service runs.')
    .argument('<file>', 'a new file; an existing one is never replaced')
    .addHelpText(
      'after',
      `${DATABASE}\nExample:\n  $ linekeeper backup /backups/linekeeper-2026-01-05.backup`,
    )
    .action(backup);
  addOne(program, 'restore', counts)
    .description('Restores a backup into an empty database, or with --force instead of its content.')
    .argument('<file>', 'a file from linekeeper backup')
    .option('--force', 'replace everything in the database')
    .addHelpText(
      'after',
      `${DATABASE}\nExample:\n  $ linekeeper restore /backups/linekeeper-2026-01-05.backup`,
    )
    .action(restore);
  addOne(program, 'shard', 'print the result, and errors on stderr, as JSON')
    .summary('Distributes the database over the workers of a Citus cluster.')
    .description(
      'Distributes the tables of DATABASE_URL (DATABASE_DIRECT_URL where it is set) by profile over the workers of a Citus ' +
        'cluster. Stop every process of the service first, and keep a backup; --rebalance and --isolate run while it serves. You ' +
        'can repeat each command: data that is already in place stays there.',
    )
    .option('--plan', 'print the plan, and do nothing')
    .option('--rebalance', 'redistribute the customers over all workers, after you added one')
    .option(
      '--isolate <profile>',
      'give one large customer its own shards, on the worker with the least other data',
    )
    .option(
      '--block-writes',
      'with --isolate: block its writes during the move; the workers then need no output plugin',
    )
    .addHelpText(
      'after',
      '\nExit code 3 says that the server does not have Citus.\n\nExample:\n  $ linekeeper shard --plan',
    )
    .action(shard);
}
