import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Chance } from '../../../platform/chance/chance.ts';
import type { SecretBox } from '../../../platform/crypto/secret-box.ts';

/** Binds a sealed text to its listener and column: it cannot be opened elsewhere. */
export const sealContext = (
  { accountName, serviceName }: { accountName: string; serviceName: string },
  part: 'username' | 'password' | 'secret',
): string => `listener ${accountName} ${serviceName} ${part}`;

/** Stored credentials cannot be read back, so they must not be sent to a host for which they were not given. */
export const isAnotherHost = (url: string, known: string | null | undefined): boolean =>
  known == null || new URL(url).origin !== new URL(known).origin;

/** Sealing is not repeatable, so both texts are opened to compare them. One that cannot be opened equals no other. */
export function isSameSealed(secrets: SecretBox, one: string, other: string, context: string): boolean {
  try {
    return secrets.open(one, context) === secrets.open(other, context);
  } catch {
    return false;
  }
}

const PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const KEYS_MAX = 2;
const SECRET_BYTES = 24;

interface Signer {
  /** The value of the header `webhook-signature`. */
  sign(id: string, timestampSeconds: number, body: string): string;
}

/** A signing secret in the form of Standard Webhooks. */
export const newWebhookSecret = ({ bytes }: Chance): string =>
  `${PREFIX}${bytes(SECRET_BYTES).toString('base64')}`;

/** The error text omits the secret, because it may end up in a log. */
function toKey(secret: string): KeyObject {
  const base64 = secret.slice(PREFIX.length);
  if (!secret.startsWith(PREFIX) || base64 === '' || !BASE64.test(base64))
    throw new TypeError(`a webhook secret must be ${PREFIX} and base64`);
  return createSecretKey(base64, 'base64');
}

const SCHEME = 'v1,';
/** In base64: six bytes. */
const MARK_CHARACTERS = 8;

/** The first four bytes of a signature (of several, the first) as a number: enough to recognise it. */
export const markOf = (signature: string): number =>
  Buffer.from(signature.slice(SCHEME.length, SCHEME.length + MARK_CHARACTERS), 'base64').readInt32BE();

/**
 * Signs according to Standard Webhooks. During a rotation there are two secrets, and a receiver accepts the signature
 * if it knows either. Keys are prepared once: a key given as bytes is several times slower.
 */
export function createSigner(secrets: readonly string[]): Signer {
  if (secrets.length < 1 || secrets.length > KEYS_MAX)
    throw new TypeError('one or two webhook secrets are required');
  const keys = secrets.map(toKey);
  const signWith = (key: KeyObject, content: string) =>
    `${SCHEME}${createHmac('sha256', key).update(content).digest('base64')}`;
  return {
    sign(id, timestampSeconds, body) {
      const content = `${id}.${timestampSeconds}.${body}`;
      return keys.map((key) => signWith(key, content)).join(' ');
    },
  };
}
