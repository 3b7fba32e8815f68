import { type Captures, createCaptures } from './captures.ts';
import { type Chosen, chooseCalls, type LoggedCall } from './logged-call.ts';
import { type Fleet, fleetForScenario } from './recorded-fleet.ts';
import { endOf, type RecordedStep, stepOf } from './recorded-steps.ts';
import { durationOf } from './relative-times.ts';

export interface Session {
  readonly name: string;
  readonly accountName: string;
  /** The fleet at the start of the session. */
  readonly fleet: Fleet;
  /** Oldest first, each with all its effects. */
  readonly calls: readonly LoggedCall[];
  /** The account's firings and callbacks since the start of the session. */
  readonly firings: readonly { readonly triggerId: string }[];
  readonly callbacks: readonly { readonly serviceName: string }[];
}

interface Recorded {
  readonly scenario: Readonly<Record<string, unknown>>;
  /** Sentences with limits of the recording. */
  readonly notes: readonly string[];
}

const GAP_MS = 1_000;
interface Later {
  readonly atMs: number;
  readonly expectation: object;
}

/** The callbacks of a call by the request id in its answer, which must recur in the same number. */
function expectedOf({ caused }: LoggedCall, accountName: string, captures: Captures): Later[] {
  if (caused.more) return [];
  const own = caused.callbacks.filter((one) => one.accountName === accountName);
  const byRequest = Map.groupBy(own, ({ requestId, serviceName }) => `${requestId} ${serviceName}`);
  return [...byRequest.values()].flatMap((sent): Later[] => {
    const { requestId, serviceName } = sent[0]!;
    if (!captures.isCarried(requestId)) return [];
    return [
      {
        atMs: Math.max(...sent.map(({ at }) => Date.parse(at))),
        expectation: {
          that: `${serviceName} got a callback about the request ${sent.length === 1 ? 'once' : `${sent.length} times`}`,
          callbacks: { accountName, requestId: captures.carry(requestId) },
          where: { serviceName },
          count: sent.length,
        },
      },
    ];
  });
}

/** The final counts, from any cause. */
function totalsOf({ accountName, firings, callbacks }: Session, { carry }: Captures): object[] {
  const byTrigger = Map.groupBy(firings, ({ triggerId }) => triggerId);
  const byService = Map.groupBy(callbacks, ({ serviceName }) => serviceName);
  return [
    ...[...byTrigger].map(([triggerId, { length: count }]) => {
      const named = carry(triggerId);
      return { that: `firings of ${named}: ${count}`, firings: { accountName, triggerId: named }, count };
    }),
    ...[...byService].map(([serviceName, { length: count }]) => ({
      that: `callbacks of ${serviceName}: ${count}`,
      callbacks: { accountName, serviceName },
      count,
    })),
  ];
}

/** Operators also browse; only reads whose values a later step uses are part of the scenario. */
const isLook = ({ method, path, operation }: LoggedCall): boolean =>
  method === 'GET' && path.startsWith('/operator/') && operation !== null;

function stepsOf(session: Session, chosen: readonly Chosen[]): RecordedStep[] {
  const captures = createCaptures(session.fleet);
  const steps: { readonly step: RecordedStep; readonly call?: LoggedCall }[] = [];
  let nowMs = Date.parse(chosen[0]!.call.at);
  let later: Later[] = [];
  /** After a move, everything due by then is done. */
  const reach = (toMs: number) => {
    nowMs = Math.max(nowMs, toMs);
    const due = later.filter(({ atMs }) => atMs <= nowMs);
    later = later.filter(({ atMs }) => atMs > nowMs);
    if (due.length > 0) steps.push({ step: { expect: due.map(({ expectation }) => expectation) } });
  };
  const advance = (toMs: number) => {
    const seconds = Math.ceil((toMs - nowMs) / 1_000);
    steps.push({ step: { clock: { advance: durationOf(Math.max(1, seconds)) } } });
    reach(toMs);
  };
  for (const one of chosen) {
    const { call } = one;
    if (Date.parse(call.at) - nowMs >= GAP_MS) advance(Date.parse(call.at));
    const step = stepOf(one, captures);
    steps.push({ step, call });
    captures.learn(step, call);
    later.push(...expectedOf(call, session.accountName, captures));
    if ('clock' in step) reach(endOf(call));
  }
  advance(Math.max(nowMs, ...later.map(({ atMs }) => atMs)));
  const totals = totalsOf(session, captures);
  if (totals.length > 0) steps.push({ step: { expect: totals } });
  return steps.flatMap(({ step, call }) =>
    call !== undefined && isLook(call) && step.save === undefined ? [] : [step],
  );
}

function notesOf(leftOut: ReadonlyMap<string, number>, chosen: readonly Chosen[]): string[] {
  const users = new Set(
    chosen.flatMap(({ call: { caller } }) => (caller?.kind === 'user' ? [caller.name] : [])),
  );
  const hidden = chosen.filter(({ call }) => JSON.stringify(call.request).includes('[hidden]')).length;
  const drawn = chosen.some(({ call: { operation, request } }) =>
    operation === 'operatorSetFaults' ? JSON.stringify(request).includes('"probability"') : false,
  );
  return [
    ...[...leftOut].map(([why, count]) => `Left out ${count} ${count === 1 ? 'call' : 'calls'}: ${why}.`),
    ...(users.size > 1 ? [`One user makes the calls of ${[...users].join(', ')}.`] : []),
    ...(hidden > 0 ? [`The log hides secrets: ${hidden} of the bodies contain [hidden] instead.`] : []),
    ...(drawn ? ['A failure rule has a probability, so other calls may fail in a replay.'] : []),
  ];
}

/** A scenario that repeats the session and checks its results. Undefined if no call can be replayed. */
function recordScenario(session: Session): Recorded | undefined {
  const { name, accountName, fleet } = session;
  const { chosen, leftOut } = chooseCalls(session.calls, accountName);
  const [first] = chosen;
  if (first === undefined) return undefined;
  const scenario = {
    name,
    summary: `What was done with account ${accountName} since ${first.call.at}, recorded from the request log.`,
    fleet: fleetForScenario(fleet, Date.parse(first.call.at)),
    steps: stepsOf(session, chosen),
    lookAt: [`linekeeper requests --account ${accountName}`],
  };
  return { scenario, notes: notesOf(leftOut, chosen) };
}

const STEPS_MAX = 500;

/** The same, with the number of steps. Throws the reason if recording is impossible. */
export function recordPlayable(session: Session): Recorded & { readonly steps: number } {
  const recorded = recordScenario(session);
  if (recorded === undefined) throw new Error('None of these calls can be replayed');
  const { length: steps } = recorded.scenario['steps'] as readonly unknown[];
  if (steps > STEPS_MAX)
    throw new Error(
      `These calls make ${steps} steps, but a scenario has at most ${STEPS_MAX}: select fewer calls`,
    );
  return { ...recorded, steps };
}
