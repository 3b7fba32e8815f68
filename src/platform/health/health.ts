import { failureOf } from '../telemetry/tracing/tracing.ts';

/** So many failed passes in a row are more than a moment's trouble. */
export const FAILED_PASSES_MAX = 3;
/** A loop that has ended no pass, and got nothing done in one, for this long hangs: no statement may take that long. */
const SILENT_MAX_MS = 5 * 60_000;
/** What is done only where there is something to do says no more about a failure once there is nothing left. */
const FORGOTTEN_MS = 60_000;

/** Something that a process does by itself again and again, and how each pass of it ends. */
export interface Loop {
  /** From now on it makes passes. What is reported before is not kept. */
  begin(): void;
  /** A pass has succeeded, or a part of one: then the whole will not fail. */
  passed(): void;
  failed(error: unknown): void;
  /** It belongs to this process, and has nothing to do for now. */
  rest(): void;
}

interface LoopOptions {
  /** False where the process does all of its work without it, if slower, or a check of its own tells. */
  readonly vital?: boolean;
  /** Passes are made where there is something to do: silence is no failure. */
  readonly occasional?: boolean;
}

export interface Failing {
  readonly check: string;
  readonly reason: string;
}

/** What stands against this process being ready for its work, in words that anybody may read. */
export interface Health {
  /** Whoever asks by the same name gets the same one. */
  loop(name: string, options?: LoopOptions): Loop;
  /** `read` answers the reason; undefined while nothing stands against it. */
  addCheck(name: string, read: () => string | undefined): void;
  failing(): readonly Failing[];
  /** Of what does not keep this process from its work for others, such as a database server of some customers. */
  addNotice(name: string, read: () => readonly string[]): void;
  notices(): readonly Failing[];
  /** What else this process tells of itself to whoever runs it; small, and plain JSON. */
  addReport(name: string, read: () => unknown): void;
  reports(): Readonly<Record<string, unknown>>;
  /** For the metrics: 1 for each check that passes, 0 for each that does not. */
  checks(): Readonly<Record<string, number>>;
  /** For the metrics: failed passes in a row of every loop of this process. */
  failedPasses(): Readonly<Record<string, number>>;
}

/** For a loop of a test: nobody reads its reports. */
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
    // Its kind, and never its words: these may hold what a customer sent.
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
