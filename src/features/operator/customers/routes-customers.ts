import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { ECPD_ID_PATTERN } from '../../../kernel/account-name.ts';
import { listCustomers } from '../../accounts/index.ts';
import { PAGE_KEYS, paged, pageKey, withScope } from '../route.ts';
import { PageQuery } from '../schemas.ts';
import { readCustomer, startDeletion } from './delete-customer.ts';

const CustomerParams = Type.Object({ ecpdId: Type.String({ pattern: ECPD_ID_PATTERN }) });

const WireCustomer = Type.Object({
  ecpdId: Type.String(),
  accountCount: Type.Integer({ description: 'Number of its accounts' }),
});

const Deletion = Type.Object({
  jobId: Type.String(),
  state: Type.Enum(['waiting', 'running', 'failed']),
  lastError: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
});

const WholeCustomer = Type.Object({
  ...WireCustomer.properties,
  devices: Type.Integer({
    description: 'In all its accounts, including sensors; counted up to 100,000, and 100,001 means more',
  }),
  users: Type.Integer({ description: 'Users with access to at least one of its accounts' }),
  listeners: Type.Integer(),
  triggers: Type.Integer({ description: 'Triggers on services and on plans' }),
  ratePlanGroups: Type.Integer(),
  notificationGroups: Type.Integer(),
  deletion: Type.Unsafe<Static<typeof Deletion> | null>({
    anyOf: [Deletion, { type: 'null' }],
    description: 'The requested deletion; null if none was requested since the customer was created',
  }),
});

/** Fleet documents call customers profiles. */
export const customerRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/customers',
    withScope('read', {
      operationId: 'operatorListCustomers',
      summary: 'Lists customers, which fleet documents call profiles, in the order of their ids',
      querystring: PageQuery,
      response: { 200: Type.Array(WireCustomer) },
    }),
    async ({ ctx, query: { page, limit = 100 } }, reply) =>
      paged(
        reply,
        await listCustomers(ctx.db, { after: pageKey(page, PAGE_KEYS.ecpdId) ?? '', limit }),
        limit,
        ({ ecpdId }) => ecpdId,
      ),
  );

  api.get(
    '/customers/:ecpdId',
    withScope('read', {
      operationId: 'operatorReadCustomer',
      summary:
        'Reads a customer with the number of its records of each kind, all of which a deletion deletes',
      params: CustomerParams,
      response: { 200: WholeCustomer },
    }),
    ({ ctx, params: { ecpdId } }) => readCustomer(ctx, ecpdId),
  );

  api.delete(
    '/customers/:ecpdId',
    withScope('admin', {
      operationId: 'operatorDeleteCustomer',
      summary:
        'Deletes a customer with all its accounts and their data, one account after the other. Poll the customer until it is unknown',
      params: CustomerParams,
      response: { 202: Type.Object({ jobId: Type.String() }) },
    }),
    async ({ ctx, params: { ecpdId } }, reply) =>
      reply.code(202).send({ jobId: await startDeletion(ctx, ecpdId) }),
  );
};
