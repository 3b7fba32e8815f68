import type { PreparedListener } from '../../../src/features/callbacks/delivery/prepare-listener.ts';
import type { SendCallback, SendOutcome } from '../../../src/features/callbacks/index.ts';

/** One way to deliver callbacks. All make the same POSTs through the same sender and write the same attempt row. */
export interface Contender {
  readonly name: string;
  readonly databaseUrl: string;
  post(count: number): Promise<void>;
  /** Delivers the posted messages; returns the seconds from the first claim until everything is recorded and done. */
  deliver(count: number): Promise<number>;
  stop(): Promise<void>;
}

/** The data of a POST identical to ours. */
export interface Sending {
  readonly send: SendCallback;
  readonly listeners: readonly PreparedListener[];
}

/** A message as a job of another queue: the body once, as text. */
export interface QueuedMessage {
  readonly messageId: string;
  readonly requestId: string;
  readonly listener: number;
  readonly payload: string;
}

export interface MadeAttempt {
  readonly messageId: string;
  readonly at: Date;
  readonly outcome: SendOutcome;
}

export async function sendMessage(
  { send, listeners }: Sending,
  { messageId, requestId, listener, payload }: QueuedMessage,
): Promise<MadeAttempt> {
  const at = new Date();
  const message = {
    messageId,
    requestId,
    payload,
    callerRequestId: null,
    restsOn: null,
    trace: null,
    orderKey: null,
    createdAt: at,
    dueAt: '',
    series: 1,
    moveNr: 0,
    attemptsMade: 0,
  };
  const outcome = await send(listeners[listener]!.outgoing(message, { attempt: 1, signedAt: new Date() }));
  if (outcome.status !== 200) throw new Error(`the listener answered ${outcome.status} ${outcome.error}`);
  return { messageId, at, outcome };
}
