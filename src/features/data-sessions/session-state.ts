import type { SessionReport } from './session-report.ts';

/**
 * The stored state of a session. A new generation, with counters from zero, begins when the session starts again or its
 * server restarts.
 */
export interface SessionState {
  /** 0: no report has arrived. */
  readonly generation: number;
  /** Later reports belong to this generation; null: all of them do. */
  readonly afterMs: number | null;
  readonly earlierAfterMs: number | null;
  /** The highest counters reported. */
  readonly input: number;
  readonly output: number;
  /** The highest counters of the previous generation. */
  readonly earlierInput: number;
  readonly earlierOutput: number;
  readonly lastAtMs: number | null;
  readonly startedAtMs: number | null;
  readonly closedAtMs: number | null;
  readonly closeCause: string | null;
}

export const NOTHING_SEEN: SessionState = {
  generation: 0,
  afterMs: null,
  earlierAfterMs: null,
  input: 0,
  output: 0,
  earlierInput: 0,
  earlierOutput: 0,
  lastAtMs: null,
  startedAtMs: null,
  closedAtMs: null,
  closeCause: null,
};

type Reported = Pick<SessionReport, 'kind' | 'atMs' | 'input' | 'output' | 'terminateCause'>;

interface Added {
  readonly state: SessionState;
  /** The bytes that the report adds to those counted before. */
  readonly bytes: number;
  /** The counters after the report. It differs for any two reports that add something. */
  readonly mark: string;
}

/** A Start is the first report of its generation. Other reports in the same second belong to the previous one. */
const isAfter = (afterMs: number | null, { kind, atMs }: Reported): boolean =>
  afterMs === null || atMs > afterMs || (kind === 'start' && atMs === afterMs);

/** When the new generation begins, if the report is of a new one; otherwise undefined. */
function newGenerationAfter(
  { generation, lastAtMs }: SessionState,
  { kind, atMs }: Reported,
  restartedMs: number | undefined,
): number | undefined {
  if (generation === 0 || lastAtMs === null) return undefined;
  if (restartedMs !== undefined && restartedMs >= lastAtMs && atMs > restartedMs) return restartedMs;
  return kind === 'start' && atMs > lastAtMs ? atMs : undefined;
}

function inGeneration(state: SessionState, report: Reported, restartedMs: number | undefined): SessionState {
  if (state.generation === 0) return { ...state, generation: 1, startedAtMs: report.atMs };
  const afterMs = newGenerationAfter(state, report, restartedMs);
  if (afterMs === undefined) return state;
  return {
    ...NOTHING_SEEN,
    generation: state.generation + 1,
    afterMs,
    earlierAfterMs: state.afterMs,
    earlierInput: state.input,
    earlierOutput: state.output,
    lastAtMs: state.lastAtMs,
    startedAtMs: report.atMs,
  };
}

/** The report with the latest date decides whether the session is open. */
function withDates(state: SessionState, { kind, atMs, terminateCause }: Reported): SessionState {
  const startedAtMs = kind === 'start' ? atMs : state.startedAtMs;
  if (state.lastAtMs !== null && atMs < state.lastAtMs) return { ...state, startedAtMs };
  if (kind === 'stop')
    return { ...state, startedAtMs, lastAtMs: atMs, closedAtMs: atMs, closeCause: terminateCause ?? 'stop' };
  // The report is from before the close.
  if (state.closedAtMs !== null && atMs <= state.closedAtMs) return { ...state, startedAtMs, lastAtMs: atMs };
  return { ...state, startedAtMs, lastAtMs: atMs, closedAtMs: null, closeCause: null };
}

const excess = (now: number, before: number): number => Math.max(0, now - before);

/** Applies a report to a session. Counters only rise within a generation, so no octet is counted twice. */
export function addReport(before: SessionState, report: Reported, restartedMs: number | undefined): Added {
  const state = inGeneration(before, report, restartedMs);
  const { input, output, generation } = state;
  if (isAfter(state.afterMs, report)) {
    const [nowIn, nowOut] = [Math.max(input, report.input), Math.max(output, report.output)];
    return {
      state: withDates({ ...state, input: nowIn, output: nowOut }, report),
      bytes: excess(report.input, input) + excess(report.output, output),
      mark: `${generation}-${nowIn}-${nowOut}`,
    };
  }
  // A late report of the previous generation. Reports of still older ones cannot be compared.
  if (!isAfter(state.earlierAfterMs, report)) return { state, bytes: 0, mark: '' };
  const { earlierInput, earlierOutput } = state;
  const [nowIn, nowOut] = [Math.max(earlierInput, report.input), Math.max(earlierOutput, report.output)];
  return {
    state: { ...state, earlierInput: nowIn, earlierOutput: nowOut },
    bytes: excess(report.input, earlierInput) + excess(report.output, earlierOutput),
    mark: `${generation - 1}-${nowIn}-${nowOut}`,
  };
}
