import { CommanderError } from 'commander';
import { LinekeeperError } from '../sdk/index.ts';
import { Ended, EXIT, Failure, failureOf, reportFailure, wrongUsage } from './failure.ts';
import { buildProgram } from './program.ts';
import type { Surroundings } from './surroundings.ts';

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof LinekeeperError) return failureOf(error);
  if (!(error instanceof CommanderError)) throw error;
  if (error.code === 'commander.help') return wrongUsage('Give a command; linekeeper --help lists them');
  return wrongUsage(error.message.replace(/^error: /, '').replaceAll('\n', ' '));
}

/** Commander ends a run itself, also with nothing wrong: after help and version. */
const isEnd = (error: unknown): error is Ended | CommanderError =>
  error instanceof Ended || (error instanceof CommanderError && error.exitCode === EXIT.done);

/** The whole program behind the boundary of a process: arguments in, exit code out. It neither ends nor changes one. */
export async function runProgram(args: readonly string[], around: Surroundings): Promise<number> {
  // Known before the arguments are read: an error in them is JSON too.
  const json = args.includes('--json');
  try {
    await (await buildProgram(args, around)).parseAsync(args, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (isEnd(error)) return error.exitCode;
    const failure = asFailure(error);
    reportFailure(failure, { json, stderr: around.stderr });
    return failure.exitCode;
  }
}
