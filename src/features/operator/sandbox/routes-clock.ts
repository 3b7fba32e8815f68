import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { withScope } from '../route.ts';
import {
  type ClockDeps,
  getClock,
  MoveBody,
  moveClock,
  requireAdminToReset,
  WireClock,
  WireMove,
} from './move-clock.ts';

export const clockRoutes =
  (deps: ClockDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.get(
      '/clock',
      withScope(
        'read',
        {
          operationId: 'operatorReadClock',
          summary:
            'Reads domain time, its offset from real time, whether it is frozen, and the move in progress',
          response: { 200: WireClock },
        },
        { audited: false },
      ),
      ({ ctx }) => getClock(ctx, deps),
    );

    api.post(
      '/clock',
      {
        ...withScope(
          'clock',
          {
            operationId: 'operatorMoveClock',
            summary:
              'Moves domain time in the sandbox and runs everything that becomes due on the way, or freezes it; a reset, ' +
              'which empties the sandbox, needs the scope admin',
            body: MoveBody,
            response: { 200: WireMove, 202: WireMove },
          },
          { idempotencyKey: 'afterwards' },
        ),
        preHandler: requireAdminToReset,
      },
      async ({ ctx, body }, reply) => {
        const answer = await moveClock(ctx, body, deps);
        reply.code(answer.remaining === undefined ? 200 : 202);
        return answer;
      },
    );
  };
