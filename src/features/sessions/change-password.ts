import { type Ctx, inTx, type Principal } from '../../platform/context.ts';
import { hashPassword, verifyPassword } from '../../platform/crypto/password-hash.ts';
import { randomPassword } from '../../platform/crypto/token.ts';
import { refuse } from '../../platform/fault.ts';
import { announceAccessChange } from './access-changes.ts';
import { loginFaults } from './errors.ts';
import { endSessionsOf, findUser, setPasswordHash } from './sql-user.ts';

/** The service makes up the new password. Other sessions end: whoever knew the old one is out. */
export async function resetOwnPassword(ctx: Ctx, principal: Principal, oldPassword: string): Promise<string> {
  const user = await findUser(ctx.db, principal.username);
  if (!user?.passwordHash || !(await verifyPassword(oldPassword, user.passwordHash))) {
    refuse(loginFaults.wrongPassword, { reason: 'the old password is not right' });
  }
  const newPassword = randomPassword();
  await storePassword(ctx, principal.username, newPassword, principal.sessionHash);
  return newPassword;
}

/** For the operator: undefined when there is no such user. */
export async function resetPasswordOf(ctx: Ctx, username: string): Promise<string | undefined> {
  const newPassword = randomPassword();
  return (await storePassword(ctx, username, newPassword)) ? newPassword : undefined;
}

async function storePassword(
  outer: Ctx,
  username: string,
  password: string,
  keptSession?: string,
): Promise<boolean> {
  const passwordHash = await hashPassword(password);
  return inTx(outer, async ({ db, now }) => {
    if (!(await setPasswordHash(db, username, passwordHash))) return false;
    await endSessionsOf(db, username, now(), keptSession);
    await announceAccessChange(db, { what: 'user', id: username });
    return true;
  });
}
