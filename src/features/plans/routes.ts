import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { refuse } from '../../platform/context/fault.ts';
import { accountIn, calledBy } from '../../platform/http/access.ts';
import { findAccountWithPlans, listPlans } from './sql.ts';
import { AccountParams, toWireAccount, toWirePlan, WireAccount, WirePlanList } from './wire.ts';

export const planRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/plans/:accountName',
    calledBy(accountIn('params'), {
      operationId: 'listPlans',
      summary: 'The service plans that lines of the account can be on',
      params: AccountParams,
      response: { 200: WirePlanList },
    }),
    async ({ ctx }) => (await listPlans(ctx.db)).map(toWirePlan),
  );

  api.get(
    '/accounts/:accountName',
    calledBy(accountIn('params'), {
      operationId: 'readAccount',
      summary: 'One billing account with its plans and features',
      params: AccountParams,
      response: { 200: WireAccount },
    }),
    async ({ ctx, tenant, dialect }) =>
      // An account that was deleted after the check of the session counts as unknown.
      toWireAccount(
        (await findAccountWithPlans(ctx.db, tenant)) ?? refuse(dialect.faults.accountUnknownInPath),
      ),
  );
};
