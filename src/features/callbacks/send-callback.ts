import type { Ctx, Tenant } from '../../platform/context/context.ts';

/** One POST to a listener, ready to leave. */
export interface OutgoingCallback {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * How it ended. Without a status nothing was answered, and `error` says why in a few words; beside a status that is no
 * 2xx it says why the rest of the answer is missing. A 2xx acknowledges, whatever becomes of its body.
 */
export interface SendOutcome {
  readonly status: number | null;
  readonly error: string | null;
  /** Of an answer that did not come to its end: the listener has taken the time of a connection, perhaps all of it. */
  readonly isCut?: boolean;
  /** Its time was over before anything was answered. */
  readonly isLate?: boolean;
  readonly latencyMs: number;
  /** The first part of the answer's body, as text. */
  readonly answer: string;
  /** Of an answer that is no 2xx: the first part of its headers, one in a line, without what is secret. */
  readonly answerHeaders?: string;
}

interface SendOptions {
  /** Ends an attempt whose lease is no longer safe. */
  readonly signal?: AbortSignal;
  /** The part of the usual time that the attempt may take, if not all of it. */
  readonly patience?: number;
}

/** Never throws for what a listener does. */
export type SendCallback = (callback: OutgoingCallback, options?: SendOptions) => Promise<SendOutcome>;

/** Whether a listener may be registered at this address: undefined, or what is wrong with it in a few words. */
export type CheckListenerAddress = (url: string) => Promise<string | undefined>;

/** The same by the text alone, asking nobody: for many addresses at once. What it refuses, the other does too. */
export type CheckAddressText = (url: string) => string | undefined;

/** Above what any browser or proxy takes, and far below what a row can hold. */
export const LISTENER_URL_MAX = 2_000;

export const CONNECT_TIMEOUT_MS = 5_000;
export const ATTEMPT_TIMEOUT_MS = 15_000;
/** However little patience is left. */
export const ATTEMPT_TIMEOUT_LEAST_MS = 100;
export const ANSWER_KEPT_BYTES = 8 * 1024;
export const ANSWER_HEADERS_KEPT_BYTES = 2 * 1024;

/** The consent under which a message was posted. It leaves only while that consent still holds. */
export interface RestsOn {
  readonly deviceId: string;
  readonly accuracy: 'coarse' | 'precise';
  /** There was none when it was asked for: the lack of it is told in other words then. */
  readonly deniedWhenAsked?: boolean;
}

export interface RestingMessage {
  readonly messageId: string;
  /** As it is stored. */
  readonly payload: string;
  readonly restsOn: RestsOn;
}

/** Asked just before messages of an account leave: answers what is said instead where consent is gone, by message. */
export type WithholdPayloads = (
  ctx: Ctx,
  tenant: Tenant,
  messages: readonly RestingMessage[],
) => Promise<ReadonlyMap<string, string>>;
