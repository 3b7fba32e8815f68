import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { withSession } from '../../../platform/http/access.ts';
import { turnstile } from '../../../platform/turnstile.ts';
import { type Backtest, backtest } from '../backtest/backtest.ts';
import { BODY_MAX_BYTES } from './routes-writing.ts';
import { BacktestBody, WireBacktest } from './schemas-backtest.ts';

/** Each may keep a connection busy for a minute: the others are left to what is wanted at once. */
const turns = turnstile(2);

const toWire = ({ firings, truncated }: Backtest): WireBacktest => ({
  firings: firings.map(({ candidate, at, action, deviceIds }) => ({
    subject: candidate.subject,
    ...(deviceIds && { deviceIds: [...deviceIds] }),
    accountName: candidate.accountName,
    level: candidate.level,
    levelKind: candidate.levelKind,
    cycle: { from: candidate.opensAt.toISOString(), to: candidate.closesAt.toISOString() },
    at: at.toISOString(),
    before: candidate.beforeBytes,
    after: candidate.afterBytes,
    threshold: candidate.thresholdBytes,
    usageRecordId: candidate.recordId,
    late: candidate.late,
    action,
  })),
  truncated,
});

export const routesForBacktest: FastifyPluginAsyncTypebox = async (api) => {
  api.post(
    '/actions/backtest',
    {
      bodyLimit: BODY_MAX_BYTES,
      config: { access: withSession },
      schema: {
        operationId: 'backtestPricePlanTrigger',
        summary: 'What a trigger would have fired in a past period, on whom, and what it would have done',
        body: BacktestBody,
        response: { 200: WireBacktest },
      },
    },
    async ({ ctx, principal, body }) => toWire(await turns.pass(() => backtest(ctx, principal, body))),
  );
};
