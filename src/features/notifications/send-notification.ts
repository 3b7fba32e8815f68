/** One message, ready to leave, for those of its recipients whose turn it is. */
export interface OutgoingNotification {
  /** The same in every attempt: whoever receives it twice can tell. */
  readonly notificationId: string;
  readonly to: readonly string[];
  readonly subject: string | null;
  readonly text: string;
}

/** What became of it for one recipient; reasons are a few words. */
export type RecipientOutcome =
  | { readonly kind: 'sent' | 'captured' }
  /** Given up for this recipient, at once. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** `serverDown`: nothing else would get through now either. */
  | { readonly kind: 'deferred'; readonly reason: string; readonly serverDown: boolean }
  /** There is no server to send it through. */
  | { readonly kind: 'unconfigured'; readonly reason: string };

/** One outcome for each of `to`, in its order. Never throws for what a server does, and ends within its own time limit. */
type SendNotification = (message: OutgoingNotification) => Promise<readonly RecipientOutcome[]>;

/** Sends for one channel: how many messages it takes at once, and how many recipients of one notification can share a message. */
export interface Sender {
  readonly send: SendNotification;
  readonly atOnce: number;
  readonly recipientsMax: number;
}

/** For what has no outside world to wait for. */
const INSTANT = { atOnce: 500, recipientsMax: 500 };

/** The sandbox's: nothing leaves, and the operator can look at it. */
export const captureSender: Sender = {
  ...INSTANT,
  send: async ({ to }) => to.map(() => ({ kind: 'captured' })),
};

/** Production's without a server: nothing waits for one for ever. */
export const missingSender = (reason: string): Sender => ({
  ...INSTANT,
  send: async ({ to }) => to.map(() => ({ kind: 'unconfigured', reason })),
});
