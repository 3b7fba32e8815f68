/**
 * Settings of this process for its own services and databases, except for shared caches, and options that
 * change Node.
 */
const NOT_PASSED_ON =
  /^(LINEKEEPER_(?!CACHE_DIR$).*|DATABASE(_DIRECT|_REPLICA)?_URL|OTEL_.*|NODE_OPTIONS|NODE_V8_COVERAGE|NODE_CHANNEL_FD)$/;

export type Variables = Readonly<Record<string, string | undefined>>;

/** A sandbox behaves the same everywhere, because it ignores the settings around the tests. */
export const surroundingVariables = (env: Variables): Variables =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_PASSED_ON.test(name)));

/** Defaults for tests; each can be overridden. */
export const FOR_TESTS = {
  LINEKEEPER_MODE: 'sandbox',
  LINEKEEPER_PORT: '0',
  LINEKEEPER_SIMULATOR: 'off',
  LINEKEEPER_LOG_LEVEL: 'warn',
  // Short-lived passwords need no expensive hashing.
  LINEKEEPER_PASSWORD_COST: '10',
  LINEKEEPER_LOGIN_RATE: '0',
} as const;
