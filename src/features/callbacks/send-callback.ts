import type { Ctx, Tenant } from '../../platform/context/context.ts';

/** One POST request to a listener, ready to be sent. */
export interface OutgoingCallback {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The outcome of an attempt. Without a status there was no answer, and `error` gives the reason in a few words. With
 * a status other than 2xx, `error` says why the rest of the answer is missing. A 2xx status acknowledges, whatever
 * its body.
 */
export interface SendOutcome {
  readonly status: number | null;
  readonly error: string | null;
  /** The answer broke off: the listener used a connection for some of the time limit, perhaps for all of it. */
  readonly isCut?: boolean;
  /** The time limit passed before any answer. */
  readonly isLate?: boolean;
  readonly latencyMs: number;
  /** The first part of the answer's body, as text. */
  readonly answer: string;
  /** For an answer other than 2xx: the first part of its headers, one per line, without secrets. */
  readonly answerHeaders?: string;
}

interface SendOptions {
  /** Aborts an attempt whose lease is no longer safe. */
  readonly signal?: AbortSignal;
  /** The fraction of the usual time limit that the attempt may take; all of it by default. */
  readonly patience?: number;
}

/** Never throws because of a listener's behaviour. */
export type SendCallback = (callback: OutgoingCallback, options?: SendOptions) => Promise<SendOutcome>;

/** Undefined if a listener may be registered at this address; otherwise the problem in a few words. */
export type CheckListenerAddress = (url: string) => Promise<string | undefined>;

/** Checks the text alone, without a name lookup, for many addresses. The full check refuses all that this refuses. */
export type CheckAddressText = (url: string) => string | undefined;

/** Above what any browser or proxy takes, and far below what a row can hold. */
export const LISTENER_URL_MAX = 2_000;

export const CONNECT_TIMEOUT_MS = 5_000;
export const ATTEMPT_TIMEOUT_MS = 15_000;
/** The minimum, however little patience is left. */
export const ATTEMPT_TIMEOUT_LEAST_MS = 100;
export const ANSWER_KEPT_BYTES = 8 * 1024;
export const ANSWER_HEADERS_KEPT_BYTES = 2 * 1024;

/** The consent under which a message was posted. The message is sent only while that consent holds. */
export interface RestsOn {
  readonly deviceId: string;
  readonly accuracy: 'coarse' | 'precise';
  /** There was no consent when it was requested: the replacement payload then uses other words. */
  readonly deniedWhenAsked?: boolean;
}

export interface RestingMessage {
  readonly messageId: string;
  /** As stored. */
  readonly payload: string;
  readonly restsOn: RestsOn;
}

/** Called just before an account's messages are sent: returns replacement payloads for those without consent. */
export type WithholdPayloads = (
  ctx: Ctx,
  tenant: Tenant,
  messages: readonly RestingMessage[],
) => Promise<ReadonlyMap<string, string>>;
