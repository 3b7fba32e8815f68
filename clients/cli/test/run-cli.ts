import { PassThrough, Writable } from 'node:stream';
import { runProgram } from '../run-program.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface How {
  /** The complete environment: nothing comes from this process, and no data folder is found. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
  readonly cwd?: string;
  /** Simulates a terminal with this many columns, where a user types the input. */
  readonly columns?: number;
}

export interface Running {
  readonly ended: Promise<Ran>;
  /** Like Control-C, for a command that runs until interrupted. */
  interrupt(): void;
  /** Resolves when stdout matches, rejects if the command ends before. */
  printed(pattern: RegExp): Promise<string>;
  /** The same for stderr: progress, remarks and failures. */
  remarked(pattern: RegExp): Promise<string>;
}

const NOWHERE = { LINEKEEPER_DATA_DIR: '/nowhere', LINEKEEPER_CONFIG_DIR: '/nowhere' };

/** Makes a stream a terminal if `columns` is given. */
const asTerminal = <T extends object>(stream: T, columns: number | undefined) =>
  columns === undefined ? stream : Object.assign(stream, { isTTY: true, columns });

function collect(heard: () => void, columns: number | undefined) {
  const pieces: Buffer[] = [];
  const stream = new Writable({
    write(piece: Buffer, _, done) {
      pieces.push(piece);
      heard();
      done();
    },
  });
  return { stream: asTerminal(stream, columns), text: () => Buffer.concat(pieces).toString() };
}

/** Starts the program as a process would, but in this process, and returns at once. */
export function startCli(
  args: readonly string[],
  { env = {}, input = '', cwd = '/', columns }: How = {},
): Running {
  const [heard, interrupts] = [new Set<() => void>(), new Set<(code: number) => void>()];
  const hear = () => {
    for (const one of heard) one();
  };
  const [stdout, stderr] = [collect(hear, columns), collect(hear, columns)];
  const stdin = asTerminal(new PassThrough(), columns);
  stdin.end(input);
  const ended = runProgram(args, {
    env: { ...NOWHERE, ...env },
    cwd,
    stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
    onInterrupt: (end) => interrupts.add(end),
  }).then((code) => ({ code, out: stdout.text(), err: stderr.text() }));
  const hearOf = (text: () => string) => (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => pattern.test(text()) && resolve(text());
      heard.add(look);
      look();
      ended.then(({ err }) => reject(new Error(`it ended: ${err}`)), reject);
    });
  return {
    ended,
    interrupt: () => interrupts.forEach((end) => void end(130)),
    printed: hearOf(stdout.text),
    remarked: hearOf(stderr.text),
  };
}

export const runCli = (args: readonly string[], how: How = {}): Promise<Ran> => startCli(args, how).ended;
