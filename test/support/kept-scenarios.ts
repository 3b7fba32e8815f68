import type { HostedScenarios } from '../../src/app/scenarios.ts';
import type { ScenarioRun } from '../../src/features/operator/index.ts';

export const KEPT_RUN = '019b8a20-4c00-7000-8000-2f60c1f5a001';

/** For worlds without the scenario player: answers as if a scenario had been played. */
export function keptScenarios(at: Date): HostedScenarios {
  const run: ScenarioRun = {
    runId: KEPT_RUN,
    name: 'overage',
    summary: 'Devices use more than their plan allows; triggers fire and say so.',
    state: 'passed',
    startedAt: at,
    ...{ steps: 1, step: 1, checks: 1, failedChecks: 0, error: null },
    events: [{ said: 'A device uses 6 MB.' }, { what: 'the trigger has fired', ok: true }],
    lookAt: ['linekeeper firings --account 0000960001-00001'],
  };
  return {
    list: () => [run],
    start: async ({ runId }) => ({
      ...run,
      runId,
      state: 'running',
      step: 0,
      checks: 0,
      events: [],
      lookAt: [],
    }),
    stop: async (runId) => (runId === KEPT_RUN ? run : undefined),
    findPlayer: () => undefined,
    begin() {},
    close: async () => {},
  };
}
