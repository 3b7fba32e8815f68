import { PassThrough, Writable } from 'node:stream';
import { runProgram } from '../run-program.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface How {
  /** All that is set: nothing of this process is, and no folder is found by itself. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
  readonly cwd?: string;
  /** Somebody sits there, who types the input and sees so many columns. */
  readonly columns?: number;
}

export interface Running {
  readonly ended: Promise<Ran>;
  /** As Control-C does to a command that runs until then. */
  interrupt(): void;
  /** Resolves when this much has been printed, rejects when the command ends before. */
  printed(pattern: RegExp): Promise<string>;
  /** The same of what is no answer: progress, remarks and failures. */
  remarked(pattern: RegExp): Promise<string>;
}

const NOWHERE = { LINEKEEPER_DATA_DIR: '/nowhere', LINEKEEPER_CONFIG_DIR: '/nowhere' };

/** A stream that is a terminal, or is none. */
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

/** The program as a process runs it, without one: begun, and not waited for. */
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
