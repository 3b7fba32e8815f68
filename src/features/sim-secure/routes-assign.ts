import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { accountIn } from '../../platform/http/access.ts';
import { Accepted, type WorkJob } from '../carrier-requests/index.ts';
import { assignLicenses, requestLicenses, unassignLicenses } from './assign-licenses.ts';
import { AssignBody } from './schemas-assign.ts';

export const assignmentRoutes =
  ({ workJob }: { readonly workJob: WorkJob }): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.post(
      '/devices/license/actions/assign',
      {
        config: { access: accountIn('body', { mayBeAbsent: true }) },
        schema: {
          operationId: 'assignLicenses',
          summary: 'Gives SIM Secure licences of a SKU to devices; a CarrierService callback tells of each',
          body: AssignBody,
          response: { 200: Accepted },
        },
      },
      ({ ctx, tenant, principal, body }) =>
        requestLicenses(
          ctx,
          tenant,
          { body, operation: assignLicenses, createdBy: principal.username },
          workJob,
        ),
    );

    api.delete(
      '/devices/license/actions/assign',
      {
        config: { access: accountIn('body', { mayBeAbsent: true }) },
        schema: {
          operationId: 'unassignLicenses',
          summary: 'Takes SIM Secure licences of a SKU back from devices; needs a body like the assignment',
          body: AssignBody,
          response: { 200: Accepted },
        },
      },
      ({ ctx, tenant, principal, body }) =>
        requestLicenses(
          ctx,
          tenant,
          { body, operation: unassignLicenses, createdBy: principal.username },
          workJob,
        ),
    );
  };
