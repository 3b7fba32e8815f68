import type { SessionReport } from './session-report.ts';

/** What is kept of a report. */
export interface KeptReport {
  readonly kind: SessionReport['kind'];
  readonly atMs: number;
  /** It also stands for dropped reports with lower counters, which were dated from here on. */
  readonly fromMs: number;
  readonly input: number;
  readonly output: number;
  readonly chargingId: number | null;
}

/** Access servers use a session id again: one use of it, with counters from zero. */
export interface Life {
  chargingId: number | null;
  /** In order of their dates, without those that may be of the next life. */
  readonly reports: KeptReport[];
  startedAtMs: number | undefined;
  /** By a Start, or because the first report cannot be of the life before. */
  readonly isBegunAnew: boolean;
  stop: KeptReport | undefined;
  lastAtMs: number;
  /** The highest counters of the reports that are certainly of this life. */
  input: number;
  output: number;
  /** The same with the reports that may be of this life. */
  mostInput: number;
  mostOutput: number;
  /** Bytes of dropped reports that may be of lives of their own. */
  hidden: number;
}

/** An access server that sends no times repeats a report with a time that differs by its rounding and by the way. */
const TIME_ERROR_MS = 2_000;

type Counters = Pick<KeptReport, 'input' | 'output'>;
export const covers = (a: Counters, b: Counters): boolean => a.input >= b.input && a.output >= b.output;
const isSame = (a: Counters, b: Counters): boolean => a.input === b.input && a.output === b.output;

function mayHave(life: Life, { input, output }: Counters): void {
  life.mostInput = Math.max(life.mostInput, input);
  life.mostOutput = Math.max(life.mostOutput, output);
}

function has(life: Life, { input, output }: Counters): void {
  life.input = Math.max(life.input, input);
  life.output = Math.max(life.output, output);
  mayHave(life, life);
}

/** Counters only rise. Those of reports with nearly the same date may be in any order. */
const isFall = (life: Life, report: KeptReport): boolean =>
  report.atMs - life.lastAtMs > TIME_ERROR_MS && !covers(report, life);

const isSameCharge = (life: Life, { chargingId }: KeptReport): boolean =>
  chargingId !== null && chargingId === life.chargingId;

/**
 * Whether the server restarted between a life and a report. Of the second of a restart, only a new life is certainly after
 * it; others may be before.
 */
function isCut(life: Life, report: KeptReport, restarts: readonly number[]): boolean | 'maybe' {
  const { lastAtMs, isBegunAnew, reports } = life;
  const since = restarts.filter(
    (restart) =>
      restart >= lastAtMs && (restart < report.atMs || (report.kind === 'start' && restart === report.atMs)),
  );
  if (since.some((restart) => restart > lastAtMs)) return true;
  if (since.length === 0 || isSameCharge(life, report)) return false;
  if (reports[0]?.atMs !== lastAtMs) return true;
  return isBegunAnew ? false : 'maybe';
}

/** Whether a report can be the next one of a life; `unsure` if it can also be of another one. */
function continues(life: Life, report: KeptReport, restarts: readonly number[]): boolean | 'unsure' {
  const cut = isCut(life, report, restarts);
  if (cut === true || isFall(life, report) || report.kind === 'start') return false;
  const isOther = life.chargingId !== null && report.chargingId !== null && !isSameCharge(life, report);
  if (life.stop === undefined) return cut === 'maybe' || isOther ? 'unsure' : true;
  if (isSameCharge(life, report)) return true;
  // A repeated Stop.
  return (
    !isOther &&
    report.kind === 'stop' &&
    isSame(report, life.stop) &&
    report.atMs - life.stop.atMs <= TIME_ERROR_MS
  );
}

function add(life: Life, report: KeptReport): void {
  life.reports.push(report);
  life.chargingId ??= report.chargingId;
  if (report.kind === 'start') life.startedAtMs = report.atMs;
  if (report.kind === 'stop') life.stop ??= report;
  life.lastAtMs = report.atMs;
  has(life, report);
}

interface Unsure {
  readonly report: KeptReport;
  readonly life: Life;
}

/** The life that has the charging id of a report. */
const namedBy = (lives: readonly Life[], report: KeptReport): Life | undefined =>
  lives.findLast((life) => isSameCharge(life, report));

