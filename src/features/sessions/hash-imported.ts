import { hashPassword, verifyPassword } from '../../platform/crypto/password-hash.ts';
import { turnstile } from '../../platform/turnstile.ts';

/** A document may have thousands of users: its hashing leaves threads to those who log in meanwhile. */
const turns = turnstile(2);

/** The hash of a password or secret in a document; undefined where the one that is known is of the same. */
export const hashImported = (
  secret: string,
  known: string | null | undefined,
  cost: number,
): Promise<string | undefined> =>
  turns.pass(async () =>
    known && (await verifyPassword(secret, known)) ? undefined : hashPassword(secret, cost),
  );
