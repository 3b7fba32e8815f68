import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { viewerOfAccount } from '../../../../platform/http/access.ts';
import { findManagedAccount } from '../../../accounts/index.ts';
import { addAccounts, cancelAccount, provisionAccount } from '../../../managed-accounts/index.ts';
import { principalFor } from '../../session/viewed-accounts.ts';
import { listManaged, readStatementPage } from './read-managed.ts';
import * as schemas from './schemas.ts';

const SERVICE = '/accounts/:accountName/managed-accounts/:serviceName';

export const managedRoutes: FastifyPluginAsyncTypebox = async (api) => {
  const read = { access: viewerOfAccount() };
  const change = { access: viewerOfAccount('fleet') };

  api.get(
    SERVICE,
    {
      config: read,
      schema: {
        operationId: 'consoleListManagedAccounts',
        summary: 'Accounts whose service is billed with this one, or is about to be',
        params: schemas.ServiceParams,
        querystring: schemas.ListQuery,
        response: { 200: schemas.WireManaged },
      },
    },
    ({ ctx, tenant, viewer, params: { serviceName }, query }) =>
      listManaged(ctx, tenant, { serviceName, ...query }, principalFor(viewer, tenant)),
  );

  api.post(
    SERVICE,
    {
      config: change,
      schema: {
        operationId: 'consoleAddManagedAccounts',
        summary: 'Adds accounts to this one; each then activates the service itself',
        params: schemas.ServiceParams,
        body: schemas.AddBody,
        response: { 200: schemas.WireResults },
      },
    },
    async ({ ctx, tenant, viewer, params: { serviceName }, body: { skuName, accounts: names } }) => {
      const addition = { serviceName, skuName, names };
      const { results } = await addAccounts(ctx, tenant, addition, principalFor(viewer, tenant));
      return { results: [...results] };
    },
  );

  api.get(
    `${SERVICE}/own`,
    {
      config: read,
      schema: {
        operationId: 'consoleReadOwnManagement',
        summary: 'Which account this one is billed with, if it is',
        params: schemas.ServiceParams,
        response: { 200: schemas.WireRelation },
      },
    },
    async ({ ctx, tenant, params: { serviceName } }) => ({
      relation: (await findManagedAccount(ctx.db, tenant, serviceName)) ?? null,
    }),
  );

  for (const [action, operationId, summary, act] of [
    [
      'activate',
      'consoleActivateManagement',
      'Agrees to be billed with the primary account',
      provisionAccount,
    ],
    ['cancel', 'consoleCancelManagement', 'Is billed by itself again, and may be added again', cancelAccount],
  ] as const)
    api.post(
      `${SERVICE}/own/${action}`,
      {
        config: change,
        schema: {
          operationId,
          summary,
          params: schemas.ServiceParams,
          body: schemas.ActivationBody,
          response: { 200: schemas.WireResult },
        },
      },
      ({ ctx, tenant, viewer, params: { serviceName }, body }) =>
        act(ctx, tenant, { ...body, serviceName }, principalFor(viewer, tenant)),
    );

  api.get(
    `${SERVICE}/statement/:month`,
    {
      config: read,
      schema: {
        operationId: 'consoleReadStatement',
        summary: 'What the account is billed for in a month, by the account that used it',
        params: schemas.MonthParams,
        querystring: Type.Object({ page: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })) }),
        response: { 200: schemas.WireStatement },
      },
    },
    ({ ctx, tenant, viewer, params: { serviceName, month }, query: { page: from = 0 } }) =>
      readStatementPage(ctx, tenant, { serviceName, month, from }, principalFor(viewer, tenant)),
  );
};
