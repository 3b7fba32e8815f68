import { type Caller, LinekeeperError, type OperatorRoute } from '../../sdk/index.ts';
import { type Check, evaluate } from './expectations.ts';
import { openListener } from './listener.ts';
import { kindOf, type Scenario, type Step, type StepKind, type StepOf } from './schema.ts';
import { callAs, moveClock, readNow, type Stage, userOf } from './stage.ts';
import { fill, type Names, timesAt, UnknownName } from './values.ts';

export interface Director {
  readonly operator: Caller<OperatorRoute>;
  readonly baseUrl: string;
  /** After an abort, no further step starts. */
  readonly signal?: AbortSignal;
  /** Called before each step, from 1. */
  stepped?(nth: number): void;
  said(sentence: string): void;
  checked(check: Check): void;
}

/** The run was stopped early. */
export class Stopped extends Error {}

export interface Played {
  readonly scenario: string;
  readonly ok: boolean;
  readonly checks: readonly Check[];
  readonly lookAt: readonly string[];
}

const FEEDS = {
  usage: 'POST /operator/v1/usage',
  positions: 'POST /operator/v1/positions',
  readings: 'POST /operator/v1/readings',
} as const;

interface Playing {
  readonly stage: Stage;
  readonly names: Names;
  said(sentence: string): void;
  check(check: Check): void;
  save(name: string | undefined, value: unknown): void;
}

/** The action of each kind of step. */
const PERFORM: { readonly [Kind in StepKind]: (step: StepOf<Kind>, playing: Playing) => Promise<void> } = {
  async call({ status: wanted, save: name, say, ...called }, { stage, check, save }) {
    const { status, data } = await callAs(stage, called);
    const ok = wanted === undefined ? typeof status === 'number' && status < 400 : status === wanted;
    if (wanted !== undefined || !ok) {
      const came = `${status} ${JSON.stringify(data)}`;
      const expected = wanted === undefined ? 'success' : String(wanted);
      check({ what: `${called.call} is answered with ${expected}`, ok, ...(!ok && { expected, came }) });
    }
    save(name, data);
  },
  async feed({ feed, records, save: name }, { stage, save }) {
    const raw = records.map((record) => JSON.stringify(record)).join('\n');
    const headers = { 'content-type': 'application/x-ndjson' };
    save(name, await stage.operator.call(FEEDS[feed], { raw, headers }));
  },
  async clock({ clock, save: name }, { stage, save }) {
    save(name, { now: (await moveClock(stage.operator, clock, stage.signal)).toISOString() });
  },
  async faults({ faults }, { stage }) {
    await stage.operator.call('PUT /operator/v1/faults', { body: faults });
  },
  async listener({ listener: status }, { stage }) {
    stage.listener.answer(status);
  },
  async expect({ expect }, { stage, names, check, save }) {
    for (const wanted of expect) {
      const { check: checked, found } = await evaluate(stage, wanted, names);
      check(checked);
      save(wanted.save, found);
    }
  },
  async say() {},
};

/** Values are filled in one by one, because an expectation may save a value for the next one. */
async function perform(step: Step, playing: Playing): Promise<void> {
  if (step.say !== undefined) playing.said(fill(step.say, playing.names));
  const kind = kindOf(step)!;
  const filled = kind === 'expect' ? step : fill(step, playing.names);
  return (PERFORM[kind] as (step: Step, playing: Playing) => Promise<void>)(filled, playing);
}

const accountsOf = ({ fleet }: Scenario): readonly string[] =>
  ((fleet['accounts'] ?? []) as readonly { readonly accountName?: string }[]).flatMap(
    ({ accountName }) => accountName ?? [],
  );

/** Failure rules are not part of the fleet, so they must be removed after the scenario. */
async function clearFaults({ operator }: Director, { steps }: Scenario): Promise<void> {
  if (steps.some((step) => kindOf(step) === 'faults')) await operator.call('DELETE /operator/v1/faults');
}

/** Deletes the data of earlier runs, so that every run starts alike. */
async function setUp(director: Director, scenario: Scenario, listener: string): Promise<void> {
  const { operator } = director;
  // Without a clock to move, this is not a sandbox, and nothing is deleted.
  await moveClock(operator, { advance: 'PT0S' });
  for (const accountName of accountsOf(scenario)) {
    try {
      await operator.call('DELETE /operator/v1/accounts/{accountName}', { path: { accountName } });
    } catch (error) {
      if (!(error instanceof LinekeeperError && error.status === 404)) throw error;
    }
  }
  await clearFaults(director, scenario);
  // A deletion starts background jobs, and a move of the clock waits for them.
  const now = await moveClock(operator, { advance: 'PT1S' });
  const fleet = fill(scenario.fleet, { ...timesAt(now), listener });
  await operator.call('POST /operator/v1/import', { raw: JSON.stringify(fleet) });
}

export async function playScenario(scenario: Scenario, director: Director): Promise<Played> {
  const { operator, baseUrl } = director;
  const checks: Check[] = [];
  const names: Record<string, unknown> = {};
  const listener = await openListener();
  const stage = { operator, listener, user: userOf(baseUrl, scenario.fleet), signal: director.signal };
  const check = (one: Check) => {
    checks.push(one);
    director.checked(one);
  };
  const save = (name: string | undefined, value: unknown) => {
    if (name !== undefined) names[name] = value;
  };
  const playAll = async () => {
    const run = (await readNow(operator)).getTime();
    for (const [n, step] of scenario.steps.entries()) {
      if (director.signal?.aborted) throw new Stopped();
      director.stepped?.(n + 1);
      Object.assign(names, { run, listener: listener.url, ...timesAt(await readNow(operator)) });
      await perform(step, { stage, names, said: director.said, check, save }).catch((error: unknown) => {
        if (director.signal?.aborted) throw new Stopped();
        throw error instanceof UnknownName ? new UnknownName(`steps.${n}: ${error.message}`) : error;
      });
    }
  };
  try {
    const accounts = accountsOf(scenario).map((name) => `account ${name}`);
    director.said(`Recreated: ${accounts.join(', ')}.`);
    await setUp(director, scenario, listener.url);
    await playAll().finally(() => clearFaults(director, scenario));
  } finally {
    listener.close();
  }
  const { name, lookAt = [] } = scenario;
  return { scenario: name, ok: checks.every(({ ok }) => ok), checks, lookAt };
}
