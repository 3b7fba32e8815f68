import { hash, randomBytes } from 'node:crypto';
import { type Ctx, inTx } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { hashToken, randomToken } from '../../platform/crypto/token.ts';
import { announceAccessChange } from './access-changes.ts';
import { oauthFaults } from './errors.ts';
import { TOKEN_LIFE_MS } from './limits.ts';
import * as store from './sql-client.ts';
import { type Tried, verifySecret } from './verify-secret.ts';

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

const VERIFIED_MAX = 10_000;
const processKey = randomBytes(32).toString('base64');
/** Secrets proven in this process, under a key that dies with it: applications ask for tokens often, hashing is dear. */
const verified = new Set<string>();

const proofOf = (secret: string, secretHash: string): string =>
  hash('sha256', `${processKey} ${secretHash} ${secret}`, 'base64url');

/** The hash that the secret fits. */
async function findMatch(ctx: Ctx, tried: Tried): Promise<string | undefined> {
  const known = tried.hashes.find((secretHash) => verified.has(proofOf(tried.secret, secretHash)));
  if (known !== undefined) return known;
  const secretHash = await verifySecret(ctx, tried);
  if (secretHash === undefined) return undefined;
  if (verified.size >= VERIFIED_MAX) verified.clear();
  verified.add(proofOf(tried.secret, secretHash));
  return secretHash;
}

/** The secret that was proven, by its hash: it may be replaced before it is used. */
export interface ProvenClient {
  readonly clientId: string;
  readonly secretHash: string;
}

/** The current secret, and the one it replaced while that is still valid. */
function validHashes(client: store.ClientRow | undefined, now: Date): string[] {
  if (client === undefined || client.disabledAt !== null) return [];
  const { secretHash, previousSecretHash, previousSecretUntil } = client;
  const previousIsValid = previousSecretUntil !== null && previousSecretUntil > now;
  return [secretHash, previousIsValid ? previousSecretHash : null].filter((one) => one !== null);
}

/** Undefined when there is no such client or the secret is not its own. */
export async function proveClient(
  ctx: Ctx,
  { clientId, clientSecret }: ClientCredentials,
): Promise<ProvenClient | undefined> {
  const hashes = validHashes(await store.findClient(ctx.db, clientId), ctx.now());
  const secretHash = await findMatch(ctx, { name: `client ${clientId}`, secret: clientSecret, hashes });
  return secretHash === undefined ? undefined : { clientId, secretHash };
}

/** The same client, nonce and time give the same token: what is stored is not enough to make one. */
const deriveToken = (
  ctx: Ctx,
  { keyId, clientId, nonce, issuedAt }: Omit<store.TokenRow, 'tokenHash' | 'expiresAt'>,
) => ctx.secrets.mac(keyId, `bearer ${clientId} ${nonce} ${issuedAt.getTime()}`);

interface IssuedToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
}

export async function issueToken(outer: Ctx, { clientId, secretHash }: ProvenClient): Promise<IssuedToken> {
  return inTx(outer, async (ctx) => {
    const client = await store.lockClient(ctx.db, clientId);
    const now = ctx.now();
    if (!validHashes(client, now).includes(secretHash)) refuse(oauthFaults.invalidClient);
    const live = await store.findLiveToken(ctx.db, clientId, now);
    // Undefined when the key it was derived with is no longer configured.
    const again = live && deriveToken(ctx, live);
    if (live !== undefined && again !== undefined) {
      return {
        accessToken: again,
        expiresInSeconds: Math.ceil((live.expiresAt.getTime() - now.getTime()) / 1_000),
      };
    }
    const made = { keyId: ctx.secrets.macKeyId, clientId, nonce: randomToken(ctx.chance, 16), issuedAt: now };
    const accessToken = deriveToken(ctx, made)!;
    const expiresAt = new Date(now.getTime() + TOKEN_LIFE_MS);
    await store.insertToken(ctx.db, { ...made, tokenHash: hashToken(accessToken), expiresAt });
    return { accessToken, expiresInSeconds: TOKEN_LIFE_MS / 1_000 };
  });
}

/** Ending a token that is already ended, or never was, is no error: the caller wants it gone. */
export const revokeToken = (outer: Ctx, clientId: string, token: string): Promise<void> =>
  inTx(outer, async ({ db, now }) => {
    const tokenHash = hashToken(token);
    if (await store.revokeToken(db, clientId, tokenHash, now()))
      await announceAccessChange(db, { what: 'token', id: tokenHash });
  });
