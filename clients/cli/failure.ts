import type { LinekeeperError } from '../sdk/index.ts';
import { plainText } from './plain-text.ts';
import type { Output } from './surroundings.ts';

/** Exit codes that scripts may rely on; the README has the same table. */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  unreachable: 3,
  timedOut: 4,
  notAllowed: 5,
  notFound: 6,
} as const;
export const EXIT_INTERRUPTED = 130;
type Reason = Exclude<keyof typeof EXIT, 'done'>;

/** RFC 9457, with the list of errors that a refused fleet document adds. */
export interface Problem {
  readonly title?: string;
  readonly detail?: string;
  readonly status?: number;
  readonly code?: string;
  readonly errors?: readonly { readonly pointer: string; readonly line?: number; readonly detail: string }[];
}

/** Ends a command with a sentence for people and an exit code for scripts. */
export class Failure extends Error {
  readonly reason: Reason;
  readonly problem: Problem | undefined;
  /** A correct command. */
  readonly example: string | undefined;

  constructor(reason: Reason, sentence: string, problem?: Problem, example?: string) {
    super(sentence);
    this.reason = reason;
    this.problem = problem;
    this.example = example;
  }

  get exitCode(): number {
    return EXIT[this.reason];
  }
}

/** Ends a command that has already printed everything. */
export class Ended extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`ended with ${exitCode}`);
    this.exitCode = exitCode;
  }
}

export const wrongUsage = (sentence: string, example?: string) =>
  new Failure('usage', sentence, undefined, example);

function reasonOf({ status, code }: LinekeeperError): Reason {
  if (status === 401 || status === 403) return 'notAllowed';
  return status === 404 && code !== NO_SUCH_PATH ? 'notFound' : 'refused';
}

/** The gateway's title for an unknown path, which means that the address is wrong. */
const NO_SUCH_PATH = '900906';

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'title' in body && 'status' in body;

/** Converts an error of the typed client to a failure of the command. */
export function failureOf(error: LinekeeperError): Failure {
  const { kind, status, code, message, body, cause } = error;
  if (kind === 'refused') {
    const astray = status === 404 && !isProblem(body);
    const sentence = astray ? `The service does not have this path: check --url and its base path` : message;
    const problem = isProblem(body) ? body : { status, code };
    return new Failure(astray ? 'refused' : reasonOf(error), sentence, problem);
  }
  if (kind === 'timedOut') return new Failure('timedOut', `${message}; --timeout allows more`);
  if (cause instanceof Failure) return cause;
  if (kind === 'latched') return new Failure('notAllowed', message, { code, status });
  if (kind === 'invalid') return wrongUsage(message);
  return new Failure('unreachable', kind === 'unreadable' ? message : brokenOff(cause as Error));
}

export const brokenOff = ({ code, message }: NodeJS.ErrnoException): string =>
  `The connection broke off before the answer was complete (${code ?? message})`;

function toJson({ message, reason, exitCode, problem, example }: Failure): string {
  return JSON.stringify({ title: message, code: reason, ...problem, exitCode, example });
}

/** The service reports at most this many errors of a document. */
const ERRORS_MAX = 100;

/** Combines equal errors in the same field of many entries into one line with a count. */
function listErrors(errors: NonNullable<Problem['errors']>): string[] {
  const alike = Map.groupBy(
    errors,
    ({ pointer, detail }) => `${pointer.replaceAll(/\/\d+/g, '/*')} ${detail}`,
  );
  return [...alike.values()].map((same) => {
    const { pointer, line, detail } = same[0]!;
    const place = line === undefined ? '' : `line ${line}: `;
    const sentence = `${place}${pointer === '' ? detail : `${pointer}: ${detail}`}`;
    return same.length === 1 ? sentence : `${sentence} (${same.length} times, to ${same.at(-1)!.pointer})`;
  });
}

function toLines({ message, problem, example }: Failure): string[] {
  const errors = problem?.errors ?? [];
  const listed = listErrors(errors);
  const more =
    errors.length >= ERRORS_MAX ? [`Only the first ${ERRORS_MAX} errors are listed; there may be more.`] : [];
  const right = example === undefined ? [] : [`Example: ${example}`];
  return [
    ...`linekeeper: ${message.replace(/[.?]?$/, (end) => end || '.')}`.split('\n'),
    ...listed,
    ...more,
    ...right,
  ].map(plainText);
}

export function reportFailure(failure: Failure, { json, stderr }: { json: boolean; stderr: Output }): void {
  const lines = json ? [toJson(failure)] : toLines(failure);
  stderr.write(`${lines.join('\n')}\n`);
}
