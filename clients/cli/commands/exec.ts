import { resolve } from 'node:path';
import type { Command } from 'commander';
import { knownCredentials } from '../../testing/credentials.ts';
import { type ServiceProcess, StartError, startServiceProcess } from '../../testing/service-process.ts';
import { FOR_TESTS } from '../../testing/service-settings.ts';
import { makeTemporaryFolder } from '../../testing/temporary-folder.ts';
import { Ended, EXIT, Failure, wrongUsage } from '../failure.ts';
import { runOf } from '../run.ts';
import { addServiceOptions, type ServiceOptions, variablesOf } from '../service-options.ts';
import { refuseClientOptions } from '../service-programs.ts';
import type { Surroundings } from '../surroundings.ts';

interface Options extends ServiceOptions {
  readonly log?: string;
}

const EXAMPLE = 'linekeeper exec -- npm test';
/** Settings that the sandbox must not inherit: the command's own database, and another service's folder or port. */
const NOT_PASSED_ON = /^(DATABASE(_DIRECT|_REPLICA)?_URL|LINEKEEPER_(PORT|DATA_DIR))$/;

type Variables = Surroundings['env'];

function settingsOf({ env, cwd }: Surroundings, options: Options): Variables {
  const passedOn = Object.entries(env).filter(([name]) => !NOT_PASSED_ON.test(name));
  const { fleet, dataDir } = options;
  const absolute = {
    ...options,
    ...(fleet !== undefined && { fleet: resolve(cwd, fleet) }),
    ...(dataDir !== undefined && { dataDir: resolve(cwd, dataDir) }),
  };
  return {
    ...FOR_TESTS,
    ...Object.fromEntries(passedOn),
    LINEKEEPER_MODE: 'sandbox',
    ...variablesOf(absolute),
  };
}

async function startService(settings: Variables, log: string | undefined): Promise<ServiceProcess> {
  const folder = settings['LINEKEEPER_DATA_DIR'] === undefined ? await makeTemporaryFolder() : undefined;
  try {
    return await startServiceProcess({ env: { ...settings, ...folder?.env }, log });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    if (!error.wasKilled) await folder?.remove();
    throw new Failure(error.exitCode === EXIT.usage ? 'usage' : 'refused', error.message);
  }
}

/** The application and user who may call it, if the fleet at its start defines them. */
function userOf(settings: Variables): Variables {
  const fleet = settings['LINEKEEPER_FLEET'] || undefined;
  const demo = fleet === undefined && !/^(off|false|0|no)$/i.test(settings['LINEKEEPER_DEMO'] ?? '');
  const { clientId, clientSecret, username, password } = knownCredentials({ demo, fleet });
  const known = {
    LINEKEEPER_CLIENT_ID: clientId,
    LINEKEEPER_CLIENT_SECRET: clientSecret,
    LINEKEEPER_USERNAME: username,
    LINEKEEPER_PASSWORD: password,
  };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

async function exec(words: readonly string[], _: object, command: Command): Promise<void> {
  const run = runOf<Options>(command);
  const { around, options } = run;
  refuseClientOptions(run);
  if (words.length === 0) throw wrongUsage('Give a command after --', EXAMPLE);
  if (around.runCommand === undefined)
    throw wrongUsage('The command needs its own process: run it with the program linekeeper');
  const settings = settingsOf(around, options);
  const service = await startService(settings, options.log && resolve(around.cwd, options.log));
  let exitCode: number;
  try {
    exitCode = await around.runCommand(words, {
      ...around.env,
      LINEKEEPER_URL: service.url,
      LINEKEEPER_OPERATOR_KEY: service.operatorKey,
      ...userOf(settings),
    });
  } finally {
    await service.stop();
  }
  if (exitCode !== EXIT.done) throw new Ended(exitCode);
}

export function addExec(program: Command): void {
  const command = program
    .command('exec')
    .summary('Runs a command with its own sandbox.')
    .description(
      'Starts a sandbox, runs a command with LINEKEEPER_URL and LINEKEEPER_OPERATOR_KEY set, stops the sandbox after the ' +
        'command, and passes on its exit code. With the demo fleet, or a fleet whose first application and user have secrets, ' +
        'LINEKEEPER_CLIENT_ID, LINEKEEPER_CLIENT_SECRET, LINEKEEPER_USERNAME and LINEKEEPER_PASSWORD are set too. ' +
        'Its devices are simulated only if LINEKEEPER_SIMULATOR is on.',
    )
    .argument('[command...]', 'the command to run, after --');
  addServiceOptions(command, {
    port: 'port to listen on; default: a free one',
    dataDir: 'folder to keep; default: a temporary one',
  })
    .option('--log <file>', 'write the log of the sandbox to this file, at LINEKEEPER_LOG_LEVEL')
    .configureHelp({ showGlobalOptions: false })
    .addHelpText(
      'after',
      `\nExamples:\n  $ ${EXAMPLE}\n  $ linekeeper exec --fleet fleet.json --now 2026-01-01T00:00:00Z -- python3 -m pytest`,
    )
    .action(exec);
}
