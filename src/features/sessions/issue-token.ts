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
/** Secrets verified in this process, keyed with a key only it has. Clients request tokens often, and hashing is slow. */
const verified = new Set<string>();

const proofOf = (secret: string, secretHash: string): string =>
  hash('sha256', `${processKey} ${secretHash} ${secret}`, 'base64url');

/** The hash that the secret matches. */
async function findMatch(ctx: Ctx, tried: Tried): Promise<string | undefined> {
  const known = tried.hashes.find((secretHash) => verified.has(proofOf(tried.secret, secretHash)));
  if (known !== undefined) return known;
  const secretHash = await verifySecret(ctx, tried);
  if (secretHash === undefined) return undefined;
  if (verified.size >= VERIFIED_MAX) verified.clear();
  verified.add(proofOf(tried.secret, secretHash));
  return secretHash;
}

/** The verified secret is identified by its hash, because it may be replaced before the token is issued. */
export interface ProvenClient {
  readonly clientId: string;
  readonly secretHash: string;
}

/** The hashes of the current secret and, while it is still valid, of the one it replaced. */
function validHashes(client: store.ClientRow | undefined, now: Date): string[] {
  if (client === undefined || client.disabledAt !== null) return [];
  const { secretHash, previousSecretHash, previousSecretUntil } = client;
  const previousIsValid = previousSecretUntil !== null && previousSecretUntil > now;
  return [secretHash, previousIsValid ? previousSecretHash : null].filter((one) => one !== null);
}

/** Undefined if the client does not exist or the secret is wrong. */
export async function proveClient(
  ctx: Ctx,
  { clientId, clientSecret }: ClientCredentials,
): Promise<ProvenClient | undefined> {
  const hashes = validHashes(await store.findClient(ctx.db, clientId), ctx.now());
  const secretHash = await findMatch(ctx, { name: `client ${clientId}`, secret: clientSecret, hashes });
  return secretHash === undefined ? undefined : { clientId, secretHash };
}

/** The same client, nonce and time give the same token. Making one needs a key that is not in the database. */
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
    // Undefined if the key it was derived with is no longer configured.
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

/** Revoking an ended or unknown token is not an error: the caller has the result it wants. */
export const revokeToken = (outer: Ctx, clientId: string, token: string): Promise<void> =>
  inTx(outer, async ({ db, now }) => {
    const tokenHash = hashToken(token);
    if (await store.revokeToken(db, clientId, tokenHash, now()))
      await announceAccessChange(db, { what: 'token', id: tokenHash });
  });
