/** One message, ready to send, with its recipients that are due. */
export interface OutgoingNotification {
  /** The same in every attempt, so a receiver can detect duplicates. */
  readonly notificationId: string;
  readonly to: readonly string[];
  readonly subject: string | null;
  readonly text: string;
}

/** The outcome for one recipient. A reason is a few words. */
export type RecipientOutcome =
  | { readonly kind: 'sent' | 'captured' }
  /** Final for this recipient: no further attempt. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** `serverDown`: other messages would not get through now either. */
  | { readonly kind: 'deferred'; readonly reason: string; readonly serverDown: boolean }
  /** No server is configured for the channel. */
  | { readonly kind: 'unconfigured'; readonly reason: string };

/** Returns one outcome for each of `to`, in order. Does not throw for server errors; has its own time limit. */
type SendNotification = (message: OutgoingNotification) => Promise<readonly RecipientOutcome[]>;

/** Sends for one channel. `atOnce`: messages at a time. `recipientsMax`: recipients that can share one message. */
export interface Sender {
  readonly send: SendNotification;
  readonly atOnce: number;
  readonly recipientsMax: number;
}

/** For senders that do not wait for an external server. */
const INSTANT = { atOnce: 500, recipientsMax: 500 };

/** For the sandbox: messages stay in the service, where the operator can read them. */
export const captureSender: Sender = {
  ...INSTANT,
  send: async ({ to }) => to.map(() => ({ kind: 'captured' })),
};

/** For production without a server: messages are recorded and do not wait forever. */
export const missingSender = (reason: string): Sender => ({
  ...INSTANT,
  send: async ({ to }) => to.map(() => ({ kind: 'unconfigured', reason })),
});
