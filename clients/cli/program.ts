import { type Command, InvalidArgumentError } from 'commander';
import { VERSION } from './open-request.ts';
import { type Output, Program, type Surroundings } from './surroundings.ts';

function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 86_400))
    throw new InvalidArgumentError('It must be a number of seconds such as 30.');
  return value;
}

type AddCommands = (program: Command) => void;
type Entry = readonly [words: readonly string[], load: () => Promise<AddCommands>];

/** The commands in the groups and the order of the help text, each with the words that it adds. Completion loads all. */
const GROUPS: Readonly<Record<string, readonly Entry[]>> = {
  'Running the service': [
    [['start'], async () => (await import('./commands/start.ts')).addStart],
    [['exec'], async () => (await import('./commands/exec.ts')).addExec],
    [['backup', 'restore', 'shard'], async () => (await import('./commands/database.ts')).addDatabase],
    [['health', 'processes', 'workers'], async () => (await import('./commands/health.ts')).addHealth],
  ],
  Credentials: [
    [['login', 'logout', 'profiles'], async () => (await import('./commands/login.ts')).addLogin],
    [['keys'], async () => (await import('./commands/keys.ts')).addKeys],
  ],
  'Fleet and feeds': [
    [['import'], async () => (await import('./commands/import.ts')).addImport],
    [['export'], async () => (await import('./commands/export.ts')).addExport],
    [['usage', 'positions', 'readings', 'cells'], async () => (await import('./commands/feeds.ts')).addFeeds],
    [['reconcile'], async () => (await import('./commands/reconcile.ts')).addReconcile],
  ],
  Sandbox: [
    [['clock'], async () => (await import('./commands/clock.ts')).addClock],
    [['snapshots'], async () => (await import('./commands/snapshots.ts')).addSnapshots],
    [['reset'], async () => (await import('./commands/snapshots.ts')).addReset],
    [['faults'], async () => (await import('./commands/faults.ts')).addFaults],
    [['simulator'], async () => (await import('./commands/simulator.ts')).addSimulator],
    [['scenario'], async () => (await import('./commands/scenario.ts')).addScenario],
    [['network'], async () => (await import('./commands/network.ts')).addNetwork],
  ],
  'Accounts and devices': [
    [['customers'], async () => (await import('./commands/customers.ts')).addCustomers],
    [['accounts'], async () => (await import('./commands/accounts.ts')).addAccounts],
    [['devices'], async () => (await import('./commands/devices.ts')).addDevices],
    [['plans'], async () => (await import('./commands/plans.ts')).addPlans],
    [['users'], async () => (await import('./commands/users.ts')).addUsers],
    [['clients'], async () => (await import('./commands/clients.ts')).addClients],
  ],
  'Traffic and events': [
    [['requests'], async () => (await import('./commands/requests.ts')).addRequests],
    [['callbacks'], async () => (await import('./commands/callbacks.ts')).addCallbacks],
    [['listen'], async () => (await import('./commands/listen.ts')).addListen],
    [['trigger'], async () => (await import('./commands/trigger.ts')).addTrigger],
    [['firings'], async () => (await import('./commands/firings.ts')).addFirings],
    [['actions'], async () => (await import('./commands/actions.ts')).addActions],
    [['mail', 'sms'], async () => (await import('./commands/notifications.ts')).addNotifications],
    [['jobs'], async () => (await import('./commands/jobs.ts')).addJobs],
    [['audit'], async () => (await import('./commands/audit.ts')).addAudit],
  ],
  Others: [
    [['call'], async () => (await import('./commands/call.ts')).addCall],
    [[], async () => (await import('./commands/completion.ts')).addCompletion],
  ],
};

/** Loads only the needed commands, because loading all takes longer than running most of them. */
async function addCommands(program: Command, [first = '']: readonly string[]): Promise<void> {
  const entries = Object.entries(GROUPS).flatMap(([group, of]) => of.map((entry) => ({ group, entry })));
  const named = entries.filter(({ entry: [words] }) => words.includes(first));
  const wanted = named.length > 0 ? named : entries;
  const adders = await Promise.all(wanted.map(({ entry: [, load] }) => load()));
  for (const [i, add] of adders.entries()) {
    program.commandsGroup(`${wanted[i]!.group}:`);
    add(program);
  }
}

const helpWidth = ({ isTTY, columns = 80 }: Output): number => (isTTY ? columns : 80);

/** One place reports errors, and unrequested help never mixes with JSON. */
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

/** Words after -- belong to another command. */
export const asksForJson = (args: readonly string[]): boolean => {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).includes('--json');
};

/** The program with the commands that these arguments need; all commands if there are none. */
export async function buildProgram(args: readonly string[], around: Surroundings): Promise<Program> {
  const program = new Program(around);
  endQuietly(program, asksForJson(args));
  program
    .description('Operates a Linekeeper service through its operator API, and calls it as its users do.')
    .version(VERSION)
    .option(
      '--url <url>',
      'URL of the service with its base path (LINEKEEPER_URL); default: the service running in the data folder',
    )
    .option(
      '--key <key>',
      'operator key (LINEKEEPER_OPERATOR_KEY); default: the file operator-key in the data folder',
    )
    .option('--profile <name>', 'URL and credentials stored by login (LINEKEEPER_PROFILE)')
    .option('--json', 'print answers, and errors on stderr, as JSON')
    .option(
      '--timeout <seconds>',
      'time limit for an answer; for import, export and feeds, time limit for silence',
      seconds,
    )
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      'after',
      '\nlinekeeper without a command is linekeeper start. Each command has its own help with an example: linekeeper clock advance --help.\n' +
        '\nThe data folder is LINEKEEPER_DATA_DIR, or .linekeeper in the current folder.\n' +
        '\nExit codes: 0 done, 1 refused or nothing to do, 2 wrong usage, 3 no service, 4 no answer in time, 5 not allowed,\n6 not found.\n' +
        '\nExample:\n  $ linekeeper import fleet.json',
    );
  program
    .helpCommand('help [command]', 'Shows this help, or the help of a command.')
    .helpOption('-h, --help', 'show help');
  await addCommands(program, args);
  return program;
}
