import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { AccountName } from '../../../../kernel/account-name.ts';
import type { Tenant, Viewer } from '../../../../platform/context/context.ts';
import { viewerOfAccount } from '../../../../platform/http/access.ts';
import { listRelations } from '../../../accounts/index.ts';
import {
  addAccounts,
  cancelAccount,
  managedAccountFaults,
  provisionAccount,
} from '../../../managed-accounts/index.ts';
import { principalFor } from '../../session/viewed-accounts.ts';
import { listManaged, readStatementPage } from './read-managed.ts';
import * as schemas from './schemas.ts';

const SERVICE = '/accounts/:accountName/managed-accounts/:serviceName';

/** Of a page that shows what is not so any more, not of a session that has ended. */
const cancellerFor = (viewer: Viewer, tenant: Tenant) => ({
  user: principalFor(viewer, tenant),
  denied: managedAccountFaults.noAccess,
});

/** SKUs begin with `prefix`. */
export const managedRoutes =
  (prefix: string): FastifyPluginAsyncTypebox =>
  async (api) => {
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
      async ({ ctx, tenant, viewer, params: { serviceName }, body: { skuName: type, accounts: names } }) => {
        const by = { user: principalFor(viewer, tenant), prefix };
        const { results } = await addAccounts(ctx, tenant, { serviceName, type, names }, by);
        return { results: [...results] };
      },
    );

    api.post(
      `${SERVICE}/take-back`,
      {
        config: change,
        schema: {
          operationId: 'consoleTakeBackManagedAccount',
          summary: 'Takes back that an account was added, as long as it has not activated the service',
          params: schemas.ServiceParams,
          body: schemas.TakeBackBody,
          response: { 200: schemas.WireResult },
        },
      },
      ({ ctx, tenant, viewer, params: { serviceName }, body: { accountName, ...body } }) => {
        const managed = { ecpdId: tenant.ecpdId, accountName: accountName as AccountName };
        const taken = { ...body, paccountName: tenant.accountName, serviceName };
        return cancelAccount(ctx, managed, taken, cancellerFor(viewer, tenant));
      },
    );

    api.get(
      `${SERVICE}/own`,
      {
        config: read,
        schema: {
          operationId: 'consoleReadOwnManagement',
          summary: 'Which account this one is billed with, or those that it may be billed with',
          params: schemas.ServiceParams,
          response: { 200: schemas.WireRelations },
        },
      },
      async ({ ctx, tenant, params: { serviceName } }) => ({
        relations: await listRelations(ctx.db, tenant, serviceName),
      }),
    );

    api.post(
      `${SERVICE}/own/activate`,
      {
        config: change,
        schema: {
          operationId: 'consoleActivateManagement',
          summary: 'Agrees to be billed with the primary account',
          params: schemas.ServiceParams,
          body: schemas.ActivationBody,
          response: { 200: schemas.WireResult },
        },
      },
      ({ ctx, tenant, viewer, params: { serviceName }, body }) =>
        provisionAccount(ctx, tenant, { ...body, serviceName }, principalFor(viewer, tenant)),
    );

    api.post(
      `${SERVICE}/own/cancel`,
      {
        config: change,
        schema: {
          operationId: 'consoleCancelManagement',
          summary: 'Is billed by itself again, or declines to be billed with another; it may be added again',
          params: schemas.ServiceParams,
          body: schemas.ActivationBody,
          response: { 200: schemas.WireResult },
        },
      },
      ({ ctx, tenant, viewer, params: { serviceName }, body }) =>
        cancelAccount(ctx, tenant, { ...body, serviceName }, cancellerFor(viewer, tenant)),
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
