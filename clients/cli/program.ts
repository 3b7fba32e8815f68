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

/** In the groups and the order in which help lists them, each by the words that it adds. Completion is about all of them. */
const GROUPS: Readonly<Record<string, readonly Entry[]>> = {
  'Running it': [
    [['start'], async () => (await import('./commands/start.ts')).addStart],
    [['exec'], async () => (await import('./commands/exec.ts')).addExec],
    [['backup', 'restore', 'shard'], async () => (await import('./commands/database.ts')).addDatabase],
    [['health', 'processes', 'workers'], async () => (await import('./commands/health.ts')).addHealth],
  ],
  'Who you are': [
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
  'What happens': [
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

/** Only what is asked for: to load the others would take longer than most commands. */
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

/** What stands behind -- is of another command. */
export const asksForJson = (args: readonly string[]): boolean => {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).includes('--json');
};

/** The program as far as these arguments need it; without any, all of it. */
export async function buildProgram(args: readonly string[], around: Surroundings): Promise<Program> {
  const program = new Program(around);
  endQuietly(program, asksForJson(args));
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
      '\nlinekeeper alone is linekeeper start. The help of a command has an example: linekeeper clock advance --help.\n' +
        '\nThe data folder is LINEKEEPER_DATA_DIR, or .linekeeper in the current folder.\n' +
        '\nExit codes: 0 done, 1 refused or nothing found to do, 2 wrong usage, 3 no service, 4 no answer in time, 5 not allowed,\n6 not found.\n' +
        '\nExample:\n  $ linekeeper import fleet.json',
    );
  program
    .helpCommand('help [command]', 'Shows this, or the help of a command.')
    .helpOption('-h, --help', 'show help');
  await addCommands(program, args);
  return program;
}
