import { type Ctx, inTx } from '../../platform/context/context.ts';
import { hashPassword } from '../../platform/crypto/password-hash.ts';
import { randomPassword, randomToken } from '../../platform/crypto/token.ts';
import { announceAccessChange } from './access-changes.ts';
import { OLD_SECRET_MS } from './limits.ts';
import { revokeTokensOf, setClientDisabled, setClientSecret } from './sql-client.ts';
import { deleteFailures } from './sql-login-failure.ts';
import { endSessionsOf, findUser, setPasswordHash, setUserDisabled } from './sql-user.ts';

/** False if the user does not exist. Unlocking a user who is not locked changes nothing. */
export const unlockUser = (outer: Ctx, username: string): Promise<boolean> =>
  inTx(outer, async ({ db }) => {
    const unlocked = await deleteFailures(db, username);
    return unlocked || (await findUser(db, username)) !== undefined;
  });

export const disableUser = (outer: Ctx, username: string): Promise<boolean> =>
  inTx(outer, async ({ db, now }) => {
    if (!(await setUserDisabled(db, username, now()))) return false;
    await endSessionsOf(db, username, now());
    await announceAccessChange(db, { what: 'user', id: username });
    return true;
  });

export const enableUser = ({ db }: Ctx, username: string): Promise<boolean> =>
  setUserDisabled(db, username, null);

/** For the operator. Undefined if the user does not exist. */
export async function resetPasswordOf(outer: Ctx, username: string): Promise<string | undefined> {
  const newPassword = randomPassword(outer.chance);
  const passwordHash = await hashPassword(newPassword, outer.hashCost);
  return inTx(outer, async (ctx) =>
    (await storePassword(ctx, { username, passwordHash })) ? newPassword : undefined,
  );
}

export async function storePassword(
  { db, now }: Ctx,
  { username, passwordHash, keptSession }: { username: string; passwordHash: string; keptSession?: string },
): Promise<boolean> {
  if (!(await setPasswordHash(db, username, passwordHash))) return false;
  await endSessionsOf(db, username, now(), keptSession);
  await announceAccessChange(db, { what: 'user', id: username });
  return true;
}

/** The new secret is shown once. `atOnce`, for a leaked secret, ends the old one and its tokens immediately. */
export async function rotateClientSecret(
  outer: Ctx,
  clientId: string,
  { atOnce }: { atOnce: boolean },
): Promise<string | undefined> {
  const secret = randomToken(outer.chance);
  const secretHash = await hashPassword(secret, outer.hashCost);
  return inTx(outer, async ({ db, now }) => {
    const oldUntil = atOnce ? null : new Date(now().getTime() + OLD_SECRET_MS);
    if (!(await setClientSecret(db, { clientId, secretHash, oldUntil }))) return undefined;
    if (atOnce) {
      await revokeTokensOf(db, clientId, now());
      await announceAccessChange(db, { what: 'client', id: clientId });
    }
    return secret;
  });
}

export const disableClient = (outer: Ctx, clientId: string): Promise<boolean> =>
  inTx(outer, async ({ db, now }) => {
    if (!(await setClientDisabled(db, clientId, now()))) return false;
    await revokeTokensOf(db, clientId, now());
    await announceAccessChange(db, { what: 'client', id: clientId });
    return true;
  });

export const enableClient = ({ db }: Ctx, clientId: string): Promise<boolean> =>
  setClientDisabled(db, clientId, null);
