export const COOKIE_NAME = 'linekeeper_console';
/** After so long without a call a session has expired, and after so long in any case. Real time. */
export const IDLE_MS = 30 * 60_000;
export const LIFE_MS = 12 * 3_600_000;
/** The use of a session is written at most this often. */
export const USE_RECORDED_MS = 60_000;