/** Takes the last reports from a life that may be of the next one, which has begun with this report. */
function takeTail(life: Life, { chargingId }: KeptReport): Unsure[] {
  const isOther = chargingId !== null && life.chargingId !== null && chargingId !== life.chargingId;
  const named = life.reports.findLastIndex((one) => one.chargingId !== null || one.kind === 'start');
  const tail = life.reports.splice(isOther ? named + 1 : 0);
  [life.input, life.output, life.mostInput, life.mostOutput] = [0, 0, 0, 0];
  if (!isOther) life.chargingId = null;
  for (const report of life.reports) has(life, report);
  return tail.map((report) => ({ report, life }));
}

/** Adds a report to the life that it is of, or begins a new one. Returns the reports that are of either. */
function place(lives: Life[], report: KeptReport, restarts: readonly number[]): Unsure[] {
  const newest = lives.at(-1);
  const named = namedBy(lives, report);
  const life = named ?? newest;
  const isNext = life !== undefined && continues(life, report, restarts);
  if (life !== undefined && isNext === true) {
    add(life, report);
    return [];
  }
  const begun: Life = {
    chargingId: null,
    reports: [],
    startedAtMs: undefined,
    isBegunAnew: report.kind === 'start' || (newest !== undefined && newest.stop === undefined),
    stop: undefined,
    lastAtMs: report.atMs,
    input: 0,
    output: 0,
    mostInput: 0,
    mostOutput: 0,
    hidden: 0,
  };
  add(begun, report);
  lives.push(begun);
  return isNext === 'unsure' ? takeTail(life!, report) : [];
}

/** Gives a report that may be of a life or of the next one to both, if it can be of both. */
function settle(lives: readonly Life[], { report, life }: Unsure): void {
  const named = namedBy(lives, report);
  const next = lives[lives.indexOf(life) + 1];
  const mayBeNext =
    named === undefined &&
    next !== undefined &&
    (next.startedAtMs === undefined || next.startedAtMs <= report.atMs) &&
    next.reports.every((later) => later.atMs <= report.atMs || covers(later, report));
  if (mayBeNext) {
    mayHave(life, report);
    mayHave(next, report);
  } else has(named ?? life, report);
}

/** Each end and beginning that is dated among dropped reports may make some of these a life of their own. */
function hiddenIn({ reports }: Life, all: readonly KeptReport[], restarts: readonly number[]): number {
  let bytes = 0;
  for (const { fromMs, atMs, input, output } of reports)
    if (fromMs < atMs) {
      const ends = all.filter((one) => one.kind !== 'interim').map((one) => one.atMs);
      bytes += (input + output) * [...ends, ...restarts].filter((at) => at >= fromMs && at < atMs).length;
    }
  return bytes;
}

const IN_A_SECOND: readonly SessionReport['kind'][] = ['stop', 'start', 'interim'];

/**
 * Reads all reports about a session id in the order of their dates, whatever the order of their arrival. Of the same date,
 * a Stop is the end of a life, a Start the beginning of the next, and others may be of both unless their charging id
 * says which.
 */
export function readLives(reports: readonly KeptReport[], restarts: readonly number[]): readonly Life[] {
  const lives: Life[] = [];
  const unsure: Unsure[] = [];
  const dated = reports.toSorted(
    (a, b) =>
      a.atMs - b.atMs ||
      IN_A_SECOND.indexOf(a.kind) - IN_A_SECOND.indexOf(b.kind) ||
      a.input + a.output - b.input - b.output,
  );
  let before: Life | undefined;
  let isEdge = false;
  for (const [n, report] of dated.entries()) {
    if (report.atMs !== dated[n - 1]?.atMs) {
      const [newest] = lives.slice(-1);
      before = newest?.stop === undefined ? newest : undefined;
      // Stops and Starts are first of their second.
      isEdge = report.kind !== 'interim' || restarts.includes(report.atMs);
    }
    const isNamed =
      report.chargingId !== null && (before?.chargingId !== null || namedBy(lives, report) !== undefined);
    const mayEnd =
      before !== undefined &&
      isCut(before, report, restarts) !== true &&
      !isFall(before, report) &&
      (before.stop === undefined || covers(before.stop, report));
    if (report.kind === 'interim' && !isNamed && isEdge && mayEnd) unsure.push({ report, life: before! });
    else unsure.push(...place(lives, report, restarts));
    if (report.kind === 'stop' && before?.stop === undefined) before = lives.at(-1);
  }
  for (const one of unsure) settle(lives, one);
  for (const life of lives) life.hidden = hiddenIn(life, dated, restarts);
  return lives;
}
