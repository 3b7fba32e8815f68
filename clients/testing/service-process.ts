import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { findProgram } from './find-program.ts';
import { real } from './real-time.ts';

/** On a busy machine the first start of all makes a database and compiles the service. */
const READY_MAX_MS = 180_000;
/** What is in flight may take a few seconds to end, and the database as long to write what it has. */
const STOP_MAX_MS = 60_000;
const TAIL_MAX = 64 * 1024;
const LINES_SHOWN = 10;

export interface ServiceProcess {
  readonly url: string;
  readonly operatorKey: string;
  readonly pid: number;
  /** Ends it in order; does nothing where it has ended. */
  stop(): Promise<void>;
}

export interface ServiceStart {
  /** All that it gets. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** File for the log of the service. */
  readonly log?: string | undefined;
}

/** The service did not start: its own sentence. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly exitCode: number;
  /** It could not clean up behind itself; the next one does. */
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

/** The last line is what the service says about a start that failed; without one it fell over. */
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

/** The last of what is printed on it; all of it also goes to the file. */
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

/** Nobody's process goes on for the sake of a sandbox that was forgotten. */
const letGo = (child: ChildProcess): void => handlesOf(child).forEach((handle) => void handle.unref?.());
const holdOn = (child: ChildProcess): void => handlesOf(child).forEach((handle) => void handle.ref?.());

/** True when it has ended within the time. */
async function endsWithin(ended: Promise<void>, ms: number): Promise<boolean> {
  let forget = () => {};
  const late = new Promise<false>((resolve) => {
    forget = real.after(ms, () => resolve(false));
  });
  return Promise.race([ended.then(() => true), late]).finally(() => forget());
}

/**
 * Starts the service as a process of its own and waits until it serves requests. It holds the other end of the service's standard
 * input: when this process ends, in whichever way, so does that one.
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
    // Ctrl-C in a terminal is for the tests: what they do at their end may need the sandbox.
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
