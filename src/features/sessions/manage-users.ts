import { type Ctx, inTx } from '../../platform/context/context.ts';
import { announceAccessChange } from './access-changes.ts';
import { deleteFailures } from './sql-login-failure.ts';
import { endSessionsOf, findUser, setUserDisabled } from './sql-user.ts';

/** False when there is no such user. Unlocking one that is not locked changes nothing and is fine. */
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
