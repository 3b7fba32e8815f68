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

/** What the service is put together from: a real start and a test give other ones. */
export interface Surroundings {
  readonly settings: Settings;
  readonly ctx: Ctx;
  /** Where some lists may be read from. */
  readonly replica?: Replica | undefined;
  /** The clock of `ctx` where it can be moved: in the sandbox. */
  readonly movableClock: MovableClock | undefined;
  readonly feed: NotificationFeed;
  readonly nodes: Pick<NodeRegistry, 'countOthers' | 'clockIsRight' | 'holdAlone'>;
  readonly health: Health;
  readonly operatorKey: string;
  /** The way out to listeners. */
  readonly callbackHttp: {
    readonly send: SendCallback;
    readonly checkAddress: CheckListenerAddress;
    readonly checkAddressText: CheckAddressText;
  };
  /** Who knows where devices are; without one only the cache does. */
  readonly positionSource: PositionSource | undefined;
  /** What carries out orders for lines; without them a sandbox has a simulated network, and production none. */
  readonly elements?: Elements | undefined;
  /** Folders that usage records come into as files. */
  readonly folders?: readonly FolderFeed[] | undefined;
  /** What sends mail and SMS. */
  readonly ways: Readonly<Record<Channel, Sender>>;
  /** The living fleet: in a sandbox of one process. */
  readonly simulator?: HostedSimulator | undefined;
  /** What plays scenarios: in a sandbox of one process. */
  readonly scenarios?: HostedScenarios | undefined;
  /** Whole states of the sandbox, where the database is the service's own. */
  readonly snapshots?: Snapshots | undefined;
  /** By which calls fail on purpose in a sandbox, where they outlive what is put together here. */
  readonly faultRules?: FaultRules | undefined;
  /** What takes the requests, where they do not come by the API itself. */
  readonly front?: Front | undefined;
  readonly jobs?: readonly JobKind[];
  /** Where fewer than usual are many, or less is long. */
  readonly limits?: {
    readonly requests?: RequestLimits;
    readonly locations?: LocationLimits;
    readonly livePollMs?: number;
  };
  readonly tracing?: Tracing;
}
