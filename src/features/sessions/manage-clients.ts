import { type Ctx, inTx } from '../../platform/context/context.ts';
import { hashPassword } from '../../platform/crypto/password-hash.ts';
import { randomToken } from '../../platform/crypto/token.ts';
import { announceAccessChange } from './access-changes.ts';
import { OLD_SECRET_MS } from './limits.ts';
import { revokeTokensOf, setClientDisabled, setClientSecret } from './sql-client.ts';

/** The new secret is shown once. `atOnce` is for a secret that leaked: the old one and its token end now. */
export async function rotateClientSecret(
  outer: Ctx,
  clientId: string,
  { atOnce }: { atOnce: boolean },
): Promise<string | undefined> {
  const secret = randomToken();
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
