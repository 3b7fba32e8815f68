import { type Ctx, forWork } from '../../platform/context/context.ts';
import { aheadReason, occurredAt } from '../../platform/feeds/fed-record.ts';
import { halving } from '../../platform/feeds/feed.ts';
import { loggedError } from '../../platform/telemetry/log.ts';
import { type FeedPolicy, type LedgerAccount, LineHasLeft, prepareRecords } from '../usage/index.ts';
import { closeOnRestart, repeatOvertakers } from './close-sessions.ts';
import type { Restart, SessionReport } from './session-report.ts';
import { noteRestarts } from './sql-restart.ts';
import {
  type LineReport,
  RecordsRejected,
  type ReportOutcome,
  type ReportPart,
  SessionCreatedConcurrently,
  takePart,
} from './take-part.ts';

/** `overloaded` and `failed` are not the report's fault: the sender must send it again. */
export type TakenReport = ReportOutcome | 'restart' | 'overloaded' | 'failed';

interface TakerLimits {
  /** Reports that are waiting or being written. */
  readonly waitingMax: number;
  /** Reports of one profile, so that a slow profile leaves room for others. */
  readonly profileMax: number;
  readonly batchMax: number;
}

const LIMITS: TakerLimits = { waitingMax: 10_000, profileMax: 5_000, batchMax: 1_000 };
/** Attempts to write a report whose line leaves its account, or whose counter is full, in the meantime. */
const TRIES_MAX = 5;

interface Waiting {
  readonly line: number;
  readonly given: SessionReport | Restart;
  readonly arrivedAt: Date;
  readonly settle: (outcome: TakenReport) => void;
  tries: number;
}

type Queued = Waiting & { readonly report: LineReport; readonly accounts: ReportPart['accounts'] };

interface TakerDeps {
  readonly policy: Pick<FeedPolicy, 'keptDays' | 'share' | 'evaluator' | 'watch'>;
  readonly realNow: () => Date;
  readonly limits?: Partial<TakerLimits>;
  /** Called with the reason when reports fail for a reason that is not theirs. */
  readonly onFailure: (reason: string) => void;
  readonly onWaiting?: (count: number, oldestAt: Date | undefined) => void;
}

/** A usage record, so that the report is resolved and checked like any other. Its bytes are known only when it is written. */
const asRecord = ({ line, given }: Waiting & { readonly given: SessionReport }) => ({
  line,
  record: {
    id: String(line),
    device: given.device,
    atMs: given.atMs,
    bytes: 0,
    apn: undefined,
    ratingGroup: undefined,
    countryCode: undefined,
    chargeAmount: undefined,
    serviceName: undefined,
  },
});

const isReport = (waiting: Waiting): waiting is Waiting & { readonly given: SessionReport } =>
  waiting.given.kind !== 'restart';

/** Each account as it was read for the earliest of the reports, so that any change since then is detected. */
function oldestOf(items: readonly Queued[]): ReportPart['accounts'] {
  const accounts = new Map<string, LedgerAccount>();
  for (const some of new Set(items.map((one) => one.accounts)))
    for (const [name, account] of some) if (!accounts.has(name)) accounts.set(name, account);
  return accounts;
}

/**
 * Takes reports as they arrive. Reports that arrive during a lookup share the next lookup, and those that arrive for a
 * profile during a write share the next write. Under load the cost per report falls.
 */
