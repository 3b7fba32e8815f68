import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { countManagedByState, listManagedPage, listRelations, MANAGED_SERVICES } from '../accounts/index.ts';
import { isPrimarySession } from '../managed-accounts/index.ts';
import { AccountParams, next, ofAccount } from './schemas.ts';

const PAGE = 200;

const Relations = Type.Array(
  Type.Object({
    accountName: Type.String(),
    paccountName: Type.String(),
    skuName: Type.String(),
    state: Type.Enum(['added', 'provisioned']),
    txid: Type.String(),
  }),
);

const WireManaged = Type.Object({
  own: { ...Relations, description: 'With which account this one is billed, or may be' },
  mayManage: Type.Boolean({ description: 'Whether the viewer may act for it as a primary account' }),
  accounts: { ...Relations, description: 'Billed with this one, or about to be; by name' },
  added: Type.Integer(),
  provisioned: Type.Integer(),
  next,
});

/** The interface lists them without their SKU, which every change of one has to name. */
export const managedRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/accounts/:accountName/managed-accounts/:serviceName',
    ofAccount(
      'consoleListManagedAccounts',
      'Accounts whose service is billed with this one, and the one that it is billed with itself',
      WireManaged,
      {
        params: Type.Object({ ...AccountParams.properties, serviceName: Type.Enum([...MANAGED_SERVICES]) }),
        querystring: Type.Object({
          page: Type.Optional(Type.String({ maxLength: 32 })),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE })),
        }),
      },
    ),
    async ({ ctx, tenant, viewer, params: { serviceName }, query: { page: after = '', limit = PAGE } }) => {
      const own = await listRelations(ctx.db, tenant, serviceName);
      const mayManage = viewer.kind === 'operator' || (await isPrimarySession(ctx, viewer.principal, tenant));
      if (!mayManage) return { own, mayManage, accounts: [], added: 0, provisioned: 0 };
      const [found, { added, provisioned }] = await Promise.all([
        listManagedPage(ctx.db, tenant, { serviceName, after, limit: limit + 1 }),
        countManagedByState(ctx.db, tenant, serviceName),
      ]);
      const accounts = found.slice(0, limit);
      const last = accounts.at(-1);
      const goesOn = found.length > limit && last && { next: last.accountName };
      return { own, mayManage, accounts, added, provisioned, ...goesOn };
    },
  );
};
