import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/**
 * Encrypts secrets at rest. The first key encrypts, and every key decrypts. To rotate keys, put a new one first, and remove
 * the old one when nothing sealed with it remains.
 */
export interface SecretBox {
  readonly currentKeyId: string;
  /** All keys that can open texts, the current one first. */
  readonly keyIds: readonly string[];
  /** `id.base64url(nonce tag ciphertext)`; `context` binds the text to its place, so that it cannot be used elsewhere. */
  seal(plain: string, context: string): string;
  /** For a text that a caller receives and returns: with a seed it is the same each time. */
  sealShown(plain: string, context: string): string;
  open(sealed: string, context: string): string;
  /** The key with which a text was sealed, configured or not. */
  keyIdOf(sealed: string): string;
  /** The key for digests. */
  readonly macKeyId: string;
  /** A keyed digest for values that must be computed again later; undefined if that key is gone. */
  mac(keyId: string, text: string): string | undefined;
}

class SecretKeyError extends Error {}

export const generateSecretKey = (): string => `k1:${randomBytes(KEY_BYTES).toString('base64')}`;

function parseKeys(setting: string): ReadonlyMap<string, Buffer> {
  const keys = new Map<string, Buffer>();
  for (const part of setting.split(',')) {
    const match = /^\s*([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]+={0,2})\s*$/.exec(part);
    const key = Buffer.from(match?.[2] ?? '', 'base64');
    if (match?.[1] === undefined || key.length !== KEY_BYTES) {
      throw new SecretKeyError('it must be id:base64[,id:base64], each key 32 bytes');
    }
    if (keys.has(match[1])) throw new SecretKeyError(`the key id ${match[1]} stands twice`);
    keys.set(match[1], key);
  }
  return keys;
}

/** With a seed, the values that callers see depend on it alone; stored values never do. */
export function openSecretBox(setting: string, seed?: string): SecretBox {
  const keys = parseKeys(setting);
  const keyIds = [...keys.keys()];
  const currentKeyId = keyIds[0]!;
  const keyIdOf = (sealed: string) => sealed.slice(0, sealed.indexOf('.'));
  // Each purpose has its own key, so no result for one purpose can be used for another.
  const derive = (key: Buffer, purpose: string): KeyObject =>
    createSecretKey(createHmac('sha256', key).update(`linekeeper/${purpose}`).digest());
  const sealing = new Map([...keys].map(([id, key]) => [id, derive(key, 'seal')]));
  const signing = new Map([...keys].map(([id, key]) => [id, derive(key, 'mac')]));
  // No configured key can have this name.
  const macKeyId = seed === undefined ? currentKeyId : `seed~${seed}`;
  if (seed !== undefined) {
    signing.set(macKeyId, derive(Buffer.from(seed), 'mac'));
    sealing.set(macKeyId, derive(Buffer.from(seed), 'seal'));
  }
  const sealWith = (keyId: string, nonce: Buffer, plain: string, context: string): string => {
    const cipher = createCipheriv('aes-256-gcm', sealing.get(keyId)!, nonce).setAAD(Buffer.from(context));
    const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return `${keyId}.${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')}`;
  };
  const seal = (plain: string, context: string) =>
    sealWith(currentKeyId, randomBytes(NONCE_BYTES), plain, context);

  return {
    currentKeyId,
    macKeyId,
    keyIds,
    keyIdOf,
    seal,
    sealShown(plain, context) {
      if (seed === undefined) return seal(plain, context);
      const { length } = context;
      const nonce = createHmac('sha256', seed).update(`${length} ${context} ${plain}`).digest();
      return sealWith(macKeyId, nonce.subarray(0, NONCE_BYTES), plain, context);
    },
    open(sealed, context) {
      const keyId = keyIdOf(sealed);
      const key = sealing.get(keyId);
      if (key === undefined) throw new SecretKeyError(`the key ${keyId} is not among the configured keys`);
      const bytes = Buffer.from(sealed.slice(keyId.length + 1), 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return (
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    },
    mac(keyId, text) {
      const key = signing.get(keyId);
      return key && createHmac('sha256', key).update(text).digest('base64url');
    },
  };
}
