import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FleetSection } from '../../platform/fleet-document/section.ts';
import { addRoutes } from '../../platform/http/add-routes.ts';
import type { JobKind } from '../../platform/jobs/job.ts';
import type { WithholdPayloads } from '../callbacks/index.ts';
import type { MoveLines } from '../devices/index.ts';
import type { RelocatePayload } from '../location-reports/index.ts';
import type { KnownSource } from '../locations/index.ts';
import type { CheckedNetwork } from '../network/index.ts';
import type { KnownFeed } from '../network-feeds/index.ts';
import type { ActingDeps } from '../trigger-actions/index.ts';
import { accountRoutes } from './customers/routes-accounts.ts';
import { customerRoutes } from './customers/routes-customers.ts';
import { planRoutes } from './customers/routes-plans.ts';
import { networkFeedRoutes } from './network/routes-feeds.ts';
import { networkRoutes } from './network/routes-network.ts';
import { sessionRoutes } from './network/routes-sessions.ts';
import { callbackRoutes } from './routes-callbacks.ts';
import { databaseRoutes } from './routes-database.ts';
import { deviceRoutes } from './routes-devices.ts';
import { type FeedDeps, feedRoutes } from './routes-feeds.ts';
import { firingRoutes } from './routes-firings.ts';
import { fleetRoutes } from './routes-fleet.ts';
import { pauseRoutes } from './routes-pauses.ts';
import { keyRoutes, peopleRoutes } from './routes-people.ts';
import { notificationRoutes, recordRoutes } from './routes-records.ts';
import { type RetentionDays, serviceRoutes } from './routes-service.ts';
import { usageRoutes } from './routes-usage.ts';
import type { ClockDeps } from './sandbox/move-clock.ts';
import { clockRoutes } from './sandbox/routes-clock.ts';
import { type Scenarios, scenarioRoutes } from './sandbox/routes-scenarios.ts';
import { simulationRoutes, simulatorRoutes } from './sandbox/routes-simulation.ts';
import { type SnapshotDeps, snapshotRoutes } from './sandbox/routes-snapshots.ts';
import type { Simulator } from './sandbox/simulate-device.ts';

export interface OperatorDeps {
  readonly sections: readonly FleetSection[];
  readonly clock: ClockDeps;
  readonly feeds: FeedDeps;
  /** Resolves when this process has applied its own changes of access. */
  readonly heardChanges: () => Promise<void>;
  readonly withhold: WithholdPayloads;
  /** Carries out approved actions. */
  readonly acting: ActingDeps & { readonly moveLines: MoveLines };
  /** Locates devices that requests wait for. Only with a simulated network. */
  readonly relocate: JobKind<typeof RelocatePayload> | undefined;
  /** Only in a sandbox that one process serves. */
  readonly simulator: Simulator | undefined;
  readonly snapshots: SnapshotDeps;
  /** Only in a sandbox that one process serves. */
  readonly scenarios: Scenarios | undefined;
  /** The network elements that serve the lines. */
  readonly network: CheckedNetwork | undefined;
  /** Feeds that networks send on their own. */
  readonly networkFeeds: readonly KnownFeed[];
  /** Where the network says devices are. */
  readonly positionSources: readonly KnownSource[];
  readonly retentionDays: RetentionDays;
}

/** Mounted at /operator/v1. */
export const operatorRoutes =
  ({
    sections,
    clock,
    feeds,
    heardChanges,
    withhold,
    acting,
    relocate,
    simulator,
    snapshots,
    scenarios,
    network,
    networkFeeds,
    positionSources,
    retentionDays,
  }: OperatorDeps): FastifyPluginAsyncTypebox =>
  async (api) => {
    api.addHook('onSend', async ({ method }) => {
      if (method !== 'GET') await heardChanges();
    });
    // These routes have their own body parsing.
    await api.register(fleetRoutes(sections));
    await api.register(feedRoutes(feeds));
    await api.register(networkFeedRoutes(networkFeeds));
    await addRoutes(api, [
      usageRoutes,
      accountRoutes(network?.network),
      customerRoutes,
      deviceRoutes(acting, network?.network),
      clockRoutes(clock),
      snapshotRoutes(snapshots),
      scenarioRoutes({ sandbox: snapshots.sandbox, scenarios }),
      databaseRoutes,
      serviceRoutes(retentionDays),
      planRoutes,
      peopleRoutes,
      keyRoutes,
      recordRoutes,
      pauseRoutes,
      networkRoutes(network, networkFeeds, positionSources),
      sessionRoutes,
      callbackRoutes(withhold),
      simulationRoutes(relocate),
      simulatorRoutes(simulator),
      notificationRoutes,
      firingRoutes(acting),
    ]);
  };
