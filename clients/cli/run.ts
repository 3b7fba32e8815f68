import type { Command } from 'commander';
import { type Surroundings, surroundingsOf } from './surroundings.ts';

export interface GlobalOptions {
  readonly url?: string;
  readonly key?: string;
  readonly profile?: string;
  readonly json?: boolean;
  /** In seconds. */
  readonly timeout?: number;
}

/** One run of a command: its options and its surroundings. */
export interface Run<Options extends GlobalOptions = GlobalOptions> {
  readonly around: Surroundings;
  readonly options: Options;
  readonly json: boolean;
}

export function runOf<Options extends GlobalOptions = GlobalOptions>(command: Command): Run<Options> {
  const options = command.optsWithGlobals<Options>();
  return { around: surroundingsOf(command), options, json: options.json ?? false };
}
