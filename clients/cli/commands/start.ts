import { type Command, Option } from 'commander';
import { wrongUsage } from '../failure.ts';
import { dateTime, matching, numberWithin } from '../parse-value.ts';
import { type GlobalOptions, runOf } from '../run.ts';
import { programFile, refuseClientOptions } from '../service-programs.ts';

/** As `npm start` and the image have them: a heap that grows in small steps. Node takes them at its start only. */
const HEAP = ['--max-semi-space-size=16', '--heap-growing-percent=50'];

interface StartOptions extends GlobalOptions {
  readonly port?: number;
  readonly dataDir?: string;
  readonly fleet?: string;
  readonly demo?: string;
  readonly seed?: string;
  readonly now?: string;
}

/** Every option is another spelling of a setting, and comes before it. */
function variablesOf({ port, dataDir, fleet, demo, seed, now, json }: StartOptions): Record<string, string> {
  const given = {
    LINEKEEPER_PORT: port?.toString(),
    LINEKEEPER_DATA_DIR: dataDir,
    LINEKEEPER_FLEET: fleet,
    LINEKEEPER_DEMO: demo,
    LINEKEEPER_SIMULATOR_SEED: seed,
    LINEKEEPER_NOW: now,
    ...(json && { LINEKEEPER_READY_FORMAT: 'json', LINEKEEPER_LOG_FORMAT: 'json' }),
  };
  return Object.fromEntries(
    Object.entries(given).filter((pair): pair is [string, string] => Boolean(pair[1])),
  );
}

async function start(_: object, command: Command): Promise<void> {
  const run = runOf<StartOptions>(command);
  const { around, options } = run;
  refuseClientOptions(run);
  if (around.become === undefined)
    throw wrongUsage('The service is a process of its own: start it with the program linekeeper');
  const flags = process.execArgv.filter((flag) => !HEAP.includes(flag));
  await around.become([...flags, ...HEAP, programFile('main')], { ...around.env, ...variablesOf(options) });
}

export function addStart(program: Command): void {
  program
    .command('start')
    .summary('Starts the service.')
    .description(
      'Starts the service: a sandbox with a demo fleet, or production where DATABASE_URL is set. It runs until Ctrl-C. ' +
        'Each option takes the place of a setting; docs/settings.md has all of them.',
    )
    .option(
      '--port <number>',
      'port to listen on; 0 takes a free one (LINEKEEPER_PORT)',
      numberWithin(0, 65_535, 8080),
    )
    .option('--data-dir <folder>', 'folder of the embedded database and the keys (LINEKEEPER_DATA_DIR)')
    .option('--fleet <file>', 'fleet document that an empty sandbox starts with (LINEKEEPER_FLEET)')
    .addOption(
      new Option('--demo <on|off>', 'load the demo fleet into an empty sandbox (LINEKEEPER_DEMO)').choices([
        'on',
        'off',
      ]),
    )
    .option(
      '--seed <word>',
      'what the lives of the demo devices follow from (LINEKEEPER_SIMULATOR_SEED)',
      matching(/^[\w-]{1,32}$/, '1 to 32 letters, digits, - and _ such as 42'),
    )
    .option(
      '--now <date>',
      "time at which the sandbox's clock starts; before real time only in an empty folder (LINEKEEPER_NOW)",
      dateTime,
    )
    .option('--json', 'print {"ready":true,"url":…,"operatorKey":…,"pid":…} on one line, and the log as JSON')
    .configureHelp({ showGlobalOptions: false })
    .addHelpText(
      'after',
      '\nExamples:\n  $ linekeeper start --port 9090 --data-dir /tmp/sandbox' +
        '\n  $ linekeeper start --fleet fleet.json --now 2026-01-01T00:00:00Z --json',
    )
    .action(start);
}
