import {
  createAccountingServer,
  PACKET_OUTCOMES,
  type PacketOutcome,
} from '../../adapters/radius/accounting-server.ts';
import { createSessionTaker } from '../../features/data-sessions/index.ts';
import { createFeedReporter, type FeedReporter } from '../../features/network-feeds/index.ts';
import type { FeedPolicy } from '../../features/usage/index.ts';
import { realClock } from '../../platform/clock/clock.ts';
import type { FeedSettings } from '../../platform/config/network-schema.ts';
import { ConfigError } from '../../platform/config/settings.ts';
import type { Ctx } from '../../platform/context/context.ts';
import type { Health } from '../../platform/health/health.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';

const REPORTED: Readonly<Partial<Record<PacketOutcome, 'accepted' | 'duplicates' | 'rejected'>>> = {
  counted: 'accepted',
  doubtful: 'accepted',
  restart: 'accepted',
  nothing: 'duplicates',
  repeated: 'duplicates',
  rejected: 'rejected',
  'unknown-client': 'rejected',
  'wrong-secret': 'rejected',
  malformed: 'rejected',
};

interface RadiusParts {
  readonly policy: FeedPolicy;
  readonly metrics: Metrics;
  readonly health: Health;
}

/** Counts packets for the metrics of this process, and for the state of the feed. */
function packetCounter(metrics: Metrics, reporter: FeedReporter): (outcome: PacketOutcome) => void {
  const count = metrics.addCounter({
    name: 'linekeeper_radius_packets_total',
    help: 'Packets of RADIUS accounting by what became of them, since this process started; overloaded ones were met with silence',
    label: 'outcome',
    values: PACKET_OUTCOMES,
  });
  return (outcome) => {
    count(outcome, 1);
    const reported = REPORTED[outcome];
    if (reported !== undefined) reporter.count({ [reported]: 1 });
  };
}

/** Checks the addresses before anything listens. */
function openServer(...given: Parameters<typeof createAccountingServer>) {
  try {
    return createAccountingServer(...given);
  } catch (error) {
    throw new ConfigError(`LINEKEEPER_NETWORK: feed radius: ${(error as Error).message}.`);
  }
}

/** RADIUS accounting as a feed; undefined if the network file has none. */
export function composeRadius(
  ctx: Ctx,
  settings: FeedSettings['radius'],
  { policy, metrics, health }: RadiusParts,
) {
  if (settings === undefined) return undefined;
  const reporter = createFeedReporter(ctx, settings.name, health);
  const taker = createSessionTaker(ctx, {
    policy,
    realNow: realClock.now,
    onFailure: (reason) => reporter.failed(`Reports could not be written: ${reason}`),
    onWaiting: (count, oldestAt) => reporter.waiting(count, oldestAt),
  });
  const server = openServer(settings, {
    take: taker.take,
    isPaused: () => reporter.isPaused,
    now: ctx.now,
    count: packetCounter(metrics, reporter),
    failed: (reason) => reporter.failed(reason),
  });
  return {
    async start(): Promise<void> {
      await reporter.start();
      await server.start();
    },
    async stop(): Promise<void> {
      await server.stop();
      await taker.closed();
      await reporter.stop();
    },
  };
}
