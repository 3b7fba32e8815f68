/**
 * What this process was told about services and databases of its own, but for where a machine keeps what all of them can use; and what
 * makes Node another one than the tests need.
 */
const NOT_PASSED_ON =
  /^(LINEKEEPER_(?!CACHE_DIR$).*|DATABASE(_DIRECT|_REPLICA)?_URL|OTEL_.*|NODE_OPTIONS|NODE_V8_COVERAGE|NODE_CHANNEL_FD)$/;

export type Variables = Readonly<Record<string, string | undefined>>;

/** A sandbox is the same wherever it runs: nothing that is set around the tests changes it. */
export const surroundingVariables = (env: Variables): Variables =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_PASSED_ON.test(name)));

/** What suits tests, and any of which may be said otherwise. */
export const FOR_TESTS = {
  LINEKEEPER_MODE: 'sandbox',
  LINEKEEPER_PORT: '0',
  LINEKEEPER_SIMULATOR: 'off',
  LINEKEEPER_LOG_LEVEL: 'warn',
  // Passwords that are thrown away in a minute need not cost anybody time.
  LINEKEEPER_PASSWORD_COST: '10',
  LINEKEEPER_LOGIN_RATE: '0',
} as const;
