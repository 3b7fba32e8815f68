import { type Command, InvalidArgumentError } from 'commander';
import { VERSION } from './open-request.ts';
import { type Output, Program, type Surroundings } from './surroundings.ts';

function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 86_400)) throw new InvalidArgumentError('It must be a number of seconds.');
  return value;
}

type AddCommands = (program: Command) => void;
type Entry = readonly [words: readonly string[], load: () => Promise<AddCommands>];

/** In the order in which help lists them, each by the words that it adds. Completion is about all of them. */
const COMMANDS: readonly Entry[] = [
  [['login', 'logout', 'profiles'], async () => (await import('./commands/login.ts')).addLogin],
  [['import'], async () => (await import('./commands/import.ts')).addImport],
  [['export'], async () => (await import('./commands/export.ts')).addExport],
  [['usage', 'positions', 'readings'], async () => (await import('./commands/feeds.ts')).addFeeds],
  [['reconcile'], async () => (await import('./commands/reconcile.ts')).addReconcile],
  [['clock'], async () => (await import('./commands/clock.ts')).addClock],
  [['simulator'], async () => (await import('./commands/simulator.ts')).addSimulator],
  [['scenario'], async () => (await import('./commands/scenario.ts')).addScenario],
  [['network'], async () => (await import('./commands/network.ts')).addNetwork],
  [['accounts'], async () => (await import('./commands/accounts.ts')).addAccounts],
  [['devices'], async () => (await import('./commands/devices.ts')).addDevices],
  [['users'], async () => (await import('./commands/users.ts')).addUsers],
  [['clients'], async () => (await import('./commands/clients.ts')).addClients],
  [['keys'], async () => (await import('./commands/keys.ts')).addKeys],
  [['audit'], async () => (await import('./commands/audit.ts')).addAudit],
  [['jobs'], async () => (await import('./commands/jobs.ts')).addJobs],
  [['actions'], async () => (await import('./commands/actions.ts')).addActions],
  [['firings'], async () => (await import('./commands/firings.ts')).addFirings],
  [['callbacks'], async () => (await import('./commands/callbacks.ts')).addCallbacks],
  [['trigger'], async () => (await import('./commands/trigger.ts')).addTrigger],
  [['listen'], async () => (await import('./commands/listen.ts')).addListen],
  [['mail', 'sms'], async () => (await import('./commands/notifications.ts')).addNotifications],
  [['call'], async () => (await import('./commands/call.ts')).addCall],
  [['health'], async () => (await import('./commands/health.ts')).addHealth],
  [[], async () => (await import('./commands/completion.ts')).addCompletion],
];

/** Only what is asked for: to load the others would take longer than most commands. */
async function loadCommands([first = '']: readonly string[]): Promise<readonly AddCommands[]> {
  const named = COMMANDS.filter(([words]) => words.includes(first));
  return Promise.all((named.length > 0 ? named : COMMANDS).map(([, load]) => load()));
}

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

/** The program as far as these arguments need it; without any, all of it. */
export async function buildProgram(args: readonly string[], around: Surroundings): Promise<Program> {
  const program = new Program(around);
  endQuietly(program, args.includes('--json'));
  program
    .description('Operates a Linekeeper service over its operator API, and calls it as its users do.')
    .version(VERSION)
    .option(
      '--url <url>',
      'URL of the service with its base path (LINEKEEPER_URL); default: the service that runs in the data folder',
    )
    .option(
      '--key <key>',
      'operator key (LINEKEEPER_OPERATOR_KEY); default: the file operator-key in the data folder',
    )
    .option('--profile <name>', 'URL and credentials that login stored (LINEKEEPER_PROFILE)')
    .option('--json', 'print answers, and errors on stderr, as JSON')
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
  for (const add of await loadCommands(args)) add(program);
  return program;
}
