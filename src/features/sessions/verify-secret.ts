import { randomUUID } from 'node:crypto';
import type { Ctx } from '../../platform/context.ts';
import { hashPassword, verifyPassword } from '../../platform/crypto/password-hash.ts';
import { FairSlots } from '../../platform/fair-slots.ts';

/** By what a hash costs. */
const nobodies = new Map<number, Promise<string>>();
function nobody(cost: number): Promise<string> {
  const hash = nobodies.get(cost) ?? hashPassword(randomUUID(), cost);
  nobodies.set(cost, hash);
  return hash;
}

/**
 * Each takes a thread and 32 MiB for a tenth of a second, and anybody can cause it: threads are left to files and packed
 * feeds, addresses take turns, and who would wait for seconds is told to come back.
 */
const slots = new FairSlots(2, 1_000, 50);

/** Takes as long when there is no hash to compare with: the time must not tell which names exist. */
export async function verifySecret(
  { callerAddress = '', hashCost }: Ctx,
  secret: string,
  hash: string | null | undefined,
): Promise<boolean> {
  const compared = hash ?? (await nobody(hashCost));
  const right = await slots.run(callerAddress, () => verifyPassword(secret, compared));
  return right && typeof hash === 'string';
}
