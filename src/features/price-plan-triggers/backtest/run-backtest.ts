import type { Ctx, Principal } from '../../../platform/context/context.ts';
import { concurrencyLimit } from '../../../platform/flow-control/limits.ts';
import type { BacktestBody, WireBacktest } from '../routing/schemas-backtest.ts';
import { type Backtest, backtest } from './backtest.ts';

/** Each may keep a connection busy for a minute: the others are left to what is wanted at once. */
const turns = concurrencyLimit(2);

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
    ...(candidate.cause !== undefined && { cause: candidate.cause }),
    late: candidate.late,
    action,
  })),
  truncated,
});

/** Whoever asks waits for the same turns. */
export const runBacktest = async (ctx: Ctx, user: Principal, body: BacktestBody): Promise<WireBacktest> =>
  toWire(await turns.run(() => backtest(ctx, user, body)));
