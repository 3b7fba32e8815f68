import { type Ctx, inTx, type Principal } from '../../platform/context/context.ts';
import { hashPassword } from '../../platform/crypto/password-hash.ts';
import { hashToken, randomPassword } from '../../platform/crypto/token.ts';
import { announceAccessChange } from './access-changes.ts';
import { storePassword } from './manage-access.ts';
import { confirmProof, type LockPolicy, provePassword } from './prove-password.ts';
import { endSession, insertSession } from './sql-user.ts';

/** Returns the session token. Only its hash is stored. */
export async function logIn(
  outer: Ctx,
  { clientId, ...credentials }: { username: string; password: string; clientId: string },
  policy: LockPolicy,
): Promise<string> {
  const proof = await provePassword(outer, { ...credentials, place: 'api' }, policy);
  const token = outer.newId();
  await inTx(outer, async (ctx) => {
    await confirmProof(ctx, proof);
    const { username } = proof;
    await insertSession(ctx.db, { tokenHash: hashToken(token), username, clientId, now: ctx.now() });
  });
  return token;
}

export const logOut = (ctx: Ctx, sessionHash: string): Promise<void> =>
  inTx(ctx, async ({ db, now }) => {
    await endSession(db, sessionHash, now());
    await announceAccessChange(db, { what: 'session', id: sessionHash });
  });

/** The service generates the new password. Other sessions end, so nobody who knew the old one stays logged in. */
export async function resetOwnPassword(
  outer: Ctx,
  { username, sessionHash }: Principal,
  oldPassword: string,
  policy: LockPolicy,
): Promise<string> {
  const proof = await provePassword(outer, { username, place: 'api', password: oldPassword }, policy);
  const newPassword = randomPassword(outer.chance);
  const passwordHash = await hashPassword(newPassword, outer.hashCost);
  await inTx(outer, async (ctx) => {
    await confirmProof(ctx, proof);
    await storePassword(ctx, { username, passwordHash, keptSession: sessionHash });
  });
  return newPassword;
}
