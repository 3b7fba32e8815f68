import { hash } from 'node:crypto';
import type { Chance } from '../chance/chance.ts';

/** Tokens have at least 122 random bits, so a fast digest is enough to make the stored form useless to a thief. */
export const hashToken = (token: string): string => hash('sha256', token, 'base64url');

export const randomToken = ({ bytes }: Chance, count = 24): string => bytes(count).toString('base64url');

/** Without 0/O and 1/l/I, so that a person can read it aloud. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
/** Larger bytes would make the first letters more likely than the last ones. */
const EVEN = 256 - (256 % ALPHABET.length);

export function randomPassword({ bytes }: Chance, length = 16): string {
  let password = '';
  while (password.length < length)
    for (const byte of bytes(length - password.length))
      if (byte < EVEN) password += ALPHABET[byte % ALPHABET.length];
  return password;
}
