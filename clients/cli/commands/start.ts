import type { Command } from 'commander';
import { wrongUsage } from '../failure.ts';
import { runOf } from '../run.ts';
import { addServiceOptions, type ServiceOptions, variablesOf } from '../service-options.ts';
import { programFile, QUIET, refuseClientOptions } from '../service-programs.ts';

/** The same flag as `npm start` and the image, for a small heap. Node reads it only at its start. */
const HEAP = ['--max-semi-space-size=16'];
const AS_JSON = { LINEKEEPER_READY_FORMAT: 'json', LINEKEEPER_LOG_FORMAT: 'json' };

async function start(_: object, command: Command): Promise<void> {
  const run = runOf<ServiceOptions>(command);
  const { around, options, json } = run;
  refuseClientOptions(run);
  if (around.become === undefined)
    throw wrongUsage('The service needs its own process: start it with the program linekeeper');
  const own = [...HEAP, ...QUIET];
  const flags = process.execArgv.filter((flag) => !own.includes(flag));
  const env = { ...around.env, ...variablesOf(options), ...(json && AS_JSON) };
  await around.become([...flags, ...own, programFile('main')], env);
}

export function addStart(program: Command): void {
  const command = program
    .command('start')
    .summary('Starts the service.')
    .description(
      'Starts the service: a sandbox with a demo fleet, or production if DATABASE_URL is set. It runs until Ctrl-C. ' +
        'Each option overrides a setting; docs/settings.md lists all settings.',
    );
  addServiceOptions(command, {
    port: 'port to listen on; 0 selects a free one (LINEKEEPER_PORT)',
    dataDir: 'folder of the embedded database and the keys (LINEKEEPER_DATA_DIR)',
  })
    .option('--json', 'print {"ready":true,"url":…,"operatorKey":…,"pid":…} on one line, and the log as JSON')
    .configureHelp({ showGlobalOptions: false })
    .addHelpText(
      'after',
      '\nExamples:\n  $ linekeeper start --port 9090 --data-dir /tmp/sandbox' +
        '\n  $ linekeeper start --fleet fleet.json --now 2026-01-01T00:00:00Z --json',
    )
    .action(start);
}
