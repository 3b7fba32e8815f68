import type { Answer } from '../../../sdk/index.ts';
import { readCalls, readOutcome } from '../../../simulator/scenarios/record/read-session.ts';
import { recordPlayable, type Session } from '../../../simulator/scenarios/record/record-scenario.ts';
import { call, open, request } from './client.ts';

const RUNS = 'GET /operator/v1/scenarios/runs';
/** What plays it is started first, on a machine that may have much to do. */
const START_MS = 60_000;
/** What it is doing ends first. */
const STOP_MS = 60_000;

export type ScenarioRun = Answer<typeof RUNS>[number];
export type ScenarioEvent = ScenarioRun['events'][number];

export const listRuns = (signal?: AbortSignal) => call(RUNS, { signal });
export const playScenario = (body: { readonly name: string; readonly text: string }) =>
  call('POST /operator/v1/scenarios/runs', { body, timeoutMs: START_MS });
export const stopScenario = (runId: string) =>
  call('POST /operator/v1/scenarios/runs/{runId}/stop', { path: { runId }, timeoutMs: STOP_MS });

/** A scenario of what the log has of an account, as the text of a file; null where there is nothing. */
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
