import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { viewerAsOperator } from '../../../../platform/http/access.ts';
import { areActionsPaused, pauseActions, resumeActions } from '../../../firings/index.ts';
import {
  type ClockDeps,
  getClock,
  MoveBody,
  moveClock,
  requireAdminToReset,
  WireClock,
  WireMove,
} from '../../../operator/index.ts';

const Paused = Type.Object({ paused: Type.Boolean() });

/** What an operator does to the whole service: time in the sandbox, and holding trigger actions back. */
export const operationRoutes =
  (clock: ClockDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.get(
      '/clock',
      {
        config: { access: viewerAsOperator('read') },
        schema: {
          operationId: 'consoleReadClock',
          summary: 'Domain time, how far it is from real time, and a move that is under way',
          response: { 200: WireClock },
        },
      },
      ({ ctx }) => getClock(ctx, clock),
    );

    api.post(
      '/clock',
      {
        config: { access: viewerAsOperator('clock') },
        preHandler: requireAdminToReset,
        schema: {
          operationId: 'consoleMoveClock',
          summary: 'Moves domain time in the sandbox, through everything that falls due on the way',
          body: MoveBody,
          response: { 200: WireMove },
        },
      },
      ({ ctx, body, operator }) => moveClock(ctx, body, clock, operator),
    );

    api.get(
      '/actions',
      {
        config: { access: viewerAsOperator('read') },
        schema: {
          operationId: 'consoleReadActions',
          summary: 'Whether trigger actions are paused',
          response: { 200: Paused },
        },
      },
      async ({ ctx }) => ({ paused: await areActionsPaused(ctx) }),
    );

    api.put(
      '/actions',
      {
        config: { access: viewerAsOperator('admin') },
        schema: {
          operationId: 'consoleSetActions',
          summary: 'Pauses trigger actions, or lets triggers act again',
          body: Paused,
          response: { 200: Paused },
        },
      },
      async ({ ctx, body: { paused }, operator }) => {
        if (paused) await pauseActions(ctx, operator.keyName);
        else await resumeActions(ctx);
        return { paused };
      },
    );
  };
