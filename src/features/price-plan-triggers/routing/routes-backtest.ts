import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { withSession } from '../../../platform/http/access.ts';
import { runBacktest } from '../backtest/run-backtest.ts';
import { BODY_MAX_BYTES } from '../schemas.ts';
import { dropBlanks } from './drop-blanks.ts';
import { BacktestBody, WireBacktest } from './schemas-backtest.ts';

export const routesForBacktest: FastifyPluginAsyncTypebox = async (api) => {
  api.post(
    '/actions/backtest',
    {
      bodyLimit: BODY_MAX_BYTES,
      preValidation: dropBlanks,
      config: { access: withSession, query: true },
      schema: {
        operationId: 'backtestPricePlanTrigger',
        summary: 'What a trigger would have fired in a past period, on whom, and what it would have done',
        body: BacktestBody,
        response: { 200: WireBacktest },
      },
    },
    async ({ ctx, principal, body }) => runBacktest(ctx, principal, body),
  );
};
