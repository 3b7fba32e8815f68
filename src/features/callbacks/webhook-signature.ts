import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

const PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const KEYS_MAX = 2;

export interface Signer {
  /** The value of the header `webhook-signature`. */
  sign(id: string, timestampSeconds: number, body: string): string;
}

/** The message does not name the secret: it may end in a log. */
function toKey(secret: string): KeyObject {
  const base64 = secret.slice(PREFIX.length);
  if (!secret.startsWith(PREFIX) || base64 === '' || !BASE64.test(base64))
    throw new TypeError(`a webhook secret is ${PREFIX} and base64`);
  return createSecretKey(base64, 'base64');
}

/**
 * Signs as Standard Webhooks asks. While a secret is rotated there are two, and a receiver that knows either of them
 * is content. The keys are prepared once: a key given as bytes is several times slower.
 */
export function createSigner(secrets: readonly string[]): Signer {
  if (secrets.length < 1 || secrets.length > KEYS_MAX) throw new TypeError('one or two webhook secrets sign');
  const keys = secrets.map(toKey);
  const signWith = (key: KeyObject, content: string) =>
    `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  return {
    sign(id, timestampSeconds, body) {
      const content = `${id}.${timestampSeconds}.${body}`;
      return keys.map((key) => signWith(key, content)).join(' ');
    },
  };
}
