import type { SessionReport } from './session-report.ts';

/** How far a session has come. */
export interface SessionState {
  /** 0: nothing was seen of it. */
  readonly generation: number;
  /** Reports that are later are of this generation; null: all are. */
  readonly afterMs: number | null;
  readonly earlierAfterMs: number | null;
  /** The highest that were seen. */
  readonly input: number;
  readonly output: number;
  /** Of the generation before. */
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
  /** What the report adds to what was counted. */
  readonly bytes: number;
  /** Which counters it brought to where: no two reports that add something say the same. */
  readonly mark: string;
}

/** A Start is the first of its generation; what else is of the same second ends the one before. */
const isAfter = (afterMs: number | null, { kind, atMs }: Reported): boolean =>
  afterMs === null || atMs > afterMs || (kind === 'start' && atMs === afterMs);

/** Since when the report is of a new generation; undefined where it is not. */
function beginsAfter(
  { generation, lastAtMs }: SessionState,
  { kind, atMs }: Reported,
  restartedMs: number | undefined,
): number | undefined {
  if (generation === 0 || lastAtMs === null) return undefined;
  if (restartedMs !== undefined && restartedMs >= lastAtMs && atMs > restartedMs) return restartedMs;
  return kind === 'start' && atMs > lastAtMs ? atMs : undefined;
}

function begun(state: SessionState, report: Reported, restartedMs: number | undefined): SessionState {
  if (state.generation === 0) return { ...state, generation: 1, startedAtMs: report.atMs };
  const afterMs = beginsAfter(state, report, restartedMs);
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

/** The report that is dated last says whether the session is open. */
function dated(state: SessionState, { kind, atMs, terminateCause }: Reported): SessionState {
  const startedAtMs = kind === 'start' ? atMs : state.startedAtMs;
  if (state.lastAtMs !== null && atMs < state.lastAtMs) return { ...state, startedAtMs };
  if (kind === 'stop')
    return { ...state, startedAtMs, lastAtMs: atMs, closedAtMs: atMs, closeCause: terminateCause ?? 'stop' };
  // It had not ended yet.
  if (state.closedAtMs !== null && atMs <= state.closedAtMs) return { ...state, startedAtMs, lastAtMs: atMs };
  return { ...state, startedAtMs, lastAtMs: atMs, closedAtMs: null, closeCause: null };
}

const excess = (now: number, before: number): number => Math.max(0, now - before);

/** What becomes of a session by a report. Counters only rise within a generation, so no octet is counted twice. */
export function addReport(before: SessionState, report: Reported, restartedMs: number | undefined): Added {
  const state = begun(before, report, restartedMs);
  const { input, output, generation } = state;
  if (isAfter(state.afterMs, report)) {
    const [nowIn, nowOut] = [Math.max(input, report.input), Math.max(output, report.output)];
    return {
      state: dated({ ...state, input: nowIn, output: nowOut }, report),
      bytes: excess(report.input, input) + excess(report.output, output),
      mark: `${generation}-${nowIn}-${nowOut}`,
    };
  }
  // Late, and of the generation before. What is older still nobody can compare.
  if (!isAfter(state.earlierAfterMs, report)) return { state, bytes: 0, mark: '' };
  const { earlierInput, earlierOutput } = state;
  const [nowIn, nowOut] = [Math.max(earlierInput, report.input), Math.max(earlierOutput, report.output)];
  return {
    state: { ...state, earlierInput: nowIn, earlierOutput: nowOut },
    bytes: excess(report.input, earlierInput) + excess(report.output, earlierOutput),
    mark: `${generation - 1}-${nowIn}-${nowOut}`,
  };
}
