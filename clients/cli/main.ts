import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { addAccounts } from './commands/accounts.ts';
import { addActions } from './commands/actions.ts';
import { addAudit } from './commands/audit.ts';
import { addCallbacks } from './commands/callbacks.ts';
import { addClients } from './commands/clients.ts';
import { addClock } from './commands/clock.ts';
import { addDevices } from './commands/devices.ts';
import { addExport } from './commands/export.ts';
import { addFirings } from './commands/firings.ts';
import { addHealth } from './commands/health.ts';
import { addImport } from './commands/import.ts';
import { addJobs } from './commands/jobs.ts';
import { addKeys } from './commands/keys.ts';
import { addListen } from './commands/listen.ts';
import { addNotifications } from './commands/notifications.ts';
import { addReadings } from './commands/readings.ts';
import { addReconcile } from './commands/reconcile.ts';
import { addUsage } from './commands/usage.ts';
import { addUsers } from './commands/users.ts';
import { EXIT, Failure, reportFailure, wrongUsage } from './failure.ts';
import { VERSION } from './open-request.ts';

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
const EXIT_READER_GONE = 141;
/** Known before the arguments are read: an error in them is JSON too. */
const json = process.argv.includes('--json');

function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 86_400)) throw new InvalidArgumentError('It is a number of seconds.');
  return value;
}

function buildProgram(): Command {
  const program = new Command('linekeeper')
    .description('Operates a Linekeeper service over its operator API.')
    .version(VERSION)
    .addOption(
      new Option(
        '--url <url>',
        'where the service is, with its base path; otherwise the one that runs in the data folder',
      ).env('LINEKEEPER_URL'),
    )
    .addOption(
      new Option('--key <key>', 'operator key; otherwise the file operator-key in the data folder').env(
        'LINEKEEPER_OPERATOR_KEY',
      ),
    )
    .option('--json', 'answers, and errors on stderr, as JSON')
    .option(
      '--timeout <seconds>',
      'longest wait for an answer; for import, export, usage and readings the longest silence',
      seconds,
    )
    .exitOverride()
    .configureOutput({ outputError: () => {}, writeErr: (text) => void (json || process.stderr.write(text)) })
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      'after',
      '\nThe data folder is LINEKEEPER_DATA_DIR, or .linekeeper in the current folder.\n\nExample:\n  $ linekeeper import fleet.json',
    );
  for (const add of [
    addImport,
    addExport,
    addUsage,
    addReadings,
    addReconcile,
    addClock,
    addAccounts,
    addDevices,
    addUsers,
    addClients,
  ])
    add(program);
  for (const add of [
    addKeys,
    addAudit,
    addJobs,
    addActions,
    addCallbacks,
    addNotifications,
    addFirings,
    addListen,
    addHealth,
  ])
    add(program);
  return program;
}

/** Undefined where commander ended the run itself with nothing wrong: help and version. */
function asFailure(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  if (!(error instanceof CommanderError)) throw error;
  if (error.exitCode === EXIT.done) return undefined;
  if (error.code === 'commander.help') return wrongUsage('A command is needed; linekeeper --help lists them');
  return wrongUsage(error.message.replace(/^error: /, '').replaceAll('\n', ' '));
}

// Ends through 'exit', where what is half written is removed.
for (const [signal, code] of Object.entries(SIGNALS)) process.on(signal, () => process.exit(code));
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT_READER_GONE);
  reportFailure(wrongUsage(`Standard output cannot be written: ${error.message}`), { json });
  process.exit(EXIT.usage);
});

try {
  await buildProgram().parseAsync();
} catch (error) {
  const failure = asFailure(error);
  if (failure !== undefined) reportFailure(failure, { json });
  process.exitCode = failure?.exitCode ?? EXIT.done;
}
