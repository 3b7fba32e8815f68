import { EXIT, EXIT_INTERRUPTED, reportFailure, wrongUsage } from './failure.ts';
import { runProgram } from './run-program.ts';

const SIGNALS = { SIGHUP: 129, SIGINT: EXIT_INTERRUPTED, SIGTERM: 143 } as const;
const EXIT_READER_GONE = 141;

const args = process.argv.slice(2);
const { stdout, stderr } = process;

let endCommand: ((exitCode: number) => void) | undefined;
for (const [signal, code] of Object.entries(SIGNALS))
  process.on(signal, () => {
    // Ends through 'exit', where what is half written is removed.
    if (endCommand === undefined) process.exit(code);
    endCommand(code);
    endCommand = undefined;
  });
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT_READER_GONE);
  const failure = wrongUsage(`Standard output cannot be written: ${error.message}`);
  reportFailure(failure, { json: args.includes('--json'), stderr });
  process.exit(EXIT.usage);
});

process.exitCode = await runProgram(args, {
  env: process.env,
  cwd: process.cwd(),
  // Opened when it is asked for: most commands read nothing.
  get stdin() {
    return process.stdin;
  },
  stdout,
  stderr,
  // Instead of ending at once, which could cut off what is still being printed; a second signal does end it.
  onInterrupt(end) {
    endCommand = end;
  },
});
