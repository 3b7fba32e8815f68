import { resolve } from 'node:path';
import { COST_MAX, COST_MIN, SAFE_COST } from '../crypto/password-hash.ts';
import { LOG_LEVELS } from '../telemetry/log.ts';
import { ConfigError, refuseContradictions } from './contradictions.ts';
import * as read from './readers.ts';
import { type Reader, SettingError } from './readers.ts';
import { RETENTION } from './retention.ts';

export { ConfigError } from './contradictions.ts';

export const ROLES = ['all', 'api', 'worker'] as const;
export const MODES = ['sandbox', 'production'] as const;

const PREFIX = 'LINEKEEPER_';
/** Read by the command line and by the tests, which may run in the same environment. */
const OF_CLIENTS = ['LINEKEEPER_URL', 'LINEKEEPER_CHROMIUM'];

/** Every setting with its reader and what it is when absent; docs/settings.md is made from this table. */
const table = {
  LINEKEEPER_MODE: [
    read.oneOf(MODES),
    undefined,
    'sandbox or production; sandbox without DATABASE_URL, else production',
  ],
  DATABASE_URL: [
    read.url('postgres:', 'postgresql:'),
    undefined,
    'an outside PostgreSQL 15 or newer instead of the embedded one',
  ],
  DATABASE_DIRECT_URL: [
    read.url('postgres:', 'postgresql:'),
    undefined,
    'the same database past the pooler, where DATABASE_URL is one that hands out transactions: migrations, listening and leases go there, and no statement is prepared',
  ],
  DATABASE_REPLICA_URL: [
    read.url('postgres:', 'postgresql:'),
    undefined,
    'a streaming replica that some lists are read from; none by default',
  ],
  DATABASE_REPLICA_MAX_LAG: [read.durationMs, 'PT5S', 'how old what the replica answers may be'],
  LINEKEEPER_DATA_DIR: [read.text, '.linekeeper', 'folder of the embedded database and generated keys'],
  LINEKEEPER_HOST: [read.text, '127.0.0.1', 'address to listen on'],
  LINEKEEPER_PORT: [read.wholeNumber(0, 65_535), '8080', 'port to listen on; 0 picks a free one'],
  LINEKEEPER_BASE_PATH: [read.pathPrefix, '/api', 'path before every route of the interface'],
  LINEKEEPER_PREFIX: [
    read.headerPrefix,
    'SVC',
    'prefix of the session header, SKU names and per-device error types',
  ],
  LINEKEEPER_ROLE: [read.oneOf(ROLES), 'all', 'what this process does: all, api or worker'],
  LINEKEEPER_OPERATOR_KEY: [
    read.secretText(16),
    undefined,
    'first bearer key of the operator API; generated in the sandbox',
  ],
  LINEKEEPER_SECRET_KEY: [
    read.text,
    undefined,
    'id:base64[,id:base64]; first encrypts, all decrypt; generated in the sandbox',
  ],
  LINEKEEPER_TRUST_PROXY: [read.trustProxy, 'off', 'proxies whose forwarding headers are believed'],
  LINEKEEPER_TLS_CERT: [
    read.text,
    undefined,
    'file with the certificate chain, to serve TLS without a proxy',
  ],
  LINEKEEPER_TLS_KEY: [read.text, undefined, 'file with the private key of the certificate'],
  LINEKEEPER_CORS_ORIGINS: [
    read.list(read.url('http:', 'https:')),
    undefined,
    'origins whose pages may call the interface; none by default',
  ],
  LINEKEEPER_CONSOLE: [read.onOff, 'on', 'serve the console at / and what its pages ask for'],
  LINEKEEPER_CONSOLE_SECURE: [
    read.onOff,
    undefined,
    "mark the console's cookie as one for TLS only; on in production, and off wherever browsers come without TLS",
  ],
  LINEKEEPER_DEMO: [read.onOff, undefined, 'load the demo fleet into an empty sandbox; on in the sandbox'],
  LINEKEEPER_SIMULATOR: [
    read.onOff,
    undefined,
    'let the demo devices live; on in a sandbox with the demo fleet, unless it serves TLS by itself',
  ],
  LINEKEEPER_SIMULATOR_SPEED: [
    read.wholeNumber(1, 10_000),
    '1',
    "how many times as fast as real time the sandbox's time runs while the simulator does",
  ],
  LINEKEEPER_SIMULATOR_SEED: [read.word, 'linekeeper', 'what the lives of the demo devices follow from'],
  LINEKEEPER_CALLBACK_ALLOW: [
    read.list(read.oneOf(['loopback', 'private', 'linklocal'])),
    undefined,
    'address ranges beyond public ones that callbacks may reach; loopback in the sandbox',
  ],
  LINEKEEPER_SMTP_URL: [
    read.smtpUrl,
    undefined,
    'mail server for notifications: smtp:// with STARTTLS where offered, always with credentials or ?requireTLS=true; smtps:// with TLS from the start; without it a sandbox captures mail',
  ],
  LINEKEEPER_MAIL_FROM: [
    read.mailAddress,
    undefined,
    'sender of mail; production needs it with LINEKEEPER_SMTP_URL; linekeeper@localhost in the sandbox',
  ],
  LINEKEEPER_SMS_URL: [
    read.url('http:', 'https:'),
    undefined,
    'SMS gateway for notifications, which takes a POST of {to, text, id}; credentials become Basic authentication; without it a sandbox captures SMS',
  ],
  LINEKEEPER_LISTENER_ALERT_AFTER: [
    read.durationMs,
    'PT1H',
    "how long a callback listener fails before its account's contact gets a mail",
  ],
  LINEKEEPER_ACTION_DEVICES_MAX: [
    read.wholeNumber(1, 10_000_000),
    '1000',
    'devices that one firing of a price plan trigger may suspend or move without approval',
  ],
  LINEKEEPER_DUE_WORK_MAX_AGE: [
    read.durationMs,
    'PT5M',
    'how long work may be due, held by nobody and with room for it in this process, before the process is not ready',
  ],
  LINEKEEPER_LOG_LEVEL: [read.oneOf(LOG_LEVELS), 'info', 'least severe log lines that are written'],
  LINEKEEPER_DB_CONNECTIONS: [
    read.wholeNumber(4, 200),
    '10',
    'connections to the database in each process; two more are for listening and for leases',
  ],
  LINEKEEPER_PASSWORD_COST: [
    read.wholeNumber(COST_MIN, COST_MAX),
    String(SAFE_COST),
    `log2 of what it costs to hash a password or a client secret; production takes ${SAFE_COST} or more`,
  ],
  LINEKEEPER_LOGIN_RATE: [
    read.wholeNumber(0, 100_000),
    '60',
    'logins a minute per user and address; 0 is no limit',
  ],
  LINEKEEPER_API_RATE: [
    read.wholeNumber(0, 10_000_000),
    undefined,
    'calls a minute per client, and per user of the console, where it is 1200 at least; no limit in the sandbox, 6000 in production',
  ],
  LINEKEEPER_LOCK_ATTEMPTS: [read.wholeNumber(1, 100), '5', 'failed logins in a row that lock a user'],
  LINEKEEPER_LOCK_MINUTES: [read.wholeNumber(1, 10_080), '15', 'minutes for which a user stays locked'],
  LINEKEEPER_ADVANCE_WAIT_SECONDS: [
    read.wholeNumber(1, 3_600),
    '60',
    'how long a call that moves the clock waits for the work to finish',
  ],
  LINEKEEPER_FEED_AHEAD_SECONDS: [
    read.wholeNumber(0, 3_600),
    '300',
    'how far ahead of the clock fed usage, positions and readings may be dated; they count as of when they were taken',
  ],
  ...RETENTION,
} as const satisfies Record<string, readonly [Reader<unknown>, string | undefined, string]>;

