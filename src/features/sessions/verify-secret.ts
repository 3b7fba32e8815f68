import { randomUUID } from 'node:crypto';
import type { Ctx } from '../../platform/context.ts';
import { hashPassword, verifyPassword } from '../../platform/crypto/password-hash.ts';
import { FairSlots } from '../../platform/fair-slots.ts';

const nobody = hashPassword(randomUUID());

/**
 * Each takes a thread and 32 MiB for a tenth of a second, and anybody can cause it: threads are left to files and packed
 * feeds, addresses take turns, and who would wait for seconds is told to come back.
 */
const slots = new FairSlots(2, 1_000, 50);

/** Takes as long when there is no hash to compare with: the time must not tell which names exist. */
export async function verifySecret(
  { callerAddress = '' }: Ctx,
  secret: string,
  hash: string | null | undefined,
): Promise<boolean> {
  const compared = hash ?? (await nobody);
  const right = await slots.run(callerAddress, () => verifyPassword(secret, compared));
  return right && typeof hash === 'string';
}
