import { hash, randomBytes } from 'node:crypto';
import { type Ctx, inTx } from '../../platform/context.ts';
import { verifyPassword } from '../../platform/crypto/password-hash.ts';
import { hashToken, randomToken } from '../../platform/crypto/token.ts';
import { refuse } from '../../platform/fault.ts';
import { announceAccessChange } from './access-changes.ts';
import { oauthFaults } from './errors.ts';
import { TOKEN_LIFE_MS } from './limits.ts';
import * as store from './sql-client.ts';

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

const VERIFIED_MAX = 10_000;
const processKey = randomBytes(32).toString('base64');
/** Secrets proven in this process, under a key that dies with it: applications ask for tokens often, hashing is dear. */
const verified = new Set<string>();

async function matches(secret: string, secretHash: string): Promise<boolean> {
  const proof = hash('sha256', `${processKey} ${secretHash} ${secret}`, 'base64url');
  if (verified.has(proof)) return true;
  if (!(await verifyPassword(secret, secretHash))) return false;
  if (verified.size >= VERIFIED_MAX) verified.clear();
  verified.add(proof);
  return true;
}

/** Refuses unless the secret is the client's current one, or the one it replaced while that is still valid. */
export async function checkClient(ctx: Ctx, { clientId, clientSecret }: ClientCredentials): Promise<void> {
  const client = await store.findClient(ctx.db, clientId);
  if (client === undefined || client.disabledAt !== null) return refuse(oauthFaults.invalidClient);
  const { secretHash, previousSecretHash, previousSecretUntil } = client;
  const valid = [
    secretHash,
    previousSecretUntil !== null && previousSecretUntil > ctx.now() ? previousSecretHash : null,
  ].filter((one) => one !== null);
  for (const one of valid) if (await matches(clientSecret, one)) return;
  refuse(oauthFaults.invalidClient);
}

/** The same client, nonce and time give the same token: what is stored is not enough to make one. */
const deriveToken = (
  ctx: Ctx,
  { keyId, clientId, nonce, issuedAt }: Omit<store.TokenRow, 'tokenHash' | 'expiresAt'>,
) => ctx.secrets.mac(keyId, `bearer ${clientId} ${nonce} ${issuedAt.getTime()}`);

export interface IssuedToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
}

export async function issueToken(outer: Ctx, clientId: string): Promise<IssuedToken> {
  return inTx(outer, async (ctx) => {
    await store.lockClient(ctx.db, clientId);
    const now = ctx.now();
    const live = await store.findLiveToken(ctx.db, clientId, now);
    // Undefined when the key it was derived with is no longer configured.
    const again = live && deriveToken(ctx, live);
    if (live !== undefined && again !== undefined) {
      return {
        accessToken: again,
        expiresInSeconds: Math.ceil((live.expiresAt.getTime() - now.getTime()) / 1_000),
      };
    }
    const made = { keyId: ctx.secrets.currentKeyId, clientId, nonce: randomToken(16), issuedAt: now };
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
