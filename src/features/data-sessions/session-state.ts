import { covers, type KeptReport, type Life, readLives } from './session-reading.ts';
import type { SessionReport } from './session-report.ts';

/** The stored state of what an access server names by one session id. */
export interface SessionState {
  readonly reports: readonly KeptReport[];
  /** Lives until here were dropped; their late reports cannot be compared. */
  readonly droppedUntilMs: number | null;
  /** The bytes that the kept reports have added, and how many of these may have been counted twice. */
  readonly counted: number;
  readonly doubtful: number;
  /** How many reports have added bytes or doubts. */
  readonly records: number;
  /** Of the newest life. */
  readonly chargingId: number | null;
  readonly input: number;
  readonly output: number;
  readonly lastAtMs: number | null;
  readonly startedAtMs: number | null;
  readonly closedAtMs: number | null;
  readonly closeCause: string | null;
}

export const NOTHING_SEEN: SessionState = {
  reports: [],
  droppedUntilMs: null,
  counted: 0,
  doubtful: 0,
  records: 0,
  chargingId: null,
  input: 0,
  output: 0,
  lastAtMs: null,
  startedAtMs: null,
  closedAtMs: null,
  closeCause: null,
};

type Reported = Pick<SessionReport, 'kind' | 'atMs' | 'input' | 'output' | 'terminateCause' | 'chargingId'>;

interface Added {
  readonly state: SessionState;
  /** The bytes that the report adds to those counted before. */
  readonly bytes: number;
  /** The bytes that may have been counted twice, as this report shows. They need not be among those it adds. */
  readonly doubtful: number;
  /** The name of the record, among those of the session. */
  readonly mark: string;
}

/** With more, reports inside a life are dropped, and if there are none the oldest life: about the twentieth. */
const REPORTS_MAX = 48;
/** Reports with charging ids say of which life they are, so fewer of them do. */
const NAMED_MAX = 12;

const roomFor = (reports: readonly KeptReport[]): number =>
  reports.every(({ chargingId }) => chargingId !== null) ? NAMED_MAX : REPORTS_MAX;

const mostOf = ({ mostInput, mostOutput, hidden }: Life): number => mostInput + mostOutput + hidden;
const sureOf = ({ input, output }: Life): number => input + output;
const sumOf = (lives: readonly Life[], read: (life: Life) => number): number =>
  lives.reduce((sum, life) => sum + read(life), 0);

const isAlike = (a: KeptReport, b: KeptReport): boolean =>
  a.kind === b.kind &&
  a.atMs === b.atMs &&
  a.chargingId === b.chargingId &&
  a.input === b.input &&
  a.output === b.output;

function withReport(
  kept: readonly KeptReport[],
  { kind, atMs, input, output, chargingId }: Reported,
): readonly KeptReport[] {
  const report = { kind, atMs, fromMs: atMs, input, output, chargingId: chargingId ?? null };
  return kept.some((one) => isAlike(one, report)) ? kept : [...kept, report];
}

/** Lets a report inside a life stand for the one before it; undefined if there is none. */
function thinned(reports: readonly KeptReport[], lives: readonly Life[]): readonly KeptReport[] | undefined {
  for (const life of lives)
    for (let n = 1; n + 1 < life.reports.length; n++) {
      const [dropped, next] = [life.reports[n]!, life.reports[n + 1]!];
      const { kind, chargingId } = dropped;
      const isNeeded =
        dropped.fromMs === life.startedAtMs ||
        (chargingId !== null &&
          !life.reports.some((one) => one !== dropped && one.chargingId === chargingId));
      if (isNeeded || (kind === 'stop' && next.kind !== 'stop') || !covers(next, dropped)) continue;
      const isOfSame =
        chargingId !== null && chargingId === next.chargingId && dropped.fromMs === dropped.atMs;
      const both = { ...next, fromMs: isOfSame ? next.fromMs : Math.min(dropped.fromMs, next.fromMs) };
      return reports.flatMap((one) => (one === dropped ? [] : one === next ? [both] : [one]));
    }
  return undefined;
}

