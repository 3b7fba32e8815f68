export const TOKEN_LIFE_MS = 3_600_000;
export const SESSION_IDLE_MS = 20 * 60_000;
/** How long an expired session is remembered as such. */
export const EXPIRED_KEPT_MS = 24 * 3_600_000;
/** Use of a session is written at most this often. */
export const USE_RECORDED_MS = 30_000;
/** A rotated client secret stays valid beside the new one. */
export const OLD_SECRET_MS = 24 * 3_600_000;
export const USERNAME_MAX = 128;
export const PASSWORD_MAX = 256;

/** Who tries one name after the other has this many times the allowance of a name, from one address. */
export const NAMES_TRIED_MAX = 10;
