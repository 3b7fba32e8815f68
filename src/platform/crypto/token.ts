import { hash, randomBytes, randomInt } from 'node:crypto';

/** Tokens carry at least 122 random bits: a fast digest is enough to make the stored form useless to a thief. */
export const hashToken = (token: string): string => hash('sha256', token, 'base64url');

export const randomToken = (bytes = 24): string => randomBytes(bytes).toString('base64url');

/** Without 0/O and 1/l/I, so that a person can read it aloud. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

export const randomPassword = (length = 16): string =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
