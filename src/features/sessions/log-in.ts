import { randomUUID } from 'node:crypto';
import { type Ctx, inTx } from '../../platform/context/context.ts';
import { hashToken } from '../../platform/crypto/token.ts';
import { announceAccessChange } from './access-changes.ts';
import { confirmProof, type LockPolicy, provePassword } from './prove-password.ts';
import { endSession, insertSession } from './sql-user.ts';

/** Answers the session token; only its hash is kept. */
export async function logIn(
  outer: Ctx,
  { clientId, ...credentials }: { username: string; password: string; clientId: string },
  policy: LockPolicy,
): Promise<string> {
  const proof = await provePassword(outer, { ...credentials, place: 'api' }, policy);
  const token = randomUUID();
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
