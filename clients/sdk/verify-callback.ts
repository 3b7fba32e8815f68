import type { WebHeaders } from './web-types.ts';

/** Header names in lower case, as Node gives them, or the object of a fetch. */
export type CallbackHeaders = WebHeaders | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface CallbackToVerify {
  readonly headers: CallbackHeaders;
  /** The raw body: a body that was parsed and serialized again has another signature. */
  readonly rawBody: string | Uint8Array;
  /** `whsec_…` from the header `Webhook-Secret` of the registration; several during a rotation. */
  readonly secret: string | readonly string[];
  /** The expected account. If absent, any account is accepted. */
  readonly accountNames?: readonly string[] | undefined;
  /** Milliseconds since 1970. */
  readonly now?: number | undefined;
  readonly toleranceSeconds?: number | undefined;
}

/** The payload of any service; use `CallbackPayload<'CarrierService'>` for a listener of one service. */
export type AnyPayload = Readonly<Record<string, unknown>>;

export interface Callback<Payload extends object = AnyPayload> {
  /** The header `webhook-id`: the same for each attempt to deliver this message. */
  readonly id: string;
  /** The time of this attempt. */
  readonly sentAt: Date;
  readonly accountName: string | undefined;
  readonly payload: Payload;
}

export type RefusalReason = 'unsigned' | 'stale' | 'signature' | 'body' | 'account';

export type Verdict<Payload extends object = AnyPayload> =
  | { readonly valid: true; readonly callback: Callback<Payload> }
  | { readonly valid: false; readonly reason: RefusalReason; readonly message: string };

const PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;
/** The account is named in the message or one level below, never deeper. */
const DEPTH_MAX = 4;

const MESSAGES: Readonly<Record<RefusalReason, string>> = {
  unsigned: 'The callback is not signed',
  stale: 'Its timestamp is too far from the current time',
  signature: 'The signature is from another secret, or for another message',
  body: 'The body is not a JSON object',
  account: 'The callback is for another account',
};
const refused = (reason: RefusalReason) =>
  ({ valid: false, reason, message: MESSAGES[reason] }) satisfies Verdict;

function headerOf(headers: CallbackHeaders, name: string): string | undefined {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

async function keyOf(secret: string) {
  const bytes = secret.startsWith(PREFIX) ? fromBase64(secret.slice(PREFIX.length)) : undefined;
  if (bytes === undefined || bytes.length === 0)
    throw new TypeError(`a webhook secret is ${PREFIX} and base64`);
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** One match is enough: during a rotation there are two signatures and two secrets. */
async function isSigned(
  signatures: string,
  signed: Uint8Array<ArrayBuffer>,
  secrets: readonly string[],
): Promise<boolean> {
  const given = signatures
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .flatMap((one) => fromBase64(one.slice('v1,'.length)) ?? []);
  for (const key of await Promise.all(secrets.map(keyOf)))
    for (const one of given) if (await crypto.subtle.verify('HMAC', key, one, signed)) return true;
  return false;
}

function accountsIn(value: unknown, depth = 0): string[] {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    /^accountname$/i.test(name) && typeof member === 'string' ? [member] : accountsIn(member, depth + 1),
  );
}

function parseObject<Payload extends object>(body: Uint8Array): Payload | undefined {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Payload)
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Checks by Standard Webhooks that a callback comes from the service and is fresh, and that it is for your
 * account, because anyone can register your address for theirs. It keeps no state; detect repetitions by the
 * id. It does not check the payload's members, because the signature vouches for them.
 */
export async function verifyCallback<Payload extends object = AnyPayload>({
  headers,
  rawBody,
  secret,
  accountNames,
  now = Date.now(),
  toleranceSeconds = TOLERANCE_SECONDS,
}: CallbackToVerify): Promise<Verdict<Payload>> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (id === undefined || timestamp === undefined || signatures === undefined) return refused('unsigned');
  const sentMs = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1_000 : Number.NaN;
  if (!(Math.abs(now - sentMs) <= toleranceSeconds * 1_000)) return refused('stale');
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  if (!(await isSigned(signatures, signed, [secret].flat()))) return refused('signature');
  const payload = parseObject<Payload>(body);
  if (payload === undefined) return refused('body');
  const named = accountsIn(payload);
  if (accountNames !== undefined && named.some((name) => !accountNames.includes(name)))
    return refused('account');
  return { valid: true, callback: { id, sentAt: new Date(sentMs), accountName: named[0], payload } };
}
