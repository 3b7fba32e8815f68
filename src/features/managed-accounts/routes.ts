import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { AccountName } from '../../kernel/account-name.ts';
import { refuse } from '../../platform/context/fault.ts';
import { accountIn, calledBy, type KnowsAccount } from '../../platform/http/access.ts';
import { hasAddedAccount, type ManagedService } from '../accounts/index.ts';
import { addAccounts } from './add-accounts.ts';
import { cancelAccount } from './cancel-account.ts';
import { managedAccountFaults } from './errors.ts';
import { getStatement, listAccounts } from './list-accounts.ts';
import { listBothSides } from './list-relations.ts';
import { LISTED_STATES, parseService } from './managed-account.ts';
import { type Activation, provisionAccount } from './provision-account.ts';
import { requirePrimary } from './require-credentials.ts';
import * as schemas from './schemas.ts';
import { parseTxid, toWireActivation, toWireAdded, toWireList, toWireStatement } from './wire.ts';

const parseServiceName = (text: string): ManagedService =>
  parseService(text) ?? refuse(managedAccountFaults.invalidService);

function parseActivation(
  body: schemas.ActivationBody,
  { dialect }: Pick<FastifyRequest, 'dialect'>,
): Activation {
  const { paccountName, type } = body;
  const txid = parseTxid(body) ?? refuse(dialect.faults.invalid, { reason: 'TxId is needed' });
  return { paccountName, serviceName: parseServiceName(body.serviceName), skuName: type, txid };
}

const knows: KnowsAccount = ({ db }, primary, accountName) => hasAddedAccount(db, primary, accountName);

const LISTS = [
  [
    '',
    'listManagedAccounts',
    'The accounts that the primary account manages for a service, with their last transaction ids',
    schemas.ListParams,
  ],
  [
    '/status/:status',
    'listManagedAccountsByStatus',
    'The same with those of one status only; the other list is empty',
    schemas.StatusParams,
  ],
] as const;

async function list(
  { ctx, tenant, principal, dialect }: Pick<FastifyRequest, 'ctx' | 'tenant' | 'principal' | 'dialect'>,
  { serviceName: service, status }: { readonly serviceName: string; readonly status?: string },
) {
  const serviceName = parseServiceName(service);
  const states =
    status === undefined ? LISTED_STATES : LISTED_STATES.filter((s) => s === status.toLowerCase());
  if (states.length === 0) refuse(dialect.faults.invalid, { reason: 'status must be added or provisioned' });
  return toWireList(tenant.accountName, await listAccounts(ctx, tenant, { serviceName, states }, principal));
}

/** Mounted at /subsc/v1. SKUs begin with `prefix`. */
export const managedAccountRoutes =
  ({ prefix }: { readonly prefix: string }): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.post(
      '/managedaccounts/actions/add',
      calledBy(accountIn('body'), {
        operationId: 'addManagedAccounts',
        summary: 'Adds accounts to the primary account that calls; each then activates the service itself',
        body: schemas.AddBody,
        response: { 200: schemas.WireAdded },
      }),
      async ({ ctx, tenant, body, principal }) => {
        const { serviceName, type, managedAccList: names } = body;
        const addition = { serviceName: parseServiceName(serviceName), type, names };
        return toWireAdded(await addAccounts(ctx, tenant, addition, { user: principal, prefix }));
      },
    );

    api.post(
      '/managedaccounts/actions/provision',
      calledBy(accountIn('body'), {
        operationId: 'provisionManagedAccount',
        summary: 'Activates a service of the managed account that calls, billed with its primary account',
        body: schemas.ActivationBody,
        response: { 200: schemas.WireActivation },
      }),
      async (request) => {
        const { ctx, tenant, body, principal } = request;
        const activation = parseActivation(body, request);
        const result = await provisionAccount(ctx, tenant, activation, principal);
        return toWireActivation(tenant.accountName, activation, result);
      },
    );

    api.post(
      '/managedaccounts/actions/cancel',
      calledBy(accountIn('body', { orField: 'paccountName', knows }), {
        operationId: 'cancelManagedAccount',
        summary:
          'Ends the activation of the managed account that calls, or an addition by either account; it may be added again',
        body: schemas.ActivationBody,
        response: { 200: schemas.WireActivation },
      }),
      async (request) => {
        const { ctx, tenant, body, principal, dialect } = request;
        const activation = parseActivation(body, request);
        // The access check has already refused malformed names.
        const managed = { ecpdId: tenant.ecpdId, accountName: body.accountName as AccountName };
        const by = { user: principal, denied: dialect.faults.denied };
        const result = await cancelAccount(ctx, managed, activation, by);
        return toWireActivation(managed.accountName, activation, result);
      },
    );

    for (const [path, operationId, summary, params] of LISTS)
      api.get(
        `/managedaccounts/:accountName/service/:serviceName${path}`,
        calledBy(accountIn('params'), { operationId, summary, params, response: { 200: schemas.WireList } }),
        (request) => list(request, request.params),
      );

    api.get(
      '/managedaccounts/:accountName/service/:serviceName/relations',
      calledBy(accountIn('params'), {
        operationId: 'listManagedAccountRelations',
        summary:
          'Accounts whose service is billed with this one, and the account that bills it, each with its SKU',
        description:
          'The SKU and the transaction id of a relation are what its next action has to name. `accounts` is empty ' +
          'if the caller may not act as the primary account.',
        params: schemas.ListParams,
        querystring: schemas.RelationsQuery,
        response: { 200: schemas.WireRelations },
      }),
      ({ ctx, tenant, principal, params, query: { page: after = '', limit = schemas.RELATIONS_PAGE } }) => {
        const serviceName = parseServiceName(params.serviceName);
        return listBothSides(ctx, tenant, { serviceName, after, limit }, principal);
      },
    );

    api.get(
      '/managedaccounts/:accountName/service/:serviceName/statement/:month',
      calledBy(accountIn('params'), {
        operationId: 'readManagedAccountStatement',
        summary: 'What the primary account is billed for in a month, by the account that used it',
        params: schemas.StatementParams,
        response: { 200: schemas.WireStatement },
      }),
      async ({ ctx, tenant, params, principal }) => {
        const named = { serviceName: parseServiceName(params.serviceName), month: params.month };
        await requirePrimary(ctx, principal, tenant);
        return toWireStatement({ ...tenant, ...named }, await getStatement(ctx, tenant, named));
      },
    );
  };
