import { failureOf } from '../telemetry/tracing/tracing.ts';

/** A loop fails its check after this many failed passes in a row. */
export const FAILED_PASSES_MAX = 3;
/** A loop without a successful or failed pass for this long hangs: no statement may take that long. */
const SILENT_MAX_MS = 5 * 60_000;
/** An occasional loop forgets its failures after this time, because it runs no pass without work. */
const FORGOTTEN_MS = 60_000;

/** Repeated background work of a process, which reports how each pass ends. */
export interface Loop {
  /** The loop makes passes from now on. Reports before this are ignored. */
  begin(): void;
  /** A pass, or a part of it, has succeeded. If a part succeeds, the whole pass does not fail. */
  passed(): void;
  failed(error: unknown): void;
  /** The loop belongs to this process, and has nothing to do for now. */
  rest(): void;
}

interface LoopOptions {
  /** False if the process can do all of its work without it, if slower, or if a separate check covers it. */
  readonly vital?: boolean;
  /** Passes run only when there is work, so silence is not a failure. */
  readonly occasional?: boolean;
}

export interface Failing {
  readonly check: string;
  readonly reason: string;
}

/** The reasons why this process is not ready, in words that are safe to publish. */
export interface Health {
  /** Callers with the same name get the same loop. */
  loop(name: string, options?: LoopOptions): Loop;
  /** `read` returns the reason for a failure, or undefined while the check passes. */
  addCheck(name: string, read: () => string | undefined): void;
  failing(): readonly Failing[];
  /** For problems that do not make this process unready, such as a failed database server of some customers. */
  addNotice(name: string, read: () => readonly string[]): void;
  notices(): readonly Failing[];
  /** Adds other facts about this process for its operator; small, and plain JSON. */
  addReport(name: string, read: () => unknown): void;
  reports(): Readonly<Record<string, unknown>>;
  /** For the metrics: 1 for each check that passes, 0 for each that does not. */
  checks(): Readonly<Record<string, number>>;
  /** For the metrics: the number of failed passes in a row, for every loop of this process. */
  failedPasses(): Readonly<Record<string, number>>;
}

/** A loop whose reports are ignored. */
export const unreportedLoop: Loop = { begin() {}, passed() {}, failed() {}, rest() {} };

class ReportedLoop implements Loop {
  readonly #nowMs: () => number;
  readonly #occasional: boolean;
  readonly vital: boolean;
  #state: 'absent' | 'resting' | 'working' = 'absent';
  #reportedAtMs = 0;
  #failure = '';
  failedInARow = 0;

  constructor(nowMs: () => number, { vital = true, occasional = false }: LoopOptions) {
    this.#nowMs = nowMs;
    this.#occasional = occasional;
    this.vital = vital;
  }
  get isHere(): boolean {
    return this.#state !== 'absent';
  }
  begin = (): void => this.#report('working', 0);
  rest = (): void => this.#report('resting', 0);
  passed = (): void => {
    if (this.#state === 'working') this.#report('working', 0);
  };
  failed = (error: unknown): void => {
    if (this.#state !== 'working') return;
    // Only the kind of error: its message may contain customer data.
    this.#failure = failureOf(error);
    this.#report('working', this.failedInARow + 1);
  };
  #report(state: 'resting' | 'working', failedInARow: number): void {
    this.#state = state;
    this.failedInARow = failedInARow;
    this.#reportedAtMs = this.#nowMs();
  }
  reason(): string | undefined {
    if (this.#state !== 'working') return undefined;
    const silentMs = this.#nowMs() - this.#reportedAtMs;
    if (this.#occasional && silentMs > FORGOTTEN_MS) this.failedInARow = 0;
    if (!this.#occasional && silentMs > SILENT_MAX_MS)
      return `no pass has ended for ${Math.round(silentMs / 1_000)} s`;
    return this.failedInARow < FAILED_PASSES_MAX
      ? undefined
      : `${this.failedInARow} passes in a row have failed: ${this.#failure}`;
  }
}

export function createHealth(nowMs: () => number = () => performance.now()): Health {
  const loops = new Map<string, ReportedLoop>();
  const checks = new Map<string, () => string | undefined>();
  const notices = new Map<string, () => readonly string[]>();
  const reports = new Map<string, () => unknown>();
  const readAll = (): [name: string, reason: string | undefined][] => [
    ...checks.entries().map(([name, read]): [string, string | undefined] => [name, read()]),
    ...loops
      .entries()
      .filter(([, { isHere, vital }]) => isHere && vital)
      .map(([name, loop]): [string, string | undefined] => [name, loop.reason()]),
  ];
  return {
    loop(name, options = {}) {
      const known = loops.get(name) ?? new ReportedLoop(nowMs, options);
      loops.set(name, known);
      return known;
    },
    addCheck: (name, read) => void checks.set(name, read),
    addNotice: (name, read) => void notices.set(name, read),
    addReport: (name, read) => void reports.set(name, read),
    reports: () => Object.fromEntries([...reports].map(([name, read]) => [name, read()])),
    notices: () => [...notices].flatMap(([check, read]) => read().map((reason) => ({ check, reason }))),
    failing: () => readAll().flatMap(([check, reason]) => (reason === undefined ? [] : [{ check, reason }])),
    checks: () => Object.fromEntries(readAll().map(([name, reason]) => [name, reason === undefined ? 1 : 0])),
    failedPasses: () =>
      Object.fromEntries(
        loops
          .entries()
          .filter(([, { isHere }]) => isHere)
          .map(([name, { failedInARow }]) => [name, failedInARow]),
      ),
  };
}
