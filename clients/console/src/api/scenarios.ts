import type { Answer } from '../../../sdk/index.ts';
import { readCalls, readOutcome } from '../../../simulator/scenarios/record/read-session.ts';
import { recordPlayable, type Session } from '../../../simulator/scenarios/record/record-scenario.ts';
import { call, open, request } from './client.ts';

const RUNS = 'GET /operator/v1/scenarios/runs';
/** Starting the player process may take a while on a busy machine. */
const START_MS = 60_000;
/** The current step ends first. */
const STOP_MS = 60_000;

export type ScenarioRun = Answer<typeof RUNS>[number];
export type ScenarioEvent = ScenarioRun['events'][number];

export const listRuns = (signal?: AbortSignal) => call(RUNS, { signal });
export const playScenario = (body: { readonly name: string; readonly text: string }) =>
  call('POST /operator/v1/scenarios/runs', { body, timeoutMs: START_MS });
export const stopScenario = (runId: string) =>
  call('POST /operator/v1/scenarios/runs/{runId}/stop', { path: { runId }, timeoutMs: STOP_MS });

/** A scenario file from the logged calls of an account; null if there are none. */
export async function recordAccount(accountName: string) {
  const operator = { call, request, open };
  const calls = await readCalls(operator, {});
  if (!calls.some((one) => one.accountName === accountName)) return null;
  const fleet = (await call('GET /operator/v1/export', { query: { accountName } })) as Session['fleet'];
  const { scenario, steps, notes } = recordPlayable({
    name: accountName,
    ...{ accountName, calls, fleet },
    ...(await readOutcome(operator, accountName, calls[0]!.at)),
  });
  return { text: `${JSON.stringify(scenario, null, 2)}\n`, steps, notes };
}
