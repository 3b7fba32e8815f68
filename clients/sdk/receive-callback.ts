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
  /** Called once for each message. When it throws, 500 is answered and the service sends the message again. */
  readonly onCallback: (callback: Callback<Payload>) => unknown;
  /** Called with what went wrong in `onCallback`; the answer does not tell it. */
  readonly onError?: ((error: unknown, callback: Callback<Payload>) => void) | undefined;
  /** How many ids of messages are remembered to tell repetitions; 10,000 unless said otherwise. */
  readonly rememberedMax?: number | undefined;
  /** The longest body that is taken; 1 MiB unless said otherwise. */
  readonly bodyBytesMax?: number | undefined;
}

export interface CallbackAnswer {
  readonly status: number;
  readonly message: string;
}

/** Takes headers and bytes, and says what is to be answered. */
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

/** Takes what arrived by whatever server, and says what is to be answered. */
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
      return { status: 500, message: 'It could not be worked on; send it again' };
    }
  };
}
