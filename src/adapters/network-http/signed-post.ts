import { Agent, request } from 'undici';
import { createSigner } from '../../features/callbacks/index.ts';

const CONNECTIONS_MAX = 8;
const CONNECT_MS = 5_000;
const ANSWER_MS = 15_000;
const ANSWER_BYTES_MAX = 1024 * 1024;
/** Characters kept of a reason in an answer. */
const REASON_KEPT = 200;

export interface SignedSettings {
  readonly url: string;
  /** Standard Webhooks: `whsec_` and base64. */
  readonly secret: string;
  readonly userAgent: string;
  readonly timeoutMs?: number | undefined;
}

/** An answer, with its status and the JSON of its body, or why there was none. */
export type Answer =
  | { readonly status: number; readonly body: unknown; readonly text: string }
  | { readonly failure: string };

/** 4xx codes for temporary problems: too slow, too early, too many. */
const TEMPORARY = new Set([408, 425, 429]);

export const isRefusal = (status: number): boolean => status >= 400 && status < 500 && !TEMPORARY.has(status);

/** The reason in an answer: the member `reason`, or its text. */
export function reasonOf({ status, body, text }: Exclude<Answer, { failure: string }>): string {
  const given = (body as { reason?: unknown } | null | undefined)?.reason;
  const said = (typeof given === 'string' ? given : text).replace(/\s+/g, ' ').trim().slice(0, REASON_KEPT);
  return said === '' ? `answered ${status}` : said;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Posts JSON with the same signature as callbacks. Follows no redirects, and never repeats a request. */
export function createSignedPost({ url, secret, userAgent, timeoutMs = ANSWER_MS }: SignedSettings) {
  const signer = createSigner([secret]);
  const agent = new Agent({
    connections: CONNECTIONS_MAX,
    connect: { timeout: CONNECT_MS },
    maxResponseSize: ANSWER_BYTES_MAX,
  });
  return {
    atOnce: CONNECTIONS_MAX,
    /** `id` is the same in every try, so that the receiver recognises a repeated one. */
    async post(path: string, id: string, content: object, signal: AbortSignal): Promise<Answer> {
      const body = JSON.stringify(content);
      // Real time, because a verifier compares it with its own clock.
      const timestamp = Math.floor(Date.now() / 1_000);
      try {
        const answer = await request(`${url.replace(/\/$/, '')}${path}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'user-agent': userAgent,
            'idempotency-key': id,
            'webhook-id': id,
            'webhook-timestamp': String(timestamp),
            'webhook-signature': signer.sign(id, timestamp, body),
          },
          body,
          dispatcher: agent,
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        });
        const text = await answer.body.text();
        return { status: answer.statusCode, body: parse(text), text };
      } catch (error) {
        const slow = error instanceof Error && error.name === 'TimeoutError';
        return { failure: slow ? 'does not answer' : 'cannot be reached' };
      }
    },
    close: () => agent.destroy(),
  };
}
