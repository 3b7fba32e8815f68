import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, createClient, LinekeeperError, type OperatorRoute } from '../../sdk/index.ts';
import { userOf } from './cast.ts';
import { openListener } from './listener.ts';
import type { Check, Scenario, Stage } from './scenario.ts';

const MOVE_MS = 120_000;
const POLL_MS = 500;
const TURNS_MAX = 60;

export interface Director {
  readonly operator: Caller<OperatorRoute>;
  readonly baseUrl: string;
  said(sentence: string): void;
  checked(check: Check): void;
}

export interface Played {
  readonly scenario: string;
  readonly ok: boolean;
  readonly checks: readonly Check[];
  readonly lookAt: readonly string[];
}

/** The living fleet, or somebody else, may be moving the clock: then it is our turn when they have arrived. */
async function moved(operator: Caller<OperatorRoute>, advance: string): Promise<Date> {
  for (let turn = 1; ; turn++) {
    try {
      await operator.call('POST /operator/v1/clock', { body: { advance }, timeoutMs: MOVE_MS });
      break;
    } catch (error) {
      const busy = error instanceof LinekeeperError && error.code === 'clock_moving';
      if (!busy || turn >= TURNS_MAX) throw error;
      await sleep(POLL_MS);
    }
  }
  for (;;) {
    const { now, movingTo } = await operator.call('GET /operator/v1/clock');
    if (movingTo === undefined) return new Date(now);
    await sleep(POLL_MS);
  }
}

/** What an earlier run has left goes, so that every run begins alike. */
async function setUp(
  { operator }: Director,
  { accountName, fleet }: Scenario,
  url: string,
  now: Date,
): Promise<void> {
  try {
    await operator.call('DELETE /operator/v1/accounts/{accountName}', { path: { accountName } });
    // What follows from the deletion is work of its own, which a moved clock waits for.
    await moved(operator, 'PT1S');
  } catch (error) {
    if (!(error instanceof LinekeeperError && error.status === 404)) throw error;
  }
  await operator.call('POST /operator/v1/import', { raw: JSON.stringify(fleet(url, now)) });
}

export async function playScenario(scenario: Scenario, director: Director): Promise<Played> {
  const { operator, baseUrl } = director;
  const checks: Check[] = [];
  const now = async () => new Date((await operator.call('GET /operator/v1/clock')).now);
  const listener = await openListener();
  const client = createClient({ baseUrl, ...userOf(Number(scenario.accountName.slice(8, 10))) });
  const stage: Stage = {
    operator,
    client,
    listener,
    now,
    say: director.said,
    check(what, ok) {
      checks.push({ what, ok });
      director.checked({ what, ok });
    },
    advance: (duration) => moved(operator, duration),
    feed: (records) =>
      operator.call('POST /operator/v1/usage', {
        raw: records.map((record) => JSON.stringify(record)).join('\n'),
        headers: { 'content-type': 'application/x-ndjson' },
      }),
  };
  try {
    director.said(`Account ${scenario.accountName} is made anew.`);
    await setUp(director, scenario, listener.url, await now());
    await scenario.play(stage);
  } finally {
    listener.close();
  }
  const { name, lookAt } = scenario;
  return { scenario: name, ok: checks.every(({ ok }) => ok), checks, lookAt };
}
