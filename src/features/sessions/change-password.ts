import { type Ctx, inTx, type Principal } from '../../platform/context/context.ts';
import { hashPassword } from '../../platform/crypto/password-hash.ts';
import { randomPassword } from '../../platform/crypto/token.ts';
import { announceAccessChange } from './access-changes.ts';
import { confirmProof, type LockPolicy, provePassword } from './prove-password.ts';
import { endSessionsOf, setPasswordHash } from './sql-user.ts';

/** The service makes up the new password. Other sessions end: whoever knew the old one is out. */
export async function resetOwnPassword(
  outer: Ctx,
  { username, sessionHash }: Principal,
  oldPassword: string,
  policy: LockPolicy,
): Promise<string> {
  const proof = await provePassword(outer, { username, place: 'api', password: oldPassword }, policy);
  const newPassword = randomPassword();
  const passwordHash = await hashPassword(newPassword, outer.hashCost);
  await inTx(outer, async (ctx) => {
    await confirmProof(ctx, proof);
    await storePassword(ctx, { username, passwordHash, keptSession: sessionHash });
  });
  return newPassword;
}

/** For the operator: undefined when there is no such user. */
export async function resetPasswordOf(outer: Ctx, username: string): Promise<string | undefined> {
  const newPassword = randomPassword();
  const passwordHash = await hashPassword(newPassword, outer.hashCost);
  return inTx(outer, async (ctx) =>
    (await storePassword(ctx, { username, passwordHash })) ? newPassword : undefined,
  );
}

async function storePassword(
  { db, now }: Ctx,
  { username, passwordHash, keptSession }: { username: string; passwordHash: string; keptSession?: string },
): Promise<boolean> {
  if (!(await setPasswordHash(db, username, passwordHash))) return false;
  await endSessionsOf(db, username, now(), keptSession);
  await announceAccessChange(db, { what: 'user', id: username });
  return true;
}
