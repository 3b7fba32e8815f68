import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { EXIT, EXIT_INTERRUPTED, reportFailure, wrongUsage } from './failure.ts';
import { asksForJson } from './program.ts';
import { runCommand } from './run-command.ts';
import { runProgram } from './run-program.ts';

const SIGNALS = { SIGHUP: 129, SIGINT: EXIT_INTERRUPTED, SIGTERM: 143 } as const;
const EXIT_READER_GONE = 141;

const args = process.argv.slice(2);
const { stdout, stderr } = process;

let endCommand: ((exitCode: number) => void) | undefined;
for (const [signal, code] of Object.entries(SIGNALS))
  process.on(signal, () => {
    // Ends through 'exit', whose handlers remove unfinished files.
    if (endCommand === undefined) process.exit(code);
    endCommand(code);
    endCommand = undefined;
  });
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT_READER_GONE);
  const failure = wrongUsage(`Standard output cannot be written: ${error.message}`);
  reportFailure(failure, { json: asksForJson(args), stderr });
  process.exit(EXIT.usage);
});

/** Replaces the program within this process, so that signals and waits reach the new one. */
function become(words: readonly string[], env: NodeJS.ProcessEnv): Promise<never> {
  if (process.platform !== 'win32') process.execve?.(process.execPath, [process.execPath, ...words], env);
  const child = spawn(process.execPath, words, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal);
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal!]));
  });
}

// Until the command has ended, so that one that never does is not taken for done.
process.exitCode = EXIT.refused;
const program = runProgram(args, {
  env: process.env,
  cwd: process.cwd(),
  // Opened on first use, because most commands read nothing.
  get stdin() {
    return process.stdin;
  },
  stdout,
  stderr,
  // Does not end at once, which could cut off the output; a second signal does.
  onInterrupt(end) {
    endCommand = end;
  },
  become,
  runCommand,
});
void program.then((exitCode) => {
  process.exitCode = exitCode;
});