type Table = typeof table;
type Name = keyof Table;
type Value<N extends Name> = ReturnType<Table[N][0]> | (Table[N][1] extends string ? never : undefined);

export const settingNames = Object.keys(table) as readonly Name[];
export const settingRows = Object.entries(table).map(([name, [, fallback, meaning]]) => ({
  name,
  fallback,
  meaning,
}));

function readSetting<N extends Name>(env: NodeJS.ProcessEnv, name: N): Value<N> {
  const [reader, fallback] = table[name];
  const given = env[name]?.trim();
  const text = given === undefined || given === '' ? fallback : given;
  if (text === undefined) return undefined as Value<N>;
  try {
    return reader(text) as Value<N>;
  } catch (error) {
    if (error instanceof SettingError) throw new ConfigError(`${name} must be ${error.message}.`);
    throw error;
  }
}

export type Settings = ReturnType<typeof readSettings>;

export function readSettings(env: NodeJS.ProcessEnv) {
  const get = <N extends Name>(name: N) => readSetting(env, name);
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith(PREFIX) && !(name in table) && !OF_CLIENTS.includes(name),
  );
  const databaseUrl = get('DATABASE_URL');
  const [databaseDirectUrl, databaseReplicaUrl] = [get('DATABASE_DIRECT_URL'), get('DATABASE_REPLICA_URL')];
  const mode = get('LINEKEEPER_MODE') ?? (databaseUrl === undefined ? 'sandbox' : 'production');
  const sandbox = mode === 'sandbox';
  const operatorKey = get('LINEKEEPER_OPERATOR_KEY');
  const secretKey = get('LINEKEEPER_SECRET_KEY');
  const [tlsCertFile, tlsKeyFile] = [get('LINEKEEPER_TLS_CERT'), get('LINEKEEPER_TLS_KEY')];
  const role = get('LINEKEEPER_ROLE');
  const demo = sandbox && (get('LINEKEEPER_DEMO') ?? true);
  const [smtpUrl, mailFrom] = [get('LINEKEEPER_SMTP_URL'), get('LINEKEEPER_MAIL_FROM')];

  const passwordCost = get('LINEKEEPER_PASSWORD_COST');
  refuseContradictions({
    ...{
      passwordCost,
      sandbox,
      role,
      databaseUrl,
      databaseDirectUrl,
      databaseReplicaUrl,
      secretKey,
      operatorKey,
    },
    ...{ smtpUrl, mailFrom, tlsCertFile, tlsKeyFile },
  });
  const callsPerMinute = get('LINEKEEPER_API_RATE') ?? (sandbox ? 0 : 6_000);
  return {
    mode,
    sandbox,
    role,
    unknown,
    databaseUrl,
    databaseDirectUrl,
    databaseReplicaUrl,
    replicaMaxLagMs: get('DATABASE_REPLICA_MAX_LAG'),
    databaseConnections: get('LINEKEEPER_DB_CONNECTIONS'),
    dataDir: resolve(get('LINEKEEPER_DATA_DIR')),
    host: get('LINEKEEPER_HOST'),
    port: get('LINEKEEPER_PORT'),
    basePath: get('LINEKEEPER_BASE_PATH'),
    prefix: get('LINEKEEPER_PREFIX'),
    operatorKey,
    secretKey,
    trustProxy: get('LINEKEEPER_TRUST_PROXY'),
    tls:
      tlsCertFile !== undefined && tlsKeyFile !== undefined
        ? { certFile: tlsCertFile, keyFile: tlsKeyFile }
        : undefined,
    corsOrigins: get('LINEKEEPER_CORS_ORIGINS') ?? [],
    console: get('LINEKEEPER_CONSOLE'),
    secureCookie: get('LINEKEEPER_CONSOLE_SECURE') ?? !sandbox,
    demo,
    simulator:
      sandbox && role === 'all' && (get('LINEKEEPER_SIMULATOR') ?? (demo && tlsCertFile === undefined)),
    simulatorSpeed: get('LINEKEEPER_SIMULATOR_SPEED'),
    simulatorSeed: get('LINEKEEPER_SIMULATOR_SEED'),
    callbackAllow: get('LINEKEEPER_CALLBACK_ALLOW') ?? (sandbox ? (['loopback'] as const) : []),
    smtpUrl,
    mailFrom: mailFrom ?? 'linekeeper@localhost',
    smsUrl: get('LINEKEEPER_SMS_URL'),
    listenerAlertAfterMs: get('LINEKEEPER_LISTENER_ALERT_AFTER'),
    dueWorkMaxAgeMs: get('LINEKEEPER_DUE_WORK_MAX_AGE'),
    actionDevicesMax: get('LINEKEEPER_ACTION_DEVICES_MAX'),
    logLevel: get('LINEKEEPER_LOG_LEVEL'),
    passwordCost,
    loginsPerMinute: get('LINEKEEPER_LOGIN_RATE'),
    callsPerMinute,
    // Where much happens an open page sends a few hundred.
    viewerCallsPerMinute: callsPerMinute && Math.max(callsPerMinute, 1_200),
    lockAttempts: get('LINEKEEPER_LOCK_ATTEMPTS'),
    lockMinutes: get('LINEKEEPER_LOCK_MINUTES'),
    advanceWaitMs: get('LINEKEEPER_ADVANCE_WAIT_SECONDS') * 1_000,
    feedAheadMs: get('LINEKEEPER_FEED_AHEAD_SECONDS') * 1_000,
    retentionDays: {
      alerts: get('LINEKEEPER_RETENTION_ALERT_DAYS'),
      audit: get('LINEKEEPER_RETENTION_AUDIT_DAYS'),
      jobs: get('LINEKEEPER_RETENTION_JOB_DAYS'),
      delivered: get('LINEKEEPER_RETENTION_DELIVERED_DAYS'),
      usage: get('LINEKEEPER_RETENTION_USAGE_DAYS'),
      notifications: get('LINEKEEPER_RETENTION_NOTIFICATION_DAYS'),
      positions: get('LINEKEEPER_RETENTION_POSITION_DAYS'),
      readings: get('LINEKEEPER_RETENTION_READING_DAYS'),
    },
  };
}
