import { CALLBACK_CHANNEL } from '../../features/callbacks/index.ts';
import { ORDER_CHANNEL } from '../../features/network/index.ts';
import { NOTIFICATION_CHANNEL } from '../../features/notifications/index.ts';
import { RECORDING_CHANNEL } from '../../features/request-log/index.ts';
import { ACCESS_CHANNEL } from '../../features/sessions/index.ts';
import type { Ctx } from '../../platform/context/context.ts';
import { JOB_CHANNEL } from '../../platform/jobs/sql.ts';
import { createMetrics } from '../../platform/telemetry/metrics.ts';
import { measureProcess } from '../metrics.ts';
import type { Surroundings } from '../surroundings.ts';
import { composeApi } from './compose-api.ts';
import { composeDomain } from './compose-domain.ts';
import { composeEngines } from './compose-engines.ts';

/** The notifications from the database to the parts of the service. */
export const CHANNELS = [
  ACCESS_CHANNEL,
  CALLBACK_CHANNEL,
  JOB_CHANNEL,
  NOTIFICATION_CHANNEL,
  ORDER_CHANNEL,
  RECORDING_CHANNEL,
];

/**
 * Composes the service from its surroundings without starting background work: the features, their engines,
 * and the API. `stop` ends the background work of the API; engines have their own stops.
 */
export async function compose(around: Surroundings) {
  const { settings, replica, nodes } = around;
  const ctx: Ctx = { ...around.ctx, clock: { ...around.ctx.clock, isRight: nodes.clockIsRight } };
  const metrics = createMetrics();
  replica?.measure(metrics);
  measureProcess(metrics, settings);
  const domain = composeDomain(ctx, around, metrics);
  const engines = composeEngines(ctx, around, domain, metrics);
  const { api, stop } = await composeApi(ctx, around, domain, engines, metrics);
  return { api, ...engines, metrics, stop };
}

export type Parts = Awaited<ReturnType<typeof compose>>;
