import type { Command } from 'commander';
import { type OperatorApi, openOperatorApi } from './operator-api.ts';
import { type Run, runOf } from './run.ts';

/** A run with the operator API. */
export interface Invocation extends Run {
  readonly api: OperatorApi;
}

export function invocationOf(command: Command): Invocation {
  const run = runOf(command);
  return { ...run, api: openOperatorApi(run) };
}
