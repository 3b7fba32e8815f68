import { randomUUID } from 'node:crypto';
import type { Ctx } from '../../platform/context/context.ts';
import { hashPassword, verifyPassword } from '../../platform/crypto/password-hash.ts';
import { hashToken } from '../../platform/crypto/token.ts';
import { FairSlots } from '../../platform/flow-control/fair-slots.ts';
import { concurrencyLimit } from '../../platform/flow-control/limits.ts';

/** By hash cost. */
const dummyHashes = new Map<number, Promise<string>>();
function dummyHash(cost: number): Promise<string> {
  const hash = dummyHashes.get(cost) ?? hashPassword(randomUUID(), cost);
  dummyHashes.set(cost, hash);
  return hash;
}

/** A caller that has waited this long is refused and may retry, so that no call hangs under a flood. */
const WAIT_MS = 3_000;
/** Each waiting call holds a connection. Beyond the limit, calls of the address with the most are refused. */
const WAITING_MAX = 1_000;
/**
 * A check takes a thread and 32 MiB for a tenth of a second, and any caller can cause one. Two at a time leave threads for
 * files and compressed feeds. Addresses share the slots fairly, and so do the names tried from one address.
 */
const slots = new FairSlots(2, WAITING_MAX, WAIT_MS);

export interface Tried {
  /** The claimed name. */
  readonly name: string;
  readonly secret: string;
  /** The valid hashes; empty if the name does not exist. */
  readonly hashes: readonly string[];
}

/** The hash that the secret matches. Takes equally long without any hash, so the time does not reveal which names exist. */
export async function verifySecret(
  { callerAddress = '', hashCost }: Ctx,
  { name, secret, hashes }: Tried,
): Promise<string | undefined> {
  // Hashed, because a made-up name can be as long as a header.
  return slots.run([callerAddress, hashToken(name)], async () => {
    for (const hash of hashes) if (await verifyPassword(secret, hash)) return hash;
    if (hashes.length === 0) await verifyPassword(secret, await dummyHash(hashCost));
    return undefined;
  });
}

/** A document may have thousands of users. This limit leaves threads for concurrent logins. */
const importHashing = concurrencyLimit(2);

/** The hash of a password or secret in a document; undefined if the known hash matches it. */
export const hashImported = (
  { hashCost }: Ctx,
  secret: string,
  known: string | null | undefined,
): Promise<string | undefined> =>
  importHashing.run(async () =>
    known && (await verifyPassword(secret, known)) ? undefined : hashPassword(secret, hashCost),
  );
