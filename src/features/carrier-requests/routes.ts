import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { accountIn } from '../../platform/http/access.ts';
import { findKnownRequest } from './read-status.ts';
import { StatusParams, WireStatus } from './schemas.ts';

/** Mounted at /m2m/v1. */
export const carrierRequestRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/accounts/:accountName/requests/:requestId/status',
    {
      config: { access: accountIn('params') },
      schema: {
        operationId: 'readRequestStatus',
        summary: 'How far a request is that changes devices, and how many of them failed',
        params: StatusParams,
        response: { 200: WireStatus },
      },
    },
    async ({ ctx, tenant, params }) => {
      const request = await findKnownRequest(ctx, tenant, params.requestId);
      const { requestId, status, operation, deviceCount, succeeded, failed } = request;
      return {
        requestId,
        status,
        operation,
        devicesRequested: deviceCount,
        devicesPending: deviceCount - succeeded - failed,
        devicesSucceeded: succeeded,
        devicesFailed: failed,
      };
    },
  );
};
