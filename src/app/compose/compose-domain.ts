import type { Ctx } from '../../platform/context/context.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';
import { measureLocations } from '../metrics.ts';
import type { Surroundings } from '../surroundings.ts';
import { composeCarrier } from './compose-carrier.ts';
import { composeFeeds } from './compose-feeds.ts';
import { composeLocations } from './compose-locations.ts';
import { composeNetwork } from './compose-network.ts';
import { composeTriggers } from './compose-triggers.ts';

/**
 * Dependencies between features in both directions: triggers evaluate changed lines and change lines, and
 * locations and feeds count uses of services.
 */
export function composeDomain(ctx: Ctx, around: Surroundings, metrics: Metrics) {
  const { settings, positionSource, health, elements, limits = {} } = around;
  const lines = composeNetwork(ctx, settings, elements);
  const carrier = composeCarrier((...moved) => triggers.evaluator.evaluateMove(...moved), {
    countAlerts: (...alerts) => feeds.readings.count(...alerts),
    limits: limits.requests,
    network: lines?.network,
  });
  const triggers = composeTriggers(metrics, {
    workJob: carrier.workJob,
    devicesMax: settings.actionDevicesMax,
  });
  const { evaluator } = triggers;
  const locations = composeLocations(
    settings,
    positionSource,
    evaluator.watchServices,
    ctx.log,
    limits.locations,
  );
  measureLocations(metrics, locations.locator);
  const { feeds, watcher } = composeFeeds(ctx, settings, { evaluator, metrics, health });
  return { carrier, triggers, locations, feeds, watcher, lines };
}

export type Domain = ReturnType<typeof composeDomain>;
