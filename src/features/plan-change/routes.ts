import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { accountIn } from '../../platform/http/access.ts';
import { Accepted, type WorkJob } from '../carrier-requests/index.ts';
import { requestPlanChange } from './request-plan-change.ts';
import { PlanChangeBody } from './schemas.ts';

/** Mounted at /m2m/v1. */
export const planChangeRoutes =
  ({ workJob }: { readonly workJob: WorkJob }): FastifyPluginAsyncTypebox =>
  async (api) => {
    // The interface defines both methods.
    for (const [method, operationId] of [
      ['PUT', 'changePlan'],
      ['POST', 'changePlanByPost'],
    ] as const) {
      api.route({
        method,
        url: '/devices/actions/plan',
        config: { access: accountIn('body', { mayBeAbsent: true }) },
        schema: {
          operationId,
          summary: 'Puts up to 10,000 devices on another plan; a CarrierService callback reports each',
          body: PlanChangeBody,
          response: { 200: Accepted },
        },
        handler: ({ ctx, tenant, principal, body }) =>
          requestPlanChange(ctx, tenant, { body, createdBy: principal.username }, workJob),
      });
    }
  };
