import type { Command } from 'commander';
import { type OperatorApi, openOperatorApi } from './operator-api.ts';
import type { GlobalOptions } from './settings.ts';

/** What one run of a command works with. */
export interface Invocation {
  readonly options: GlobalOptions;
  readonly json: boolean;
  readonly api: OperatorApi;
}

export function invocationOf(command: Command): Invocation {
  const options = command.optsWithGlobals<GlobalOptions>();
  return { options, json: options.json ?? false, api: openOperatorApi(options) };
}
