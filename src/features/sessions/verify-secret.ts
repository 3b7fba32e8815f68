import { randomUUID } from 'node:crypto';
import type { Ctx } from '../../platform/context/context.ts';
import { hashPassword, verifyPassword } from '../../platform/crypto/password-hash.ts';
import { hashToken } from '../../platform/crypto/token.ts';
import { FairSlots } from '../../platform/flow-control/fair-slots.ts';
import { concurrencyLimit } from '../../platform/flow-control/limits.ts';

/** By what a hash costs. */
const nobodies = new Map<number, Promise<string>>();
function nobody(cost: number): Promise<string> {
  const hash = nobodies.get(cost) ?? hashPassword(randomUUID(), cost);
  nobodies.set(cost, hash);
  return hash;
}

/** Who has waited for this long is told to come back: nobody hangs, however many others try. */
const WAIT_MS = 3_000;
/** Each holds a connection; what is refused beyond it is of the address that has most of them. */
const WAITING_MAX = 1_000;
/**
 * Each takes a thread and 32 MiB for a tenth of a second, and anybody can cause it: threads are left to files and packed
 * feeds, addresses take turns, and those who are tried from one address do.
 */
const slots = new FairSlots(2, WAITING_MAX, WAIT_MS);

export interface Tried {
  /** Who it is said to be. */
  readonly name: string;
  readonly secret: string;
  /** Those that count; none where nobody has that name. */
  readonly hashes: readonly string[];
}

/** The hash that it fits. Takes as long when there is none to compare with: the time must not tell which names exist. */
export async function verifySecret(
  { callerAddress = '', hashCost }: Ctx,
  { name, secret, hashes }: Tried,
): Promise<string | undefined> {
  // A name that somebody makes up can be as long as a header.
  return slots.run([callerAddress, hashToken(name)], async () => {
    for (const hash of hashes) if (await verifyPassword(secret, hash)) return hash;
    if (hashes.length === 0) await verifyPassword(secret, await nobody(hashCost));
    return undefined;
  });
}

/** A document may have thousands of users: its hashing leaves threads to those who log in meanwhile. */
const turnsOfImports = concurrencyLimit(2);

/** The hash of a password or secret in a document; undefined where the one that is known is of the same. */
export const hashImported = (
  { hashCost }: Ctx,
  secret: string,
  known: string | null | undefined,
): Promise<string | undefined> =>
  turnsOfImports.run(async () =>
    known && (await verifyPassword(secret, known)) ? undefined : hashPassword(secret, hashCost),
  );
