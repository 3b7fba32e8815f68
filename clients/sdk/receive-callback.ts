import { createRecentIds } from './recent-ids.ts';
import {
  type AnyPayload,
  type Callback,
  type CallbackHeaders,
  type CallbackToVerify,
  type RefusalReason,
  verifyCallback,
} from './verify-callback.ts';

export interface CallbackOptions<Payload extends object = AnyPayload>
  extends Pick<CallbackToVerify, 'secret' | 'accountNames' | 'toleranceSeconds'> {
  /** Called once for each message. If it throws, the answer is 500 and the service sends the message again. */
  readonly onCallback: (callback: Callback<Payload>) => unknown;
  /** Called with errors of `onCallback`; the answer does not reveal them. */
  readonly onError?: ((error: unknown, callback: Callback<Payload>) => void) | undefined;
  /** Number of message ids kept to detect repetitions; default: 10,000. */
  readonly rememberedMax?: number | undefined;
  /** Largest accepted body; default: 1 MiB. */
  readonly bodyBytesMax?: number | undefined;
}

export interface CallbackAnswer {
  readonly status: number;
  readonly message: string;
}

/** Processes headers and bytes, and returns the answer. */
export type Receiver = (headers: CallbackHeaders, rawBody: Uint8Array | string) => Promise<CallbackAnswer>;

const REMEMBERED_MAX = 10_000;
export const BODY_BYTES_MAX = 1024 * 1024;

const STATUS: Readonly<Record<RefusalReason, number>> = {
  unsigned: 401,
  stale: 401,
  signature: 401,
  body: 400,
  account: 403,
};

/** Processes a callback from any server, and returns the answer. */
export function createReceiver<Payload extends object = AnyPayload>({
  onCallback,
  onError,
  rememberedMax,
  ...expected
}: CallbackOptions<Payload>): Receiver {
  const recent = createRecentIds(rememberedMax ?? REMEMBERED_MAX);
  return async (headers, rawBody) => {
    const verdict = await verifyCallback<Payload>({ ...expected, headers, rawBody });
    if (!verdict.valid) return { status: STATUS[verdict.reason], message: verdict.message };
    const { callback } = verdict;
    try {
      return { status: 200, message: await recent.once(callback.id, () => onCallback(callback)) };
    } catch (error) {
      onError?.(error, callback);
      return { status: 500, message: 'The callback could not be processed; send it again' };
    }
  };
}
