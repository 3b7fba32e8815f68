import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { withSession } from '../../platform/http/access.ts';
import { dropBlanks, pricePlanTriggerSchemas } from '../price-plan-triggers/index.ts';
import { runBacktest } from './backtest/backtest.ts';
import { readPastUse } from './backtest/past-use.ts';
import { BacktestBody, PastUseBody, WireBacktest, WirePastUse } from './schemas.ts';

export const backtestRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.post(
    '/actions/backtest',
    {
      bodyLimit: pricePlanTriggerSchemas.BODY_MAX_BYTES,
      preValidation: dropBlanks,
      config: { access: withSession, query: true },
      schema: {
        operationId: 'backtestPricePlanTrigger',
        summary:
          'What a trigger would have fired in a past period, for which subjects, and with which actions',
        body: BacktestBody,
        response: { 200: WireBacktest },
      },
    },
    async ({ ctx, principal, body }) => runBacktest(ctx, principal, body),
  );

  api.post(
    '/actions/past-use',
    {
      bodyLimit: pricePlanTriggerSchemas.BODY_MAX_BYTES,
      preValidation: dropBlanks,
      config: { access: withSession, query: true },
      schema: {
        operationId: 'readPastUseOfPricePlanTrigger',
        summary: 'What a trigger would have counted day by day in a past period, with its levels',
        body: PastUseBody,
        response: { 200: WirePastUse },
      },
    },
    async ({ ctx, principal, body }) => readPastUse(ctx, principal, body),
  );
};
