import type { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { viewerOfAccount } from '../../../platform/http/access.ts';
import { AccountParams } from '../schemas.ts';
import type { LiveHub } from './live-hub.ts';

export const eventRoutes =
  (hub: LiveHub): FastifyPluginAsyncTypebox =>
  async (api) => {
    // Before the service waits for calls to end: these would not end by themselves.
    api.addHook('preClose', async () => hub.close());

    api.get(
      '/accounts/:accountName/events',
      {
        // A browser comes back by itself for as long as the page is open, and sends no header of ours with it.
        config: { access: viewerOfAccount(), unattended: true, timed: false },
        schema: {
          operationId: 'consoleWatchAccount',
          summary: 'Server-sent events: which topics of the account have changed, and the time of the domain',
          params: AccountParams,
          response: {
            200: {
              description: 'A stream that goes on until the caller leaves or the service stops',
              content: { 'text/event-stream': { schema: Type.Unsafe<Readable>({ type: 'string' }) } },
            },
          },
        },
      },
      async ({ ctx, tenant, viewer }, reply) => {
        const stream = hub.open(ctx, tenant, viewer);
        return reply.header('x-accel-buffering', 'no').type('text/event-stream; charset=utf-8').send(stream);
      },
    );
  };
