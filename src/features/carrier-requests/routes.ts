import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { accountIn, calledBy } from '../../platform/http/access.ts';
import { getLines } from './get-lines.ts';
import { type FindProgress, getProgress } from './get-progress.ts';
import { LinesParams, LinesQuery, StatusParams, WireLines, WireStatus } from './schemas.ts';

/** Mounted at /m2m/v1. Finders provide the requests of other features. */
export const carrierRequestRoutes =
  (finders: readonly FindProgress[]): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.get(
      '/accounts/:accountName/requests/:requestId/status',
      calledBy(accountIn('params'), {
        operationId: 'readRequestStatus',
        summary: 'How far a request is that is answered by callbacks, and how many of its devices failed',
        params: StatusParams,
        response: { 200: WireStatus },
      }),
      async ({ ctx, tenant, params }) => {
        const { devices, ...progress } = await getProgress(ctx, tenant, params.requestId, finders);
        if (devices === undefined) return progress;
        const { requested, succeeded, failed, unfollowed } = devices;
        return {
          ...progress,
          devicesRequested: requested,
          devicesPending: requested - succeeded - failed,
          devicesSucceeded: succeeded,
          devicesFailed: failed,
          ...(unfollowed > 0 && { devicesUnfollowed: unfollowed }),
        };
      },
    );

    api.get(
      '/accounts/:accountName/requests/:requestId/devices',
      calledBy(accountIn('params'), {
        operationId: 'listRequestDevices',
        summary: 'The devices of a request, each with its result and the state of its callback',
        description:
          'For requests that change devices. Devices come in the order of the request, page by page, with the progress ' +
          'of the whole request.',
        params: LinesParams,
        querystring: LinesQuery,
        response: { 200: WireLines },
      }),
      ({ ctx, tenant, params: { requestId }, query: { state, after = -1, limit = 100 } }) =>
        getLines(ctx, tenant, requestId, { state, after, limit }),
    );
  };
