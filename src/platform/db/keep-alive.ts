/**
 * A statement that may take long waits in silence. The system asks a silent connection whether the other side is still
 * there, by itself only after two hours.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };
