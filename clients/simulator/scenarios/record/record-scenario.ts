import { type Captures, createCaptures } from './captures.ts';
import { type Chosen, chooseCalls, type LoggedCall } from './logged-call.ts';
import { type Fleet, fleetForScenario } from './recorded-fleet.ts';
import { endOf, type RecordedStep, stepOf } from './recorded-steps.ts';
import { durationOf } from './relative-times.ts';

export interface Session {
  readonly name: string;
  readonly accountName: string;
  /** As it was when the session began. */
  readonly fleet: Fleet;
  /** The oldest first, each with all that it caused. */
  readonly calls: readonly LoggedCall[];
  /** Of the account since the session began. */
  readonly firings: readonly { readonly triggerId: string }[];
  readonly callbacks: readonly { readonly serviceName: string }[];
}

interface Recorded {
  readonly scenario: Readonly<Record<string, unknown>>;
  /** What somebody should know who plays it: sentences. */
  readonly notes: readonly string[];
}

const GAP_MS = 1_000;
interface Later {
  readonly atMs: number;
  readonly expectation: object;
}

/** What a call caused in the account, by the request that its answer named: the same may come again to the very number. */
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

/** How many there are of each in the end, whatever has caused them. */
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

/** An operator looks around: only what he read and then used is part of the story. */
const isLook = ({ method, path, operation }: LoggedCall): boolean =>
  method === 'GET' && path.startsWith('/operator/') && operation !== null;

function stepsOf(session: Session, chosen: readonly Chosen[]): RecordedStep[] {
  const captures = createCaptures(session.fleet);
  const steps: { readonly step: RecordedStep; readonly call?: LoggedCall }[] = [];
  let nowMs = Date.parse(chosen[0]!.call.at);
  let later: Later[] = [];
  /** After a move all that was due by then has come. */
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
    ...(hidden > 0 ? [`The log hides secrets: ${hidden} of the bodies have [hidden] in their place.`] : []),
    ...(drawn ? ['A rule of faults has a probability: other calls may fail than did.'] : []),
  ];
}

/** A scenario that does what was done in the session, and expects what came of it. Undefined where nothing can be played. */
function recordScenario(session: Session): Recorded | undefined {
  const { name, accountName, fleet } = session;
  const { chosen, leftOut } = chooseCalls(session.calls, accountName);
  const [first] = chosen;
  if (first === undefined) return undefined;
  const scenario = {
    name,
    summary: `What was done with account ${accountName} since ${first.call.at}, recorded from the log of requests.`,
    fleet: fleetForScenario(fleet, Date.parse(first.call.at)),
    steps: stepsOf(session, chosen),
    lookAt: [`linekeeper requests --account ${accountName}`],
  };
  return { scenario, notes: notesOf(leftOut, chosen) };
}

const STEPS_MAX = 500;

/** The same with how many steps it has. Throws what stands against it, as a sentence. */
export function recordPlayable(session: Session): Recorded & { readonly steps: number } {
  const recorded = recordScenario(session);
  if (recorded === undefined) throw new Error('None of these calls can be played again');
  const { length: steps } = recorded.scenario['steps'] as readonly unknown[];
  if (steps > STEPS_MAX)
    throw new Error(
      `These calls make ${steps} steps, and a scenario has at most ${STEPS_MAX}: choose fewer of them`,
    );
  return { ...recorded, steps };
}
