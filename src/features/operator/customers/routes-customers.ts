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
  accountCount: Type.Integer({ description: 'Accounts that it has' }),
});

const Deletion = Type.Object({
  jobId: Type.String(),
  state: Type.Enum(['waiting', 'running', 'failed']),
  lastError: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
});

const WholeCustomer = Type.Object({
  ...WireCustomer.properties,
  devices: Type.Integer({
    description: 'Of all its accounts, sensors too, counted up to 100,000; 100,001 is more',
  }),
  users: Type.Integer({ description: 'Who has access to one of its accounts' }),
  listeners: Type.Integer(),
  triggers: Type.Integer({ description: 'On the use of services, and on the use of plans' }),
  ratePlanGroups: Type.Integer(),
  notificationGroups: Type.Integer(),
  deletion: Type.Unsafe<Static<typeof Deletion> | null>({
    anyOf: [Deletion, { type: 'null' }],
    description: 'Where somebody has asked for it; null where nobody has, or not since it was made anew',
  }),
});

/** Customers are what fleet documents call profiles. */
export const customerRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/customers',
    withScope('read', {
      operationId: 'operatorListCustomers',
      summary: 'Customers, which are the profiles of fleet documents, in order of their ids',
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
      summary: 'A customer with what belongs to it, counted by kind: what goes when it is deleted',
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
        'Deletes a customer with all its accounts and everything that belongs to them, one account after the other. Read it until it is not there',
      params: CustomerParams,
      response: { 202: Type.Object({ jobId: Type.String() }) },
    }),
    async ({ ctx, params: { ecpdId } }, reply) =>
      reply.code(202).send({ jobId: await startDeletion(ctx, ecpdId) }),
  );
};
