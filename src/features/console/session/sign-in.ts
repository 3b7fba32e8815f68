import { writeAudit } from '../../../platform/context/audit.ts';
import { type Actor, type Ctx, inTx } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { hashToken, randomToken } from '../../../platform/crypto/token.ts';
import type { FindOperator } from '../../operator/index.ts';
import { confirmProof, type LockPolicy, provePassword } from '../../sessions/index.ts';
import { consoleFaults } from '../errors.ts';
import { type ConsoleSession, insertSession } from './sql-session.ts';

const TOKEN_BYTES = 32;

/** The proof of a password holds until the stored hash changes. */
export const proofOf = (passwordHash: string): string => hashToken(passwordHash);

/** Begins a session in the name of the actor, who is known only now. Stores only the hash of the token. */
async function begin(
  outer: Ctx,
  actor: Actor,
  session: Omit<ConsoleSession, 'createdAt' | 'lastUsedAt'>,
  { realNow, before }: { readonly realNow: Date; readonly before?: (ctx: Ctx) => Promise<void> },
): Promise<string> {
  const token = randomToken(outer.chance, TOKEN_BYTES);
  await inTx({ ...outer, actor }, async (ctx) => {
    await before?.(ctx);
    await insertSession(ctx.db, hashToken(token), { ...session, createdAt: realNow, lastUsedAt: realNow });
    await writeAudit(ctx, { action: 'consoleSignIn', status: 200 });
  });
  return token;
}

/**
 * Answers the token for the cookie. Wrong passwords count and lock as those of any login, but separately: anyone can try here,
 * and must not be able to lock out a customer's programs.
 */
export async function signInUser(
  ctx: Ctx,
  credentials: { readonly username: string; readonly password: string },
  policy: LockPolicy,
  realNow: Date,
): Promise<string> {
  const proof = await provePassword(ctx, { ...credentials, place: 'console' }, policy);
  const { username, passwordHash } = proof;
  return begin(
    ctx,
    { kind: 'user', name: username },
    { username, operatorKeyHash: null, passwordProof: proofOf(passwordHash) },
    { realNow, before: (tx) => confirmProof(tx, proof) },
  );
}

export async function signInOperator(
  ctx: Ctx,
  operatorKey: string,
  findOperator: FindOperator,
  realNow: Date,
): Promise<string> {
  const operatorKeyHash = hashToken(operatorKey);
  const operator = (await findOperator(ctx, operatorKeyHash)) ?? refuse(consoleFaults.wrongKey);
  return begin(
    ctx,
    { kind: 'operator', name: operator.keyName },
    { username: null, operatorKeyHash, passwordProof: null },
    { realNow },
  );
}
