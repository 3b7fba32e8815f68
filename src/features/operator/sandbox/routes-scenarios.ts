import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { UUID_PATTERN } from '../../../kernel/uuid.ts';
import { defineFaults, fault, refuse } from '../../../platform/context/fault.ts';
import { operatorFaults } from '../errors.ts';
import { withScope } from '../route.ts';

export const scenarioFaults = defineFaults({
  absent: fault(409, 'scenarios_absent', 'Only a sandbox with one process can play scenarios'),
  wrong: fault(400, 'scenario_invalid', 'The scenario cannot be played'),
  busy: fault(409, 'scenario_running', 'Another scenario is being played: wait for its end, or stop it'),
  unknown: fault(404, 'scenario_run_unknown', 'There is no such run, or it was deleted'),
  unstarted: fault(500, 'scenario_not_started', 'The scenario could not be started'),
});

const TEXT_MAX = 1024 * 1024;
const Text = Type.String();

const Event = Type.Object(
  {
    said: Type.Optional(Text),
    what: Type.Optional(Text),
    ok: Type.Optional(Type.Boolean()),
    expected: Type.Optional(Text),
    came: Type.Optional(Text),
  },
  {
    description:
      'A note before a step, or a check: what was expected, whether it happened, and if not, what did',
  },
);

const WireRun = Type.Object({
  runId: Text,
  name: Text,
  summary: Text,
  state: Type.Enum(['running', 'passed', 'failed', 'stopped', 'broken'], {
    description: 'failed: a check failed. broken: it could not be played to its end',
  }),
  startedAt: Type.Unsafe<Date>({ type: 'string', format: 'date-time' }),
  steps: Type.Integer({ description: 'The number of steps' }),
  step: Type.Integer({
    description: 'The last step that was started, from 1; 0 while its accounts are created',
  }),
  checks: Type.Integer({ description: 'The number of checks made so far' }),
  failedChecks: Type.Integer(),
  events: Type.Array(Event, { description: 'The first 500, in order' }),
  lookAt: Type.Array(Text, { description: 'Commands that show what has happened' }),
  error: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Only for a broken run' }),
});
export type ScenarioRun = Static<typeof WireRun>;
export type ScenarioEvent = Static<typeof Event>;

/** Plays scenarios one at a time and keeps the last runs. */
export interface Scenarios {
  /** Newest first. */
  list(): readonly ScenarioRun[];
  /** Resolves when the run has started. Refuses with the faults above. */
  start(asked: {
    readonly runId: string;
    readonly file: string;
    readonly text: string;
    readonly by: string;
    readonly at: Date;
  }): Promise<ScenarioRun>;
  /** Resolves when the run has ended. Undefined if there is no such run. */
  stop(runId: string): Promise<ScenarioRun | undefined>;
}

interface ScenarioDeps {
  readonly sandbox: boolean;
  readonly scenarios: Scenarios | undefined;
}

export const scenarioRoutes =
  ({ sandbox, scenarios }: ScenarioDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    const playerOrRefuse = (): Scenarios => {
      if (!sandbox) return refuse(operatorFaults.sandboxOnly);
      return scenarios ?? refuse(scenarioFaults.absent);
    };

    api.get(
      '/scenarios/runs',
      withScope('read', {
        operationId: 'operatorListScenarioRuns',
        summary: 'Lists the scenarios that this process plays or has played, newest first, with each check',
        response: { 200: Type.Array(WireRun) },
      }),
      async () => [...playerOrRefuse().list()],
    );

    api.post(
      '/scenarios/runs',
      withScope(
        'admin',
        {
          operationId: 'operatorPlayScenario',
          summary:
            'Plays a scenario: deletes and imports its accounts, moves the clock, and checks the results. Answers when it has started',
          body: Type.Object({
            name: Type.Optional(
              Type.String({
                maxLength: 100,
                description: 'The name of the file in error messages',
              }),
            ),
            text: Type.String({
              minLength: 1,
              maxLength: TEXT_MAX,
              description: 'The file, as YAML or JSON',
            }),
          }),
          response: { 201: WireRun },
        },
        { idempotencyKey: false },
      ),
      async ({ ctx, operator, body: { name: file = 'scenario', text } }, reply) => {
        const asked = { runId: ctx.newId(), file, text, by: operator.keyName, at: ctx.now() };
        const run = await playerOrRefuse().start(asked);
        reply.code(201);
        return run;
      },
    );

    api.post(
      '/scenarios/runs/:runId/stop',
      withScope(
        'admin',
        {
          operationId: 'operatorStopScenario',
          summary: 'Stops a scenario after its current step; the effects of earlier steps stay',
          params: Type.Object({ runId: Type.String({ pattern: UUID_PATTERN }) }),
          response: { 200: WireRun },
        },
        { idempotencyKey: false },
      ),
      async ({ params: { runId } }) => (await playerOrRefuse().stop(runId)) ?? refuse(scenarioFaults.unknown),
    );
  };
