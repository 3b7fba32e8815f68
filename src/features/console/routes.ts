import type { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { ClockMover } from '../../platform/clock/clock-mover.ts';
import type { Health } from '../../platform/health/health.ts';
import { viewerOfAccount } from '../../platform/http/access.ts';
import { addRoutes } from '../../platform/http/add-routes.ts';
import { billingRoutes } from './billing/routes.ts';
import { deviceRoutes } from './devices/routes.ts';
import { historyRoutes } from './devices/routes-history.ts';
import { lineRoutes } from './devices/routes-lines.ts';
import { createLiveHub, type LiveHub } from './live/live-hub.ts';
import { accountMarks, clockMark } from './live/marks.ts';
import { positionRoutes } from './locations/routes-positions.ts';
import { overviewRoutes } from './overview/routes.ts';
import { approvalRoutes } from './routes-approvals.ts';
import { triggerRoutes } from './routes-triggers.ts';
import { AccountParams } from './schemas.ts';
import { findViewer } from './session/find-viewer.ts';
import { type SignInDeps, sessionRoutes } from './session/routes.ts';

export interface ConsoleDeps {
  readonly signIn: Omit<SignInDeps, 'onSignOut' | 'isFrozen'>;
  readonly mover: ClockMover | undefined;
  readonly health: Health;
  /** Time between two polls for changes, if not the default. */
  readonly livePollMs?: number | undefined;
}

const eventRoutes =
  (hub: LiveHub): FastifyPluginAsyncTypebox =>
  async (api) => {
    // Before the service waits for calls to end, because these would not end on their own.
    api.addHook('preClose', async () => hub.close());

    api.get(
      '/accounts/:accountName/events',
      {
        // A browser reconnects on its own while the page is open, without our header.
        config: { access: viewerOfAccount(), unattended: true, timed: false },
        schema: {
          operationId: 'consoleWatchAccount',
          summary: 'Server-sent events: the topics of the account that changed, and the domain time',
          params: AccountParams,
          response: {
            200: {
              description: 'A stream that lasts until the caller leaves or the service stops',
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

/** Mounted at /console/v1: the data of the console's pages that no other route answers. */
export const consoleRoutes =
  ({ signIn, mover, health, livePollMs }: ConsoleDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    const hub = createLiveHub({
      marks: { ...accountMarks, clock: clockMark(mover) },
      findViewer: (ctx, sessionHash) => findViewer(ctx, sessionHash, signIn),
      // Without events a page reads again on its own.
      loop: health.loop('console.live', { vital: false }),
      pollMs: livePollMs,
    });
    await addRoutes(api, [
      sessionRoutes({
        ...signIn,
        isFrozen: () => mover?.isFrozen() ?? false,
        onSignOut: hub.endSession,
      }),
      eventRoutes(hub),
      overviewRoutes,
      deviceRoutes,
      historyRoutes,
      lineRoutes,
      positionRoutes,
      billingRoutes,
      triggerRoutes,
      approvalRoutes,
    ]);
  };
