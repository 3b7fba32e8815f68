import { randomUUID } from 'node:crypto';
import { type Ctx, inTx } from '../../platform/context.ts';
import { hashPassword, verifyPassword } from '../../platform/crypto/password-hash.ts';
import { hashToken } from '../../platform/crypto/token.ts';
import { refuse } from '../../platform/fault.ts';
import { announceAccessChange } from './access-changes.ts';
import { loginFaults } from './errors.ts';
import { countFailure, deleteFailures, findLock } from './sql-login-failure.ts';
import { endSession, findUser, insertSession } from './sql-user.ts';

export interface LockPolicy {
  readonly lockAttempts: number;
  readonly lockMinutes: number;
}

/** Something to hash against when there is no such user, so that the answer takes as long. */
const nobody = hashPassword(randomUUID());

const retryAfter = (until: Date, now: Date) => ({
  'retry-after': String(Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000))),
});

async function fail(ctx: Ctx, username: string, { lockAttempts, lockMinutes }: LockPolicy): Promise<never> {
  const now = ctx.now();
  const lockedUntil = new Date(now.getTime() + lockMinutes * 60_000);
  const failures = await countFailure(ctx.db, { username, now, attemptsMax: lockAttempts, lockedUntil });
  const left = lockAttempts - failures;
  if (left <= 0) {
    return refuse(loginFaults.locked, {
      reason: `try again in ${lockMinutes} minutes, or ask the operator to unlock it`,
      headers: retryAfter(lockedUntil, now),
    });
  }
  return refuse(loginFaults.wrongPassword, { reason: `${left} attempts left before the user is locked` });
}

/** Answers the session token; only its hash is kept. */
export async function logIn(
  ctx: Ctx,
  { username, password, clientId }: { username: string; password: string; clientId: string },
  policy: LockPolicy,
): Promise<string> {
  const lockedUntil = await findLock(ctx.db, username, ctx.now());
  if (lockedUntil !== undefined) {
    return refuse(loginFaults.locked, {
      reason: `until ${lockedUntil.toISOString()}, or until the operator unlocks it`,
      headers: retryAfter(lockedUntil, ctx.now()),
    });
  }
  const user = await findUser(ctx.db, username);
  const right = await verifyPassword(password, user?.passwordHash ?? (await nobody));
  if (user === undefined || !right) return fail(ctx, username, policy);
  if (user.disabledAt !== null) return refuse(loginFaults.disabled);
  const token = randomUUID();
  await inTx(ctx, async ({ db, now }) => {
    await insertSession(db, { tokenHash: hashToken(token), username, clientId, now: now() });
    await deleteFailures(db, username);
  });
  return token;
}

export const logOut = (ctx: Ctx, sessionHash: string): Promise<void> =>
  inTx(ctx, async ({ db, now }) => {
    await endSession(db, sessionHash, now());
    await announceAccessChange(db, { what: 'session', id: sessionHash });
  });
