import type { CheckAddressText, CheckListenerAddress, SendCallback } from '../features/callbacks/index.ts';
import type { RequestLimits } from '../features/carrier-requests/index.ts';
import type { FaultRules } from '../features/injected-faults/index.ts';
import type { PositionSource } from '../features/locations/index.ts';
import type { Channel, Sender } from '../features/notifications/index.ts';
import type { Snapshots } from '../features/operator/index.ts';
import type { FolderFeed } from '../features/usage-files/index.ts';
import type { MovableClock } from '../platform/clock/clock.ts';
import type { Settings } from '../platform/config/settings.ts';
import type { Ctx } from '../platform/context/context.ts';
import type { NotificationFeed } from '../platform/db/listen.ts';
import type { Health } from '../platform/health/health.ts';
import type { NodeRegistry } from '../platform/health/nodes.ts';
import type { Front } from '../platform/http/front.ts';
import type { JobKind } from '../platform/jobs/job.ts';
import type { Tracing } from '../platform/telemetry/tracing/tracing.ts';
import type { LocationLimits } from './compose/compose-locations.ts';
import type { Elements } from './compose/compose-network.ts';
import type { Replica } from './replica.ts';
import type { HostedScenarios } from './scenarios.ts';
import type { HostedSimulator } from './simulator.ts';

/** The dependencies of the service, which differ between a real start and tests. */
export interface Surroundings {
  readonly settings: Settings;
  readonly ctx: Ctx;
  /** The replica for some lists. */
  readonly replica?: Replica | undefined;
  /** The clock of `ctx` if it can be moved, as in the sandbox. */
  readonly movableClock: MovableClock | undefined;
  readonly feed: NotificationFeed;
  readonly nodes: Pick<NodeRegistry, 'countOthers' | 'clockIsRight' | 'holdAlone'>;
  readonly health: Health;
  readonly operatorKey: string;
  /** The HTTP client for listeners. */
  readonly callbackHttp: {
    readonly send: SendCallback;
    readonly checkAddress: CheckListenerAddress;
    readonly checkAddressText: CheckAddressText;
  };
  /** The source of positions; without one, only the cache is used. */
  readonly positionSource: PositionSource | undefined;
  /** The elements that carry out orders for lines; without them a sandbox has a simulated network, and production none. */
  readonly elements?: Elements | undefined;
  /** Folders that receive usage records as files. */
  readonly folders?: readonly FolderFeed[] | undefined;
  /** The senders of mail and SMS. */
  readonly ways: Readonly<Record<Channel, Sender>>;
  /** The simulated fleet, in a sandbox of one process. */
  readonly simulator?: HostedSimulator | undefined;
  /** The player of scenarios, in a sandbox of one process. */
  readonly scenarios?: HostedScenarios | undefined;
  /** Snapshots of the sandbox, with the embedded database. */
  readonly snapshots?: Snapshots | undefined;
  /** The failure rules of a sandbox, if they must survive the core. */
  readonly faultRules?: FaultRules | undefined;
  /** Receives the requests, if the API does not listen itself. */
  readonly front?: Front | undefined;
  readonly jobs?: readonly JobKind[];
  /** Lower limits and shorter times for tests. */
  readonly limits?: {
    readonly requests?: RequestLimits;
    readonly locations?: LocationLimits;
    readonly livePollMs?: number;
  };
  readonly tracing?: Tracing;
}
