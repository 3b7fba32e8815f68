import { type Command, Option } from 'commander';
import { dateTime, matching, numberWithin } from './parse-value.ts';
import type { GlobalOptions } from './run.ts';

export interface ServiceOptions extends GlobalOptions {
  readonly port?: number;
  readonly dataDir?: string;
  readonly fleet?: string;
  readonly demo?: string;
  readonly seed?: string;
  readonly now?: string;
  readonly freeze?: boolean;
}

/** Every option stands for a setting and takes precedence over it. */
export function variablesOf({
  port,
  dataDir,
  fleet,
  demo,
  seed,
  now,
  freeze,
}: ServiceOptions): Record<string, string> {
  const given = {
    LINEKEEPER_PORT: port?.toString(),
    LINEKEEPER_DATA_DIR: dataDir,
    LINEKEEPER_FLEET: fleet,
    LINEKEEPER_DEMO: demo,
    LINEKEEPER_SIMULATOR_SEED: seed,
    LINEKEEPER_NOW: now,
    LINEKEEPER_FREEZE: freeze ? 'on' : undefined,
  };
  return Object.fromEntries(
    Object.entries(given).filter((pair): pair is [string, string] => Boolean(pair[1])),
  );
}

/** The options for starting a service, with the descriptions of the two whose default depends on the command. */
export function addServiceOptions(command: Command, words: { port: string; dataDir: string }): Command {
  return command
    .option('--port <number>', words.port, numberWithin(0, 65_535, 8080))
    .option('--data-dir <folder>', words.dataDir)
    .option('--fleet <file>', 'fleet document to load into an empty sandbox (LINEKEEPER_FLEET)')
    .addOption(
      new Option('--demo <on|off>', 'load the demo fleet into an empty sandbox (LINEKEEPER_DEMO)').choices([
        'on',
        'off',
      ]),
    )
    .option(
      '--seed <word>',
      'seed for ids, tokens and simulated devices: the same word with a frozen clock gives the same results; not for real data (LINEKEEPER_SIMULATOR_SEED)',
      matching(/^[\w-]{1,32}$/, '1 to 32 letters, digits, - and _ such as 42'),
    )
    .option(
      '--now <date>',
      "start time of the sandbox's clock; a time before now needs an empty folder (LINEKEEPER_NOW)",
      dateTime,
    )
    .option('--freeze', "freeze the sandbox's clock from the start (LINEKEEPER_FREEZE)");
}
