import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { refuse } from '../../platform/context/fault.ts';
import { accountIn } from '../../platform/http/access.ts';
import { Accepted, type WorkJob } from '../carrier-requests/index.ts';
import { assignLicenses, requestLicenses, unassignLicenses } from './assign-licenses.ts';
import { licenseFaults } from './errors.ts';
import { listSubscriptions } from './list-licenses.ts';
import { AssignBody, SubscriptionsBody, WireSubscriptions } from './schemas.ts';

/** The interface defines a separate error code for a missing account name here. */
async function requireAccountName({ body }: FastifyRequest): Promise<void> {
  const named = typeof body === 'object' && body !== null && 'accountName' in body ? body.accountName : null;
  if (named === null || named === undefined) refuse(licenseFaults.accountMissing);
}

const ASSIGNMENTS = [
  {
    method: 'POST',
    operation: assignLicenses,
    operationId: 'assignLicenses',
    summary: 'Assigns SIM Secure licences of a SKU to devices; a CarrierService callback reports each device',
  },
  {
    method: 'DELETE',
    operation: unassignLicenses,
    operationId: 'unassignLicenses',
    summary: 'Removes SIM Secure licences of a SKU from devices; needs the same body as the assignment',
  },
] as const;

/** Mounted at /m2m/v1. */
export const licenseRoutes =
  ({ prefix, workJob }: { readonly prefix: string; readonly workJob: WorkJob }): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.post(
      '/accounts/subscriptions/actions/list',
      {
        config: { access: accountIn('body'), query: true, reads: 'replica' },
        preValidation: requireAccountName,
        schema: {
          operationId: 'listLicenseSubscriptions',
          summary: 'Counts the SIM Secure licenses of an account by kind: purchased, assigned and available',
          body: SubscriptionsBody,
          response: { 200: WireSubscriptions },
        },
      },
      ({ ctx, tenant, body: { skuNumber } }) => listSubscriptions(ctx, tenant, skuNumber, prefix),
    );

    for (const { method, operation, operationId, summary } of ASSIGNMENTS)
      api.route({
        method,
        url: '/devices/license/actions/assign',
        config: { access: accountIn('body', { mayBeAbsent: true }) },
        schema: { operationId, summary, body: AssignBody, response: { 200: Accepted } },
        handler: ({ ctx, tenant, principal: { username: createdBy }, body }) =>
          requestLicenses(ctx, tenant, { body, operation, createdBy }, workJob),
      });
  };
