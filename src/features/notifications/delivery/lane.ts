import type { TraceParent } from '../../../platform/telemetry/tracing/tracing.ts';
import type { Channel } from '../notification.ts';

/** The mail or the SMS of one profile. One worker at a time sends it. */
export interface Lane {
  readonly ecpdId: string;
  readonly channel: Channel;
}

export interface LeasedLane extends Lane {
  readonly leaseToken: string;
}

export const laneKey = ({ ecpdId, channel }: Lane): string => `${channel} ${ecpdId}`;

/** A recipient that is due for an attempt. */
export interface DueRecipient {
  readonly notificationId: string;
  readonly position: number;
  readonly recipient: string;
  readonly attemptsMade: number;
  /** The first move of the clock that waits for it. */
  readonly moveNr: number;
  readonly subject: string | null;
  readonly text: string;
  readonly trace: TraceParent | null;
}
