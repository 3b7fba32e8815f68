import type { Tenant } from '../../../platform/context/context.ts';
import type { TraceParent } from '../../../platform/telemetry/tracing/tracing.ts';
import type { RestsOn } from '../send-callback.ts';

/** One listener. One worker at a time claims the lane, sends its messages and records the attempts. */
export interface Lane extends Tenant {
  readonly serviceName: string;
}

export const laneKey = ({ ecpdId, accountName, serviceName }: Lane): string =>
  JSON.stringify([ecpdId, accountName, serviceName]);

/** A lane that this worker may send on while it renews the lease. */
export interface LeasedLane extends Lane {
  readonly leaseToken: string;
}

/** A due message of the lane. */
export interface DueMessage {
  readonly messageId: string;
  readonly requestId: string;
  /** The id of the call that caused it; null if no call did. */
  readonly callerRequestId: string | null;
  readonly payload: string;
  readonly restsOn: RestsOn | null;
  readonly trace: TraceParent | null;
  /** Messages with the same key get their first attempts one after the other. */
  readonly orderKey: string | null;
  readonly createdAt: Date;
  /** As database text: it is returned to the database exactly, to the microsecond. */
  readonly dueAt: string;
  readonly series: number;
  readonly attemptsMade: number;
  /** The first clock move that waits for it. */
  readonly moveNr: number;
}
