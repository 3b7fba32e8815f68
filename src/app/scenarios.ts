import {
  type ScenarioEvent,
  type ScenarioRun,
  type Scenarios,
  scenarioFaults,
} from '../features/operator/index.ts';
import { trueChance } from '../platform/chance/chance.ts';
import type { Operator } from '../platform/context/context.ts';
import { refuse } from '../platform/context/fault.ts';
import { hashToken, randomToken } from '../platform/crypto/token.ts';
import { OPERATOR_SCOPES } from '../platform/http/access.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { type Report, type ScenarioProcess, startScenarioProcess } from './scenario-process.ts';

const RUNS_KEPT = 5;
const EVENTS_KEPT = 500;
const CHARS_KEPT = 2_000;

export interface HostedScenarios extends Scenarios {
  /** The caller with the running scenario's key: it has operator rights and the name of the requester. */
  findPlayer(keyHash: string): Operator | undefined;
  /** Enables playing scenarios. */
  begin(url: string): void;
  /** Stops the running scenario. */
  close(): Promise<void>;
}

const cut = (text: string): string => (text.length > CHARS_KEPT ? `${text.slice(0, CHARS_KEPT)}…` : text);
const shortened = (event: ScenarioEvent): ScenarioEvent =>
  Object.fromEntries(
    Object.entries(event).map(([name, value]) => [name, typeof value === 'string' ? cut(value) : value]),
  );

/** The run after a report. */
function after(run: ScenarioRun, report: Report): ScenarioRun {
  if ('begun' in report) return { ...run, ...report.begun };
  if ('step' in report) return { ...run, step: report.step };
  if ('stopped' in report) return { ...run, state: 'stopped' };
  if ('broken' in report) return { ...run, state: 'broken', error: cut(report.broken) };
  if ('ended' in report)
    return { ...run, state: report.ended.ok ? 'passed' : 'failed', lookAt: [...report.ended.lookAt] };
  if (!('event' in report)) return run;
  const { ok } = report.event;
  return {
    ...run,
    checks: run.checks + (ok === undefined ? 0 : 1),
    failedChecks: run.failedChecks + (ok === false ? 1 : 0),
    events: run.events.length < EVENTS_KEPT ? [...run.events, shortened(report.event)] : run.events,
  };
}

const NEW = {
  summary: '',
  state: 'running',
  ...{ steps: 0, step: 0, checks: 0, failedChecks: 0, error: null },
} as const satisfies Partial<ScenarioRun>;

interface Playing {
  readonly runId: string;
  readonly keyHash: string;
  readonly operator: Operator;
  readonly process: ScenarioProcess;
  /** A stop was requested. */
  isStopping?: true;
}

/**
 * A separate program plays scenarios, the same as in the command line. It calls the service like any client,
 * and survives the reopening of the core by a snapshot or a restore.
 */
export function hostScenarios(log: Log): HostedScenarios {
  let url: string | undefined;
  let playing: Playing | undefined;
  let runs: readonly ScenarioRun[] = [];
  const find = (runId: string) => runs.find((run) => run.runId === runId);
  const change = (runId: string, to: (run: ScenarioRun) => ScenarioRun) => {
    runs = runs.map((run) => (run.runId === runId ? to(run) : run));
  };

  /** Waits for a process that has reported its end but has not exited. */
  async function awaitTurn(): Promise<void> {
    if (playing !== undefined && find(playing.runId)?.state !== 'running') await playing.process.stop();
  }

  /** The final state if the process did not report one. */
  function noteGone(runId: string): void {
    const wasStopped = playing?.runId === runId && playing.isStopping === true;
    if (playing?.runId === runId) playing = undefined;
    change(runId, (run) => {
      if (run.state !== 'running') return run;
      return wasStopped
        ? { ...run, state: 'stopped' }
        : { ...run, state: 'broken', error: 'The player process has ended' };
    });
  }

  const start: Scenarios['start'] = async ({ runId, file, text, by, at }) => {
    const baseUrl = url ?? refuse(scenarioFaults.absent);
    await awaitTurn();
    // Not before the wait: two callers may wait for the same end, and only one may play.
    if (playing !== undefined) refuse(scenarioFaults.busy);
    const key = randomToken(trueChance);
    const begun = Promise.withResolvers<string | undefined>();
    runs = [{ runId, name: file, ...NEW, events: [], lookAt: [], startedAt: at }, ...runs].slice(
      0,
      RUNS_KEPT,
    );
    const process = startScenarioProcess({
      env: { LINEKEEPER_URL: baseUrl, LINEKEEPER_OPERATOR_KEY: key },
      ...{ file, text, log },
      onReport(report) {
        if ('wrong' in report) return begun.resolve(report.wrong);
        change(runId, (run) => after(run, report));
        if ('begun' in report) begun.resolve(undefined);
      },
      onGone() {
        noteGone(runId);
        begun.resolve(undefined);
      },
    });
    const operator = { keyName: by, scopes: new Set<string>(OPERATOR_SCOPES) };
    playing = { runId, keyHash: hashToken(key), operator, process };
    const wrong = await begun.promise;
    if (wrong === undefined) return find(runId) ?? refuse(scenarioFaults.unstarted);
    runs = runs.filter((run) => run.runId !== runId);
    await process.stop();
    return refuse(scenarioFaults.wrong, { reason: wrong });
  };

  async function stopPlaying(): Promise<void> {
    if (playing === undefined) return;
    playing.isStopping = true;
    await playing.process.stop();
  }

  return {
    list: () => runs,
    start,
    async stop(runId) {
      if (playing?.runId === runId) await stopPlaying();
      return find(runId);
    },
    findPlayer: (keyHash) => (playing?.keyHash === keyHash ? playing.operator : undefined),
    begin(at) {
      url = at;
    },
    close: stopPlaying,
  };
}
