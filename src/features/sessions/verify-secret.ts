import { randomUUID } from 'node:crypto';
import { hashPassword, verifyPassword } from '../../platform/crypto/password-hash.ts';

const nobody = hashPassword(randomUUID());

/** Takes as long when there is no hash to compare with: the time must not tell which names exist. */
export const verifySecret = async (secret: string, hash: string | null | undefined): Promise<boolean> =>
  (await verifyPassword(secret, hash ?? (await nobody))) && typeof hash === 'string';
