import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { refuse } from '../../platform/context/fault.ts';
import { accountIn } from '../../platform/http/access.ts';
import type { WorkJob } from '../carrier-requests/index.ts';
import { licenseFaults } from './errors.ts';
import { listSubscriptions } from './list-subscriptions.ts';
import { assignmentRoutes } from './routes-assign.ts';
import { SubscriptionsBody, WireSubscriptions } from './schemas.ts';

/** Here the interface shows a code of its own for an account that is not named. */
async function requireAccountName({ body }: FastifyRequest): Promise<void> {
  const named = typeof body === 'object' && body !== null && 'accountName' in body ? body.accountName : null;
  if (named === null || named === undefined) refuse(licenseFaults.accountMissing);
}

const subscriptionRoutes =
  (prefix: string): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.post(
      '/accounts/subscriptions/actions/list',
      {
        config: { access: accountIn('body'), query: true, reads: 'replica' },
        preValidation: requireAccountName,
        schema: {
          operationId: 'listLicenseSubscriptions',
          summary: 'How many SIM Secure licenses of each kind an account has bought, assigned and left',
          body: SubscriptionsBody,
          response: { 200: WireSubscriptions },
        },
      },
      ({ ctx, tenant, body: { skuNumber } }) => listSubscriptions(ctx, tenant, skuNumber, prefix),
    );
  };

/** Mounted at /m2m/v1. */
export const licenseRoutes =
  ({ prefix, workJob }: { readonly prefix: string; readonly workJob: WorkJob }): FastifyPluginAsyncTypebox =>
  async (api) => {
    await api.register(subscriptionRoutes(prefix));
    await api.register(assignmentRoutes({ workJob }));
  };
