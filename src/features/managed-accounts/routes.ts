import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { AccountName } from '../../kernel/account-name.ts';
import { refuse } from '../../platform/context/fault.ts';
import { accountIn } from '../../platform/http/access.ts';
import type { ManagedService } from '../accounts/index.ts';
import type { Activation } from './activation.ts';
import { addAccounts } from './add-accounts.ts';
import { cancelAccount } from './cancel-account.ts';
import { managedAccountFaults } from './errors.ts';
import { listAccounts } from './list-accounts.ts';
import { parseListedState, parseService } from './managed-account.ts';
import { provisionAccount } from './provision-account.ts';
import { readStatement } from './read-statement.ts';
import { requirePrimary } from './require-credentials.ts';
import * as schemas from './schemas.ts';
import { readTxid, toWireActivation, toWireAdded, toWireList, toWireStatement } from './wire.ts';

const readService = (text: string): ManagedService =>
  parseService(text) ?? refuse(managedAccountFaults.invalidService);

function readActivation(
  body: schemas.ActivationBody,
  { dialect }: Pick<FastifyRequest, 'dialect'>,
): Activation {
  const { paccountName, type } = body;
  const txid = readTxid(body) ?? refuse(dialect.faults.invalid, { reason: 'TxId is needed' });
  return { paccountName, serviceName: readService(body.serviceName), skuName: type, txid };
}

/** Mounted at /subsc/v1. SKUs begin with `prefix`. */
export const managedAccountRoutes =
  ({ prefix }: { readonly prefix: string }): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.post(
      '/managedaccounts/actions/add',
      {
        config: { access: accountIn('body') },
        schema: {
          operationId: 'addManagedAccounts',
          summary: 'Adds accounts to the primary account that calls; each then activates the service itself',
          body: schemas.AddBody,
          response: { 200: schemas.WireAdded },
        },
      },
      async ({ ctx, tenant, body, principal }) => {
        const { serviceName, type, managedAccList: names } = body;
        const addition = { serviceName: readService(serviceName), type, names };
        return toWireAdded(await addAccounts(ctx, tenant, addition, { user: principal, prefix }));
      },
    );

    api.post(
      '/managedaccounts/actions/provision',
      {
        config: { access: accountIn('body') },
        schema: {
          operationId: 'provisionManagedAccount',
          summary: 'Activates a service of the managed account that calls, billed with its primary account',
          body: schemas.ActivationBody,
          response: { 200: schemas.WireActivation },
        },
      },
      async (request) => {
        const { ctx, tenant, body, principal } = request;
        const activation = readActivation(body, request);
        const result = await provisionAccount(ctx, tenant, activation, principal);
        return toWireActivation(tenant.accountName, activation, result);
      },
    );

    api.post(
      '/managedaccounts/actions/cancel',
      {
        config: { access: accountIn('body', { orField: 'paccountName' }) },
        schema: {
          operationId: 'cancelManagedAccount',
          summary:
            'Ends the activation of the managed account that calls, or an addition by either account; it may be added again',
          body: schemas.ActivationBody,
          response: { 200: schemas.WireActivation },
        },
      },
      async (request) => {
        const { ctx, tenant, body, principal, dialect } = request;
        const activation = readActivation(body, request);
        // A name that can be none was refused with the access.
        const managed = { ecpdId: tenant.ecpdId, accountName: body.accountName as AccountName };
        const by = { user: principal, denied: dialect.faults.denied };
        const result = await cancelAccount(ctx, managed, activation, by);
        return toWireActivation(managed.accountName, activation, result);
      },
    );

    api.get(
      '/managedaccounts/:accountName/service/:serviceName',
      {
        config: { access: accountIn('params') },
        schema: {
          operationId: 'listManagedAccounts',
          summary:
            'The accounts that the primary account manages for a service, with their last transaction ids',
          params: schemas.ListParams,
          response: { 200: schemas.WireList },
        },
      },
      async ({ ctx, tenant, params, principal }) => {
        const serviceName = readService(params.serviceName);
        return toWireList(tenant.accountName, await listAccounts(ctx, tenant, { serviceName }, principal));
      },
    );

    api.get(
      '/managedaccounts/:accountName/service/:serviceName/status/:status',
      {
        config: { access: accountIn('params') },
        schema: {
          operationId: 'listManagedAccountsByStatus',
          summary: 'The same with those of one status only; the other list is empty',
          params: schemas.StatusParams,
          response: { 200: schemas.WireList },
        },
      },
      async ({ ctx, tenant, params, principal, dialect }) => {
        const serviceName = readService(params.serviceName);
        const status =
          parseListedState(params.status) ??
          refuse(dialect.faults.invalid, { reason: 'status must be added or provisioned' });
        const listed = await listAccounts(ctx, tenant, { serviceName, states: [status] }, principal);
        return toWireList(tenant.accountName, listed);
      },
    );

    api.get(
      '/managedaccounts/:accountName/service/:serviceName/statement/:month',
      {
        config: { access: accountIn('params') },
        schema: {
          operationId: 'readManagedAccountStatement',
          summary: 'What the primary account is billed for in a month, by the account that used it',
          params: schemas.StatementParams,
          response: { 200: schemas.WireStatement },
        },
      },
      async ({ ctx, tenant, params, principal }) => {
        const named = { serviceName: readService(params.serviceName), month: params.month };
        await requirePrimary(ctx, principal, tenant);
        return toWireStatement({ ...tenant, ...named }, await readStatement(ctx, tenant, named));
      },
    );
  };
