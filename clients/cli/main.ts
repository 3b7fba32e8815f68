import { type Command, CommanderError } from 'commander';
import { LinekeeperError } from '../sdk/index.ts';
import { EXIT, Failure, failureOf, reportFailure, wrongUsage } from './failure.ts';
import { buildProgram } from './program.ts';

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
const EXIT_READER_GONE = 141;
/** Known before the arguments are read: an error in them is JSON too. */
const json = process.argv.includes('--json');

/** Errors are told in one place, and help that nobody asked for does not go between JSON. */
function endQuietly(command: Command): void {
  command.exitOverride().configureOutput({
    outputError: () => {},
    writeErr: (text) => void (json || process.stderr.write(text)),
  });
  command.commands.forEach(endQuietly);
}

/** Undefined where commander ended the run itself with nothing wrong: help and version. */
function asFailure(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  if (error instanceof LinekeeperError) return failureOf(error);
  if (!(error instanceof CommanderError)) throw error;
  if (error.exitCode === EXIT.done) return undefined;
  if (error.code === 'commander.help') return wrongUsage('A command is needed; linekeeper --help lists them');
  return wrongUsage(error.message.replace(/^error: /, '').replaceAll('\n', ' '));
}

// Ends through 'exit', where what is half written is removed.
for (const [signal, code] of Object.entries(SIGNALS)) process.on(signal, () => process.exit(code));
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT_READER_GONE);
  reportFailure(wrongUsage(`Standard output cannot be written: ${error.message}`), { json });
  process.exit(EXIT.usage);
});

try {
  const program = buildProgram();
  endQuietly(program);
  await program.parseAsync();
} catch (error) {
  const failure = asFailure(error);
  if (failure !== undefined) reportFailure(failure, { json });
  process.exitCode = failure?.exitCode ?? EXIT.done;
}
