import { InvalidArgumentError } from 'commander';
import { addAccounts } from './commands/accounts.ts';
import { addActions } from './commands/actions.ts';
import { addAudit } from './commands/audit.ts';
import { addCall } from './commands/call.ts';
import { addCallbacks } from './commands/callbacks.ts';
import { addClients } from './commands/clients.ts';
import { addClock } from './commands/clock.ts';
import { addCompletion } from './commands/completion.ts';
import { addDevices } from './commands/devices.ts';
import { addExport } from './commands/export.ts';
import { addFeeds } from './commands/feeds.ts';
import { addFirings } from './commands/firings.ts';
import { addHealth } from './commands/health.ts';
import { addImport } from './commands/import.ts';
import { addJobs } from './commands/jobs.ts';
import { addKeys } from './commands/keys.ts';
import { addListen } from './commands/listen.ts';
import { addLogin } from './commands/login.ts';
import { addNetwork } from './commands/network.ts';
import { addNotifications } from './commands/notifications.ts';
import { addReconcile } from './commands/reconcile.ts';
import { addScenario } from './commands/scenario.ts';
import { addSimulator } from './commands/simulator.ts';
import { addTrigger } from './commands/trigger.ts';
import { addUsers } from './commands/users.ts';
import { VERSION } from './open-request.ts';
import { type Output, Program, type Surroundings } from './surroundings.ts';

function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 86_400)) throw new InvalidArgumentError('It is a number of seconds.');
  return value;
}

/** In the order in which help lists them. */
const COMMANDS = [
  addLogin,
  addImport,
  addExport,
  addFeeds,
  addReconcile,
  addClock,
  addSimulator,
  addScenario,
  addNetwork,
  addAccounts,
  addDevices,
  addUsers,
  addClients,
  addKeys,
  addAudit,
  addJobs,
  addActions,
  addFirings,
  addCallbacks,
  addTrigger,
  addListen,
  addNotifications,
  addCall,
  addHealth,
  addCompletion,
];

const helpWidth = ({ isTTY, columns = 80 }: Output): number => (isTTY ? columns : 80);

/** Errors are told in one place, and help that nobody asked for does not go between JSON. */
function endQuietly(program: Program, json: boolean): void {
  const { stdout, stderr } = program.around;
  program.exitOverride().configureOutput({
    outputError: () => {},
    writeOut: (text) => void stdout.write(text),
    writeErr: (text) => void (json || stderr.write(text)),
    getOutHelpWidth: () => helpWidth(stdout),
    getErrHelpWidth: () => helpWidth(stderr),
  });
}

export function buildProgram(args: readonly string[], around: Surroundings): Program {
  const program = new Program(around);
  endQuietly(program, args.includes('--json'));
  program
    .description('Operates a Linekeeper service over its operator API, and calls it as its users do.')
    .version(VERSION)
    .option(
      '--url <url>',
      'where the service is, with its base path (LINEKEEPER_URL); otherwise the one that runs in the data folder',
    )
    .option(
      '--key <key>',
      'operator key (LINEKEEPER_OPERATOR_KEY); otherwise the file operator-key in the data folder',
    )
    .option('--profile <name>', 'address and credentials that login has stored (LINEKEEPER_PROFILE)')
    .option('--json', 'answers, and errors on stderr, as JSON')
    .option(
      '--timeout <seconds>',
      'longest wait for an answer; for import, export and feeds the longest silence',
      seconds,
    )
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      'after',
      '\nlinekeeper start, or linekeeper alone, starts the service: a sandbox unless DATABASE_URL is set.\n' +
        'linekeeper backup FILE and linekeeper restore FILE save and bring back its database.\n' +
        'linekeeper shard spreads that over the nodes of a Citus cluster.\n' +
        '\nThe data folder is LINEKEEPER_DATA_DIR, or .linekeeper in the current folder.\n' +
        '\nExit codes: 0 done, 1 refused, 2 wrong usage, 3 no service, 4 no answer in time, 5 not allowed, 6 not found.\n' +
        '\nExample:\n  $ linekeeper import fleet.json',
    );
  for (const add of COMMANDS) add(program);
  return program;
}