export function createSessionTaker(ctx: Ctx, deps: TakerDeps) {
  const { policy, realNow, onFailure, onWaiting = () => {} } = deps;
  const limits = { ...LIMITS, ...deps.limits };
  const { limit, aheadMs } = policy.share;
  const waiting = new Set<Waiting>();
  const incoming: Waiting[] = [];
  /** The reports that wait to be written, by profile. */
  const lanes = new Map<string, Queued[]>();
  let closing: Promise<unknown> = Promise.resolve();
  let isLookingUp = false;
  let lines = 0;

  const reportWaiting = () => onWaiting(waiting.size, waiting.values().next().value?.arrivedAt);
  function settle(one: Waiting, outcome: TakenReport): void {
    if (!waiting.delete(one)) return;
    reportWaiting();
    one.settle(outcome);
  }
  function fail(some: readonly Waiting[], error: unknown): void {
    if (some.length === 0) return;
    ctx.log.error(
      { cause: loggedError(error as Error), reports: some.length },
      'session reports could not be written',
    );
    onFailure(error instanceof Error ? error.message : String(error));
    for (const one of some) settle(one, 'failed');
  }

  async function takeRestarts(some: readonly Waiting[]): Promise<void> {
    const nowMs = ctx.now().getTime();
    const { early = [], fitting = [] } = Object.groupBy(some, ({ given }) =>
      occurredAt(given.atMs, nowMs, aheadMs) === undefined ? 'early' : 'fitting',
    );
    for (const one of early) settle(one, { rejected: aheadReason(aheadMs) });
    if (fitting.length === 0) return;
    const restarts = fitting.map(({ given }) => given as Restart);
    try {
      await limit.run(() => noteRestarts(ctx.db, restarts));
    } catch (error) {
      return fail(fitting, error);
    }
    for (const one of fitting) settle(one, 'restart');
    // Very many sessions may end, so reports do not wait for it.
    closing = closing.then(() => endSessions(restarts)).catch((error: Error) => onFailure(error.message));
  }

  async function endSessions(restarts: readonly Restart[]): Promise<void> {
    await closeOnRestart(ctx, restarts);
    for await (let reports of repeatOvertakers(ctx, restarts))
      for (let attempt = 1; reports.length > 0; attempt++) {
        const outcomes = await Promise.all(reports.map(enter));
        reports = reports.filter((_, n) => outcomes[n] === 'failed' || outcomes[n] === 'overloaded');
        if (attempt === TRIES_MAX && reports.length > 0)
          throw new Error('Sessions could not be read again after a restart of their access server');
      }
  }

  async function lookUp(some: readonly (Waiting & { readonly given: SessionReport })[]): Promise<void> {
    const byLine = new Map(some.map((one) => [one.line, one]));
    try {
      const found = await limit.run(() => prepareRecords(ctx, some.map(asRecord), policy));
      for (const { line, reason } of found.rejected) settle(byLine.get(line)!, { rejected: reason });
      for (const [ecpdId, records] of found.parts)
        queue(
          ecpdId,
          records.map((record) => {
            const one = byLine.get(record.line)!;
            return Object.assign(one, {
              report: { line: one.line, report: one.given, record },
              accounts: found.accounts,
            });
          }),
        );
    } catch (error) {
      fail(some, error);
    }
  }

  function queue(ecpdId: string, some: readonly Queued[]): void {
    const lane = lanes.get(ecpdId);
    const room = Math.max(0, limits.profileMax - (lane?.length ?? 0));
    for (const one of some.slice(room)) settle(one, 'overloaded');
    const fitting = some.slice(0, room);
    if (lane !== undefined) lane.push(...fitting);
    else if (fitting.length > 0) {
      lanes.set(ecpdId, [...fitting]);
      void work(ecpdId);
    }
  }

  /** Writes until the profile's queue is empty. */
  async function work(ecpdId: string): Promise<void> {
    const lane = lanes.get(ecpdId)!;
    while (lane.length > 0) {
      const some = lane.splice(0, limits.batchMax);
      await limit.run(() => write(ecpdId, some)).catch((error) => failOrRetry(some, error));
    }
    lanes.delete(ecpdId);
  }

  function failOrRetry(some: readonly Queued[], error: unknown): void {
    const again =
      error instanceof LineHasLeft ? some.filter((one) => waiting.has(one) && ++one.tries < TRIES_MAX) : [];
    fail(
      some.filter((one) => waiting.has(one) && !again.includes(one)),
      error,
    );
    incoming.unshift(...again);
    void lookUpIncoming();
  }

  async function write(ecpdId: string, some: readonly Queued[]): Promise<void> {
    const startedMs = performance.now();
    const take = halving<Queued>(
      (one, error) => {
        const reference = ctx.newId();
        ctx.log.error(
          { reference, cause: loggedError(error) },
          'gave up on a session report that cannot be written',
        );
        settle(one, { rejected: `could not be taken; see the log for ${reference}` });
      },
      { count: 0 },
    );
    await take(some, (items) => writeAll(ecpdId, items));
    policy.watch.batchSeconds((performance.now() - startedMs) / 1_000);
  }

  async function writeAll(ecpdId: string, items: readonly Queued[]): Promise<void> {
    const accounts = oldestOf(items);
    let left = items;
    for (let attempt = 1; left.length > 0; attempt++)
      try {
        const own = forWork(ctx, () => `sessions ${ecpdId} ${left[0]?.line}`);
        const part = { ecpdId, accounts, reports: left.map(({ report }) => report) };
        const outcomes = await takePart(own, part, policy.evaluator);
        const added = left.filter(({ line }) =>
          ['counted', 'doubtful'].includes(outcomes.get(line) as string),
        );
        policy.watch.records('accepted', added.length);
        for (const one of left) settle(one, outcomes.get(one.line) ?? 'failed');
        return;
      } catch (error) {
        if (attempt === TRIES_MAX) throw error;
        if (error instanceof SessionCreatedConcurrently) continue;
        if (!(error instanceof RecordsRejected)) throw error;
        const { reasons } = error;
        for (const one of left) if (reasons.has(one.line)) settle(one, { rejected: reasons.get(one.line)! });
        left = left.filter(({ line }) => !reasons.has(line));
      }
  }

  async function lookUpIncoming(): Promise<void> {
    if (isLookingUp) return;
    isLookingUp = true;
    // Include everything that arrives in the same event-loop iteration.
    await new Promise(setImmediate);
    while (incoming.length > 0) {
      const some = incoming.splice(0, limits.batchMax);
      const restarts = some.filter((one) => !isReport(one));
      if (restarts.length > 0) await takeRestarts(restarts);
      const reports = some.filter(isReport);
      if (reports.length > 0) await lookUp(reports);
    }
    isLookingUp = false;
  }

  function enter(given: SessionReport | Restart): Promise<TakenReport> {
    if (waiting.size >= limits.waitingMax) return Promise.resolve('overloaded');
    const { promise, resolve } = Promise.withResolvers<TakenReport>();
    const one: Waiting = { line: ++lines, given, arrivedAt: realNow(), settle: resolve, tries: 0 };
    waiting.add(one);
    incoming.push(one);
    reportWaiting();
    void lookUpIncoming();
    return promise;
  }

  return {
    take: enter,
    get waiting(): number {
      return waiting.size;
    },
    /** Resolves when the sessions ended by restarts are closed, and those that they divide are read again. */
    closed: () => closing,
  };
}
