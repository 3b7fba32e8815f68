import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { operatorWith } from '../../../platform/http/access.ts';
import { type ClockDeps, MoveBody, moveClock, readClock, WireClock, WireMove } from './move-clock.ts';
import { requireAdminToReset } from './require-admin.ts';

export const clockRoutes =
  (deps: ClockDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.get(
      '/clock',
      {
        config: { access: operatorWith('read') },
        schema: {
          operationId: 'operatorReadClock',
          summary:
            'Domain time, how far it is from real time, whether it stands still, and a move that is under way',
          response: { 200: WireClock },
        },
      },
      ({ ctx }) => readClock(ctx, deps),
    );

    api.post(
      '/clock',
      {
        config: { access: operatorWith('clock'), idempotencyKey: 'afterwards' },
        preHandler: requireAdminToReset,
        schema: {
          operationId: 'operatorMoveClock',
          summary:
            'Moves domain time in the sandbox, through everything that falls due on the way, or freezes it; a reset, which ' +
            'empties the sandbox, needs the scope admin',
          body: MoveBody,
          response: { 200: WireMove, 202: WireMove },
        },
      },
      async ({ ctx, body, operator }, reply) => {
        const answer = await moveClock(ctx, body, deps, operator);
        reply.code(answer.remaining === undefined ? 200 : 202);
        return answer;
      },
    );
  };
