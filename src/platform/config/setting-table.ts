import { COST_MAX, COST_MIN, SAFE_COST } from '../crypto/password-hash.ts';
import { LOG_LEVELS } from '../telemetry/log.ts';
import { LIMITS } from './limit-table.ts';
import {
  anyText,
  dateTime,
  duration,
  headerPrefix,
  hostName,
  httpUrl,
  listOf,
  mailAddress,
  mapStyle,
  oneOf,
  onOff,
  pathPrefix,
  postgresUrl,
  secretText,
  smtpUrl,
  type Table,
  trustProxy,
  wholeNumber,
  word,
} from './setting-types.ts';

export const ROLES = ['all', 'api', 'worker'] as const;
const MODES = ['sandbox', 'production'] as const;

/** All settings; docs/settings.md is generated from these tables. */
export const SETTINGS = {
  mode: [
    'LINEKEEPER_MODE',
    oneOf(MODES),
    'sandbox or production; sandbox without DATABASE_URL, else production',
  ],
  databaseUrl: [
    'DATABASE_URL',
    postgresUrl,
    'an external PostgreSQL 15 or newer instead of the embedded one',
  ],
  databaseDirectUrl: [
    'DATABASE_DIRECT_URL',
    postgresUrl,
    'direct connection to the same database, if DATABASE_URL is a transaction pooler: migrations, listening and leases use it, and no statement is prepared',
  ],
  databaseReplicaUrl: [
    'DATABASE_REPLICA_URL',
    postgresUrl,
    'a streaming replica from which some lists are read; none by default',
  ],
  replicaMaxLagMs: [
    'DATABASE_REPLICA_MAX_LAG',
    duration,
    'maximum age of data read from the replica',
    'PT5S',
  ],
  dataDir: [
    'LINEKEEPER_DATA_DIR',
    anyText,
    'folder of the embedded database and generated keys',
    '.linekeeper',
  ],
  cacheDir: [
    'LINEKEEPER_CACHE_DIR',
    anyText,
    'folder for the prepared database that new data folders start from; by default `linekeeper` in your cache folder',
  ],
  temporary: [
    'LINEKEEPER_TEMPORARY',
    onOff,
    'delete the data folder, which must be new, when the service stops; its database does not wait for the disk',
    'off',
  ],
  stopWithStdin: [
    'LINEKEEPER_STOP_WITH_STDIN',
    onOff,
    'stop when standard input ends, as it does with the process that holds its other end',
    'off',
  ],
  host: ['LINEKEEPER_HOST', anyText, 'address to listen on', '127.0.0.1'],
  port: ['LINEKEEPER_PORT', wholeNumber(0, 65_535), 'port to listen on; 0 picks a free one', '8080'],
  basePath: ['LINEKEEPER_BASE_PATH', pathPrefix, 'path before every route of the interface', '/api'],
  prefix: [
    'LINEKEEPER_PREFIX',
    headerPrefix,
    'prefix of the session header, SKU names and per-device error types',
    'SVC',
  ],
  role: ['LINEKEEPER_ROLE', oneOf(ROLES), 'what this process does: all, api or worker', 'all'],
  operatorKey: [
    'LINEKEEPER_OPERATOR_KEY',
    secretText(16),
    'first bearer key of the operator API; generated in the sandbox',
  ],
  secretKey: [
    'LINEKEEPER_SECRET_KEY',
    anyText,
    'id:base64[,id:base64]; first encrypts, all decrypt; generated in the sandbox',
  ],
  trustProxy: ['LINEKEEPER_TRUST_PROXY', trustProxy, 'proxies whose forwarding headers are believed', 'off'],
  tlsCertFile: [
    'LINEKEEPER_TLS_CERT',
    anyText,
    'file with the certificate chain, to serve TLS without a proxy',
  ],
  tlsKeyFile: ['LINEKEEPER_TLS_KEY', anyText, 'file with the private key of the certificate'],
  corsOrigins: [
    'LINEKEEPER_CORS_ORIGINS',
    listOf(httpUrl),
    'origins whose pages may call the interface; none by default',
  ],
  allowedHosts: [
    'LINEKEEPER_ALLOWED_HOSTS',
    listOf(hostName),
    'names under which browsers may call the service, besides localhost, LINEKEEPER_HOST and addresses of this machine; in production any name if absent',
  ],
  console: ['LINEKEEPER_CONSOLE', onOff, 'serve the console at / and the data for its pages', 'on'],
  mapStyle: [
    'LINEKEEPER_MAP_STYLE',
    mapStyle,
    "street detail for the console's map: the address of a MapLibre style, whose origin browsers may then contact, or a PMTiles file that the service serves; without it only the built-in map is used, and nothing is loaded from the internet",
  ],
  secureCookie: [
    'LINEKEEPER_CONSOLE_SECURE',
    onOff,
    "send the console's cookie over TLS only; on in production; turn it off if browsers connect without TLS",
  ],
  consoleConfirmLines: [
    'LINEKEEPER_CONSOLE_CONFIRM_LINES',
    wholeNumber(0, 1_000_000),
    'how many lines the console suspends or deactivates at once without asking you to type their number',
    '10',
  ],
  demo: ['LINEKEEPER_DEMO', onOff, 'load the demo fleet into an empty sandbox; on in the sandbox'],
  fleet: [
    'LINEKEEPER_FLEET',
    anyText,
    'file with the fleet document that an empty sandbox starts with, instead of the demo fleet; .gz too',
  ],
  now: [
    'LINEKEEPER_NOW',
    dateTime,
    "time at which the sandbox's clock starts: any time on a new database, but no earlier than the clock of an existing one; real time by default",
  ],
  freeze: [
    'LINEKEEPER_FREEZE',
    onOff,
    "freeze the sandbox's clock from the start until it is moved or unfrozen",
    'off',
  ],
  simulator: [
    'LINEKEEPER_SIMULATOR',
    onOff,
    'simulate the demo devices; on in a sandbox with the demo fleet, unless it serves TLS itself',
  ],
  simulatorSpeed: [
    'LINEKEEPER_SIMULATOR_SPEED',
    wholeNumber(1, 10_000),
    "how many times faster than real time the sandbox's clock runs while the simulator runs",
    '1',
  ],
  simulatorSeed: [
    'LINEKEEPER_SIMULATOR_SEED',
    word,
    'seed of ids, tokens, positions and the simulated demo devices, to make a sandbox repeatable: anyone who knows it can compute all tokens. Without it ids and tokens are random, and the simulation uses the seed linekeeper',
  ],
  callbackAllow: [
    'LINEKEEPER_CALLBACK_ALLOW',
    listOf(oneOf(['loopback', 'private', 'linklocal'])),
    'address ranges beyond public ones that callbacks may reach; loopback in the sandbox',
  ],
  smtpUrl: [
    'LINEKEEPER_SMTP_URL',
    smtpUrl,
    'mail server for notifications: smtp:// with STARTTLS if offered, always with credentials or ?requireTLS=true; smtps:// with TLS from the start; without it a sandbox captures mail',
  ],
  mailFrom: [
    'LINEKEEPER_MAIL_FROM',
    mailAddress,
    'sender of mail; production needs it with LINEKEEPER_SMTP_URL; linekeeper@localhost in the sandbox',
  ],
  smsUrl: [
    'LINEKEEPER_SMS_URL',
    httpUrl,
    'SMS gateway for notifications, which accepts a POST of {to, text, id}; credentials become Basic authentication; without it a sandbox captures SMS',
  ],
  listenerAlertAfterMs: [
    'LINEKEEPER_LISTENER_ALERT_AFTER',
    duration,
    "how long a callback listener must fail before its account's contact gets a mail",
    'PT1H',
  ],
  networkFile: [
    'LINEKEEPER_NETWORK',
    anyText,
    'a JSON file that names the network elements behind the lines, the position sources and the feeds; every process needs the same file. Without it the sandbox has a simulated network, and production none',
  ],
  orderMaxAgeMs: [
    'LINEKEEPER_ORDER_MAX_AGE',
    duration,
    'how long an order to a network element is retried before the change of the line fails',
    'PT1H',
  ],
  actionDevicesMax: [
    'LINEKEEPER_ACTION_DEVICES_MAX',
    wholeNumber(1, 10_000_000),
    'devices that one firing of a price plan trigger may suspend or move without approval',
    '1000',
  ],
  dueWorkMaxAgeMs: [
    'LINEKEEPER_DUE_WORK_MAX_AGE',
    duration,
    'how long due work may wait, although no process holds it and this one has a free place, before this process is not ready',
    'PT5M',
  ],
  requestLog: [
    'LINEKEEPER_REQUEST_LOG',
    wholeNumber(0, 1_000_000),
    'how many of the newest calls the log of requests keeps, 0 for none: of all calls in the sandbox, otherwise of accounts that an operator selects',
    '10000',
  ],
  logLevel: [
    'LINEKEEPER_LOG_LEVEL',
    oneOf(LOG_LEVELS),
    'lowest severity of log lines; info by default, but warn in text format once the service is ready',
  ],
  logFormat: [
    'LINEKEEPER_LOG_FORMAT',
    oneOf(['auto', 'text', 'json']),
    'text for people, with colours unless NO_COLOR is set, or one JSON object per line; auto uses text only in a terminal',
    'auto',
  ],
  readyFormat: [
    'LINEKEEPER_READY_FORMAT',
    oneOf(['text', 'json']),
    'message printed when the service is ready for requests: text, or one line of JSON with url, operatorKey and pid',
    'text',
  ],
  databaseConnections: [
    'LINEKEEPER_DB_CONNECTIONS',
    wholeNumber(4, 200),
    'database connections of each process, plus two for listening and for leases',
    '10',
  ],
  passwordCost: [
    'LINEKEEPER_PASSWORD_COST',
    wholeNumber(COST_MIN, COST_MAX),
    `log2 of the cost of hashing a password or client secret; production requires ${SAFE_COST} or more`,
    String(SAFE_COST),
  ],
  ...LIMITS,
} as const satisfies Table;
