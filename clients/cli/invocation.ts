import type { Command } from 'commander';
import { type OperatorApi, openOperatorApi } from './operator-api.ts';
import type { GlobalOptions } from './settings.ts';
import { type Surroundings, surroundingsOf } from './surroundings.ts';

/** One run of a command: what it was asked, and what is around it. */
export interface Run<Options extends GlobalOptions = GlobalOptions> {
  readonly around: Surroundings;
  readonly options: Options;
  readonly json: boolean;
}

/** One that works with the operator API. */
export interface Invocation extends Run {
  readonly api: OperatorApi;
}

export function runOf<Options extends GlobalOptions = GlobalOptions>(command: Command): Run<Options> {
  const options = command.optsWithGlobals<Options>();
  return { around: surroundingsOf(command), options, json: options.json ?? false };
}

export function invocationOf(command: Command): Invocation {
  const run = runOf(command);
  return { ...run, api: openOperatorApi(run) };
}
