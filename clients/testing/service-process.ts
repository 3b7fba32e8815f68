import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { findProgram } from './find-program.ts';
import { real } from './real-time.ts';

/** The very first start creates a database and compiles the service, possibly on a busy machine. */
const READY_MAX_MS = 180_000;
/** Work in flight may take a few seconds to end, and the database as long to write its data. */
const STOP_MAX_MS = 60_000;
const TAIL_MAX = 64 * 1024;
const LINES_SHOWN = 10;

export interface ServiceProcess {
  readonly url: string;
  readonly operatorKey: string;
  readonly pid: number;
  /** Stops it gracefully; does nothing if it has ended. */
  stop(): Promise<void>;
}

export interface ServiceStart {
  /** Its complete environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** File for the log of the service. */
  readonly log?: string | undefined;
}

/** The service did not start; the message is its own. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly exitCode: number;
  /** It could not clean up; the next start does. */
  readonly wasKilled: boolean;

  constructor(sentence: string, exitCode: number | null) {
    super(sentence);
    this.exitCode = exitCode ?? 1;
    this.wasKilled = exitCode === null;
  }
}

const parse = (line: string): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return {};
  }
};

/** The last line is the service's reason for a failed start; without one, it crashed. */
function whyItEnded({ exitCode, signalCode }: ChildProcess, said: string): StartError {
  const lines = said.trim().split('\n');
  const { title, exitCode: told } = parse(lines.at(-1) ?? '');
  if (typeof title === 'string') return new StartError(title, Number(told));
  const rest = lines
    .slice(-LINES_SHOWN)
    .map((line) => `\n  ${line}`)
    .join('');
  return new StartError(
    `The sandbox ended before it was ready (${signalCode ?? `exit code ${exitCode}`}):${rest}`,
    exitCode,
  );
}

/** Keeps the last lines of the output; the file gets everything. */
function collect(stream: NodeJS.ReadableStream, log: string | undefined): () => string {
  let tail = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    tail = `${tail}${text}`.slice(-TAIL_MAX);
  });
  if (log !== undefined) stream.pipe(createWriteStream(log).on('error', () => {}));
  return () => tail;
}

interface Unreferable {
  ref?(): void;
  unref?(): void;
}
const handlesOf = (child: ChildProcess): Unreferable[] =>
  [child, child.stdin, child.stdout, child.stderr].map((handle) => handle as Unreferable);

/** A forgotten sandbox must not keep the test process alive. */
const letGo = (child: ChildProcess): void => handlesOf(child).forEach((handle) => void handle.unref?.());
const holdOn = (child: ChildProcess): void => handlesOf(child).forEach((handle) => void handle.ref?.());

/** True if it ended within the time. */
async function endsWithin(ended: Promise<void>, ms: number): Promise<boolean> {
  let forget = () => {};
  const late = new Promise<false>((resolve) => {
    forget = real.after(ms, () => resolve(false));
  });
  return Promise.race([ended.then(() => true), late]).finally(() => forget());
}

/**
 * Starts the service as a separate process and waits until it serves requests. This process holds the other
 * end of the service's standard input, so the service ends with it, even after a crash.
 */
export async function startServiceProcess({ env, log }: ServiceStart): Promise<ServiceProcess> {
  const { file, words, cache } = findProgram();
  const child = spawn(file, words, {
    env: {
      NODE_COMPILE_CACHE: cache,
      ...env,
      LINEKEEPER_READY_FORMAT: 'json',
      LINEKEEPER_LOG_FORMAT: 'json',
      LINEKEEPER_STOP_WITH_STDIN: 'on',
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    // Ctrl-C in a terminal must reach only the tests, whose cleanup may need the sandbox.
    detached: true,
    windowsHide: true,
  });
  const said = collect(child.stderr, log);
  child.stdin.on('error', () => {});
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  const stop = async (): Promise<void> => {
    holdOn(child);
    child.stdin.end();
    if (await endsWithin(ended, STOP_MAX_MS)) return;
    child.kill('SIGKILL');
    await ended;
  };
  const ready = new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
    createInterface(child.stdout).once('line', (line) => resolve(parse(line)));
    child.once('error', ({ message }) =>
      reject(new StartError(`The sandbox cannot be started: ${file}: ${message}.`, 1)),
    );
    child.once('close', () => reject(whyItEnded(child, said())));
  });
  let isLate = false;
  const forget = real.after(READY_MAX_MS, () => {
    isLate = true;
    child.stdin.end();
  });
  const { url, operatorKey, pid } = await ready.finally(forget).catch((error: unknown) => {
    throw isLate ? new StartError(`The sandbox was not ready within ${READY_MAX_MS / 1_000} s.`, 1) : error;
  });
  letGo(child);
  let stopping: Promise<void> | undefined;
  return {
    url: String(url),
    operatorKey: String(operatorKey),
    pid: Number(pid),
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}
