import { plainText } from './plain-text.ts';

/** What scripts may rely on; the README has the same table. */
export const EXIT = { done: 0, refused: 1, usage: 2, unreachable: 3, timedOut: 4 } as const;
type Reason = Exclude<keyof typeof EXIT, 'done'>;

/** RFC 9457, with the list that a refused fleet document adds. */
export interface Problem {
  readonly title?: string;
  readonly detail?: string;
  readonly status?: number;
  readonly code?: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

/** Ends a command: one sentence for a person, an exit code for a script. */
export class Failure extends Error {
  readonly reason: Reason;
  readonly problem: Problem | undefined;

  constructor(reason: Reason, sentence: string, problem?: Problem) {
    super(sentence);
    this.reason = reason;
    this.problem = problem;
  }

  get exitCode(): number {
    return EXIT[this.reason];
  }
}

export const wrongUsage = (sentence: string) => new Failure('usage', sentence);

export function refusedBy(problem: Problem, status: number): Failure {
  const title = problem.title ?? `The service answered with status ${status}`;
  return new Failure('refused', problem.detail ? `${title}: ${problem.detail}` : title, problem);
}

function toJson({ message, reason, exitCode, problem }: Failure): string {
  return JSON.stringify({ title: message, code: reason, ...problem, exitCode });
}

/** The service stops looking after this many errors of a document. */
const ERRORS_MAX = 100;

function toLines({ message, problem }: Failure): string[] {
  const errors = problem?.errors ?? [];
  const listed = errors.map(({ pointer, detail }) => (pointer === '' ? detail : `${pointer}: ${detail}`));
  const more =
    errors.length >= ERRORS_MAX ? [`There may be more: only the first ${ERRORS_MAX} are listed.`] : [];
  return [`linekeeper: ${message.replace(/\.?$/, '.')}`, ...listed, ...more].map(plainText);
}

export function reportFailure(failure: Failure, { json }: { json: boolean }): void {
  const lines = json ? [toJson(failure)] : toLines(failure);
  process.stderr.write(`${lines.join('\n')}\n`);
}
