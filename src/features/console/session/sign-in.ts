import { writeAudit } from '../../../platform/context/audit.ts';
import { type Actor, type Ctx, inTx } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { hashToken, randomToken } from '../../../platform/crypto/token.ts';
import type { FindOperator } from '../../operator/index.ts';
import { confirmProof, type LockPolicy, provePassword } from '../../sessions/index.ts';
import { consoleFaults } from '../errors.ts';
import { type ConsoleSession, deleteSession, insertSession } from './sql-session.ts';

const TOKEN_BYTES = 32;

/** A password is proven as long as the stored hash is the one that it was compared with. */
export const proofOf = (passwordHash: string): string => hashToken(passwordHash);

const startedAt = (now: Date): Pick<ConsoleSession, 'createdAt' | 'lastUsedAt'> => ({
  createdAt: now,
  lastUsedAt: now,
});

/** Nobody is behind the call until it has proven who calls. */
const signedInAs = (ctx: Ctx, actor: Actor): Ctx => ({ ...ctx, actor });

/**
 * Answers the token for the cookie; only its hash is kept. Wrong passwords count and lock as those of any login, but apart:
 * anybody may try here, and must not be able to lock a customer's programs out.
 */
export async function signInUser(
  outer: Ctx,
  credentials: { readonly username: string; readonly password: string },
  policy: LockPolicy,
  realNow: Date,
): Promise<string> {
  const proof = await provePassword(outer, { ...credentials, place: 'console' }, policy);
  const token = randomToken(TOKEN_BYTES);
  await inTx(signedInAs(outer, { kind: 'user', name: proof.username }), async (ctx) => {
    await confirmProof(ctx, proof);
    await insertSession(ctx.db, hashToken(token), {
      username: proof.username,
      operatorKeyHash: null,
      passwordProof: proofOf(proof.passwordHash),
      ...startedAt(realNow),
    });
    await writeAudit(ctx, { action: 'consoleSignIn', status: 200 });
  });
  return token;
}

export async function signInOperator(
  outer: Ctx,
  operatorKey: string,
  findOperator: FindOperator,
  realNow: Date,
): Promise<string> {
  const operatorKeyHash = hashToken(operatorKey);
  const operator = (await findOperator(outer, operatorKeyHash)) ?? refuse(consoleFaults.wrongKey);
  const token = randomToken(TOKEN_BYTES);
  await inTx(signedInAs(outer, { kind: 'operator', name: operator.keyName }), async (ctx) => {
    await insertSession(ctx.db, hashToken(token), {
      username: null,
      operatorKeyHash,
      passwordProof: null,
      ...startedAt(realNow),
    });
    await writeAudit(ctx, { action: 'consoleSignIn', status: 200 });
  });
  return token;
}

export const signOut = ({ db }: Ctx, sessionHash: string) => deleteSession(db, sessionHash);