/** The reports without those of the oldest life, and until when others may be of it: until the next one begins. */
function withoutOldest(reports: readonly KeptReport[], [oldest, ...others]: readonly Life[]) {
  const left = new Set(others.flatMap((life) => life.reports));
  const untilMs = Math.max(oldest!.lastAtMs, Math.min(...[...left].map(({ atMs }) => atMs)) - 1);
  const isKept = (one: KeptReport) => left.has(one) || (!oldest!.reports.includes(one) && one.atMs > untilMs);
  return { reports: reports.filter(isKept), untilMs };
}

/** Keeps few reports. What a dropped life has added is counted, and no longer part of the reading. */
function withRoom(state: SessionState, restarts: readonly number[]): SessionState {
  let { reports, droppedUntilMs, counted } = state;
  let lives = readLives(reports, restarts);
  while (reports.length > roomFor(reports)) {
    const fewer = thinned(reports, lives);
    if (fewer === undefined && reports.length <= REPORTS_MAX) break;
    if (fewer !== undefined) reports = fewer;
    else {
      const [most, ofOldest] = [sumOf(lives, mostOf), mostOf(lives[0]!)];
      const rest = withoutOldest(reports, lives);
      reports = rest.reports;
      droppedUntilMs = Math.max(rest.untilMs, droppedUntilMs ?? rest.untilMs);
      counted -= Math.max(ofOldest, most - sumOf(readLives(reports, restarts), mostOf));
    }
    lives = readLives(reports, restarts);
  }
  return { ...state, reports, droppedUntilMs, counted, doubtful: counted - sumOf(lives, sureOf) };
}

/** The newest life decides whether the session is open; what ended it without a Stop is known from before. */
function withDates(
  state: SessionState,
  newest: Life,
  { kind, atMs, terminateCause }: Reported,
): SessionState {
  const lastAtMs = Math.max(state.lastAtMs ?? atMs, atMs);
  const { chargingId, stop, startedAtMs = newest.reports[0]?.atMs ?? atMs } = newest;
  const now = {
    ...state,
    chargingId,
    input: newest.mostInput,
    output: newest.mostOutput,
    startedAtMs,
    lastAtMs,
  };
  if (stop !== undefined) {
    const cause = kind === 'stop' && atMs === stop.atMs ? terminateCause : state.closeCause;
    return { ...now, closedAtMs: stop.atMs, closeCause: cause ?? 'stop' };
  }
  const isOpen =
    state.closedAtMs === null ||
    lastAtMs > state.closedAtMs ||
    (startedAtMs !== state.startedAtMs && startedAtMs >= state.closedAtMs);
  return isOpen ? { ...now, closedAtMs: null, closeCause: null } : now;
}

/**
 * Reads a session anew with one more report. What the reading has above what was counted is added. Where reports can be
 * read in several ways, the reading is the one with the most bytes; what it has above the least is doubtful.
 */
export function addReport(before: SessionState, report: Reported, restarts: readonly number[]): Added {
  const { atMs, input, output, chargingId } = report;
  const isKnown = before.reports.some((one) => one.chargingId !== null && one.chargingId === chargingId);
  if (before.droppedUntilMs !== null && atMs <= before.droppedUntilMs && !isKnown) {
    const bytes = input + output;
    return { state: before, bytes, doubtful: bytes, mark: `late-${report.kind}-${input}-${output}` };
  }
  const reports = withReport(before.reports, report);
  const lives = readLives(reports, restarts);
  const counted = Math.max(before.counted, sumOf(lives, mostOf));
  const doubtful = counted - sumOf(lives, sureOf);
  const bytes = counted - before.counted;
  const newlyDoubtful = Math.max(0, doubtful - before.doubtful);
  const records = before.records + (bytes + newlyDoubtful > 0 ? 1 : 0);
  const state = withDates({ ...before, reports, counted, doubtful, records }, lives.at(-1)!, report);
  return {
    state: reports.length > roomFor(reports) ? withRoom(state, restarts) : state,
    bytes,
    doubtful: newlyDoubtful,
    mark: String(records),
  };
}
