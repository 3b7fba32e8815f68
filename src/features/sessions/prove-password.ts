import type { Ctx } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { loginFaults } from './errors.ts';
import { countFailure, deleteFailuresUnlessLocked, findLock, type TriedName } from './sql-login-failure.ts';
import { findUser, lockUser } from './sql-user.ts';
import { verifySecret } from './verify-secret.ts';

export interface LockPolicy {
  readonly lockAttempts: number;
  readonly lockMinutes: number;
}

/** The password was right when it was checked. The check is slow, so confirm the proof before you use it. */
interface PasswordProof extends TriedName {
  readonly passwordHash: string;
}

function refuseLocked(lockedUntil: Date, now: Date): never {
  const seconds = Math.max(1, Math.ceil((lockedUntil.getTime() - now.getTime()) / 1_000));
  return refuse(loginFaults.locked, {
    reason: `until ${lockedUntil.toISOString()}, or until the operator unlocks it`,
    headers: { 'retry-after': String(seconds) },
  });
}

async function refuseWhileLocked({ db, now }: Ctx, tried: TriedName): Promise<void> {
  const lockedUntil = await findLock(db, tried, now());
  if (lockedUntil !== undefined) refuseLocked(lockedUntil, now());
}

async function refuseWrong(
  { db, now }: Ctx,
  tried: TriedName,
  { lockAttempts, lockMinutes }: LockPolicy,
): Promise<never> {
  const { failures, lockedUntil } = await countFailure(db, {
    ...tried,
    now: now(),
    attemptsMax: lockAttempts,
    lockUntil: new Date(now().getTime() + lockMinutes * 60_000),
  });
  if (lockedUntil !== null) return refuseLocked(lockedUntil, now());
  return refuse(loginFaults.wrongPassword, {
    reason: `${lockAttempts - failures} attempts left before the user is locked`,
  });
}

/** Somebody may have typed a password as the name, so a name that no user has is stored as a digest. */
const unknownName = ({ secrets }: Ctx, username: string): string =>
  `~${secrets.mac(secrets.macKeyId, `unknown user ${username}`)}`;

/** Do not call it in a transaction: the refusal would roll back the count of failures. */
export async function provePassword(
  ctx: Ctx,
  { username, place, password }: TriedName & { readonly password: string },
  policy: LockPolicy,
): Promise<PasswordProof> {
  const user = await findUser(ctx.db, username);
  const tried = { username: user === undefined ? unknownName(ctx, username) : username, place };
  await refuseWhileLocked(ctx, tried);
  const known = user?.passwordHash ?? null;
  const hashes = known === null ? [] : [known];
  const passwordHash = await verifySecret(ctx, { name: `user ${username}`, secret: password, hashes });
  if (passwordHash === undefined) return refuseWrong(ctx, tried, policy);
  return { username, place, passwordHash };
}

/**
 * Call it in the transaction that uses the proof: it locks the user until the commit. If concurrent guesses have
 * locked the name, the right password is refused like a wrong one.
 */
export async function confirmProof(ctx: Ctx, proof: PasswordProof): Promise<void> {
  const { username, passwordHash } = proof;
  const user = await lockUser(ctx.db, username);
  // This waits for a failure that is being counted, so the next check sees a lock it sets.
  await deleteFailuresUnlessLocked(ctx.db, proof, ctx.now());
  await refuseWhileLocked(ctx, proof);
  if (user?.passwordHash !== passwordHash)
    refuse(loginFaults.wrongPassword, { reason: 'the password was changed a moment ago' });
  if (user.disabledAt !== null) refuse(loginFaults.disabled);
}
