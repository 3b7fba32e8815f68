export const TOKEN_LIFE_MS = 3_600_000;
export const SESSION_IDLE_MS = 20 * 60_000;
/** How long an expired session is reported as expired instead of unknown. */
export const EXPIRED_KEPT_MS = 24 * 3_600_000;
/** The use of sessions is written at this interval. */
export const USE_RECORDED_MS = 30_000;
/** How long a rotated client secret stays valid together with the new one. */
export const OLD_SECRET_MS = 24 * 3_600_000;
export const USERNAME_MAX = 128;
export const PASSWORD_MAX = 256;

/** One address that tries many names gets this many times the allowance of one name. */
export const NAMES_TRIED_MAX = 10;
