import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { UUID_PATTERN } from '../../../kernel/uuid.ts';
import { defineFaults, fault, refuse } from '../../../platform/context/fault.ts';
import { operatorFaults } from '../errors.ts';
import { withScope } from '../route.ts';

export const scenarioFaults = defineFaults({
  absent: fault(
    409,
    'scenarios_absent',
    'Scenarios are played by a sandbox of one process, and this is none',
  ),
  wrong: fault(400, 'scenario_invalid', 'The scenario cannot be played'),
  busy: fault(409, 'scenario_running', 'Another scenario is being played: wait for its end, or stop it'),
  unknown: fault(404, 'scenario_run_unknown', 'There is no such run, or it was forgotten'),
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
  { description: 'What was said before a step, or what was expected, whether it came, and else what did' },
);

const WireRun = Type.Object({
  runId: Text,
  name: Text,
  summary: Text,
  state: Type.Enum(['running', 'passed', 'failed', 'stopped', 'broken'], {
    description: 'failed: a check did not come out. broken: it could not be played to its end',
  }),
  startedAt: Type.Unsafe<Date>({ type: 'string', format: 'date-time' }),
  steps: Type.Integer({ description: 'How many it has' }),
  step: Type.Integer({ description: 'The one that was begun last, from 1; 0 while its accounts are made' }),
  checks: Type.Integer({ description: 'Made so far' }),
  failedChecks: Type.Integer(),
  events: Type.Array(Event, { description: 'The first 500, in their order' }),
  lookAt: Type.Array(Text, { description: 'Commands that show what has happened' }),
  error: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Of one that is broken' }),
});
export type ScenarioRun = Static<typeof WireRun>;
export type ScenarioEvent = Static<typeof Event>;

/** Plays scenarios, one at a time, and remembers the last runs. */
export interface Scenarios {
  /** The newest first. */
  list(): readonly ScenarioRun[];
  /** Answers when it has begun. Refuses by the faults above. */
  start(asked: {
    readonly runId: string;
    readonly file: string;
    readonly text: string;
    readonly by: string;
    readonly at: Date;
  }): Promise<ScenarioRun>;
  /** Answers when it has ended. Undefined where there is no such run. */
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
        summary: 'The scenarios that this process plays or has played, the newest first, with each check',
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
            'Plays a scenario: deletes and imports its accounts, moves the clock, and checks how it ends. Answers when it has begun',
          body: Type.Object({
            name: Type.Optional(
              Type.String({
                maxLength: 100,
                description: 'What the file is called where something is wrong with it',
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
          summary: 'Stops a scenario after what it is doing; what it has done stays',
          params: Type.Object({ runId: Type.String({ pattern: UUID_PATTERN }) }),
          response: { 200: WireRun },
        },
        { idempotencyKey: false },
      ),
      async ({ params: { runId } }) => (await playerOrRefuse().stop(runId)) ?? refuse(scenarioFaults.unknown),
    );
  };
