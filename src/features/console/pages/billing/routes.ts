import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { viewerOfAccount } from '../../../../platform/http/access.ts';
import { AccountParams } from '../../schemas.ts';
import { readBill, readBillMonths } from './read-bill.ts';
import { MONTH, WireBill, WireBillMonths } from './schemas.ts';

export const billingRoutes: FastifyPluginAsyncTypebox = async (api) => {
  const access = viewerOfAccount();

  api.get(
    '/accounts/:accountName/billing',
    {
      config: { access },
      schema: {
        operationId: 'consoleListBillMonths',
        summary: 'What was billed in each of the last twelve billing months',
        params: AccountParams,
        response: { 200: WireBillMonths },
      },
    },
    ({ ctx, tenant, dialect }) => readBillMonths(ctx, tenant, dialect.faults.accountUnknownInPath),
  );

  api.get(
    '/accounts/:accountName/billing/:month',
    {
      config: { access },
      schema: {
        operationId: 'consoleReadBill',
        summary: 'What was billed in a billing month, by APN or rating group and country',
        params: Type.Object({ ...AccountParams.properties, month: Type.String({ pattern: MONTH }) }),
        response: { 200: WireBill },
      },
    },
    ({ ctx, tenant, params: { month }, dialect }) =>
      readBill(ctx, tenant, month, dialect.faults.accountUnknownInPath),
  );
};
