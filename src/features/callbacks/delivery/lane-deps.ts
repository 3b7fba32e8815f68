import type { Ctx } from '../../../platform/context/context.ts';
import type { Loop } from '../../../platform/health/health.ts';
import type { Tracing } from '../../../platform/telemetry/tracing/tracing.ts';
import type { SendCallback, SendOutcome } from '../send-callback.ts';
import type { LeasedLane } from './lane.ts';
import type { PreparedListener } from './prepare-listener.ts';
import type { Recorder } from './recorder.ts';
import type { SilentListeners } from './silence.ts';
import type { WithholdPayloads } from './withhold-payloads.ts';

/** What the worker of a lane gets from the engine. */
export interface LaneDeps {
  readonly ctx: Ctx;
  readonly send: SendCallback;
  readonly recorder: Recorder;
  readonly withhold: WithholdPayloads;
  readonly silence: SilentListeners;
  readonly readListener: (lane: LeasedLane) => Promise<PreparedListener | undefined>;
  readonly onOutcome: (outcome: SendOutcome) => void;
  /** Hears whether what is to be sent can be read. */
  readonly reads: Loop;
  /** Hears whether it can be asked what may be sent. */
  readonly consents: Loop;
  readonly tracing: Tracing;
}
