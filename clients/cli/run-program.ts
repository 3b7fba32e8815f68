import { CommanderError } from 'commander';
import { LinekeeperError } from '../sdk/index.ts';
import { describeUsageError, findCommand } from './explain-usage.ts';
import { Ended, EXIT, Failure, failureOf, reportFailure } from './failure.ts';
import { asksForJson, buildProgram } from './program.ts';
import type { Program, Surroundings } from './surroundings.ts';

function asFailure(error: unknown, program: Program, args: readonly string[]): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof LinekeeperError) return failureOf(error);
  if (!(error instanceof CommanderError)) throw error;
  return describeUsageError(error, findCommand(program, args));
}

/** Commander ends a run itself, even without an error, after help and version. */
const isEnd = (error: unknown): error is Ended | CommanderError =>
  error instanceof Ended || (error instanceof CommanderError && error.exitCode === EXIT.done);

/** The whole program as a function from arguments to exit code. It neither ends nor changes the process. */
export async function runProgram(args: readonly string[], around: Surroundings): Promise<number> {
  // Determined before the arguments are parsed, so that their errors are JSON too.
  const json = asksForJson(args);
  const program = await buildProgram(args, around);
  try {
    await program.parseAsync(args, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (isEnd(error)) return error.exitCode;
    const failure = asFailure(error, program, args);
    reportFailure(failure, { json, stderr: around.stderr });
    return failure.exitCode;
  }
}
