import type { Tenant } from '../../../platform/context/context.ts';
import type { TraceParent } from '../../../platform/telemetry/tracing/tracing.ts';
import type { RestsOn } from '../send-callback.ts';

/** One listener: what is sent to it is claimed, sent and recorded by one worker at a time. */
export interface Lane extends Tenant {
  readonly serviceName: string;
}

export const laneKey = ({ ecpdId, accountName, serviceName }: Lane): string =>
  JSON.stringify([ecpdId, accountName, serviceName]);

/** A lane that this worker may send on, for as long as it renews its lease. */
export interface LeasedLane extends Lane {
  readonly leaseToken: string;
}

/** A message of the lane that is due. */
export interface DueMessage {
  readonly messageId: string;
  readonly requestId: string;
  /** Of the call that it came of; null where nobody asked. */
  readonly callerRequestId: string | null;
  readonly payload: string;
  readonly restsOn: RestsOn | null;
  readonly trace: TraceParent | null;
  /** Those that have it in common get their first attempts one after the other. */
  readonly orderKey: string | null;
  readonly createdAt: Date;
  /** As the database writes it: to be handed back, to the microsecond. */
  readonly dueAt: string;
  readonly series: number;
  readonly attemptsMade: number;
  /** The first move of the clock that waits for it. */
  readonly moveNr: number;
}
