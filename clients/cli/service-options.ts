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

/** Every option is another spelling of a setting, and comes before it. */
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

/** What a service can be started with; the words about the two that each command has its own default for. */
export function addServiceOptions(command: Command, words: { port: string; dataDir: string }): Command {
  return command
    .option('--port <number>', words.port, numberWithin(0, 65_535, 8080))
    .option('--data-dir <folder>', words.dataDir)
    .option('--fleet <file>', 'fleet document that an empty sandbox starts with (LINEKEEPER_FLEET)')
    .addOption(
      new Option('--demo <on|off>', 'load the demo fleet into an empty sandbox (LINEKEEPER_DEMO)').choices([
        'on',
        'off',
      ]),
    )
    .option(
      '--seed <word>',
      'what ids, tokens and the lives of the devices follow from: the same again with the same word, for a clock that stands still, and nothing for real data (LINEKEEPER_SIMULATOR_SEED)',
      matching(/^[\w-]{1,32}$/, '1 to 32 letters, digits, - and _ such as 42'),
    )
    .option(
      '--now <date>',
      "time at which the sandbox's clock starts; before real time only in an empty folder (LINEKEEPER_NOW)",
      dateTime,
    )
    .option('--freeze', "let the sandbox's clock stand still from the start (LINEKEEPER_FREEZE)");
}
