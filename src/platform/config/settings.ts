import { resolve } from 'node:path';
import type { StaticDecode } from 'typebox';
import { SAFE_COST } from '../crypto/password-hash.ts';
import { readNetworkFile } from './network-file.ts';
import type { NetworkSettings } from './network-schema.ts';
import { RETENTION } from './retention-table.ts';
import { SETTINGS } from './setting-table.ts';
import type { Row, Table } from './setting-types.ts';
import { parseText } from './setting-types.ts';

/** Wrong settings: the message has one sentence for each error, for the person who set them. */
export class ConfigError extends Error {}

const PREFIX = 'LINEKEEPER_';
/** For the command line and the tests, which may run in the same environment. */
const OF_CLIENTS = ['LINEKEEPER_URL', 'LINEKEEPER_CHROMIUM'];

export const settingRows = [SETTINGS, RETENTION].flatMap((table: Table) =>
  Object.values(table).map(([name, , meaning, fallback]) => ({ name, fallback, meaning })),
);
export const settingNames: readonly string[] = settingRows.map(({ name }) => name);

type Frozen<T> = T extends readonly (infer Item)[] ? readonly Item[] : T;
type Parsed<R extends Row> = Frozen<StaticDecode<R[1]>> | (R['length'] extends 4 ? never : undefined);
type ParsedAll<T extends Table> = { readonly [Key in keyof T]: Parsed<T[Key]> };

/** An empty variable counts as absent. Errors are added to `problems`. */
function parseAll<T extends Table>(table: T, env: NodeJS.ProcessEnv, problems: string[]): ParsedAll<T> {
  const entries = Object.entries(table).map(([key, [name, type, , fallback]]) => {
    const text = env[name]?.trim() || fallback;
    if (text === undefined) return [key, undefined];
    const parsed = parseText(type, text);
    if ('value' in parsed) return [key, parsed.value];
    problems.push(`${name} must be ${parsed.expected}.`);
    return [key, undefined];
  });
  return Object.fromEntries(entries) as ParsedAll<T>;
}

type Given = ParsedAll<typeof SETTINGS>;

function* findProductionProblems(given: Given): Generator<string> {
  const { databaseUrl, secretKey, operatorKey, smtpUrl, mailFrom, passwordCost } = given;
  const needed = {
    DATABASE_URL: databaseUrl,
    LINEKEEPER_SECRET_KEY: secretKey,
    LINEKEEPER_OPERATOR_KEY: operatorKey,
  };
  const absent = Object.entries(needed).filter(([, value]) => value === undefined);
  if (absent.length > 0) yield `Production mode needs ${absent.map(([name]) => name).join(', ')} to be set.`;
  if (smtpUrl !== undefined && mailFrom === undefined)
    yield 'LINEKEEPER_SMTP_URL needs LINEKEEPER_MAIL_FROM to be set in production.';
  if (passwordCost < SAFE_COST) yield `LINEKEEPER_PASSWORD_COST must be ${SAFE_COST} or more in production.`;
}

/** Above all the seed, because it makes every token predictable. */
function* findSandboxOnly({ fleet, now, freeze, simulatorSeed }: Given): Generator<string> {
  const set = {
    LINEKEEPER_FLEET: fleet !== undefined,
    LINEKEEPER_NOW: now !== undefined,
    LINEKEEPER_FREEZE: freeze,
    LINEKEEPER_SIMULATOR_SEED: simulatorSeed !== undefined,
  };
  for (const [name, isSet] of Object.entries(set)) if (isSet) yield `${name} is for the sandbox.`;
}

/** Settings that are valid alone but contradict each other. */
function* findContradictions(given: Given, sandbox: boolean): Generator<string> {
  if (!sandbox) yield* findSandboxOnly(given);
  if (given.fleet !== undefined && given.demo)
    yield 'LINEKEEPER_FLEET replaces LINEKEEPER_DEMO=on: set only one of them.';
  if (given.temporary && (!sandbox || given.databaseUrl !== undefined))
    yield 'LINEKEEPER_TEMPORARY is for a sandbox with its own database.';
  const { role, databaseUrl, databaseDirectUrl, databaseReplicaUrl, tlsCertFile, tlsKeyFile } = given;
  if ((tlsCertFile === undefined) !== (tlsKeyFile === undefined))
    yield 'LINEKEEPER_TLS_CERT and LINEKEEPER_TLS_KEY must be set together.';
  if (databaseUrl !== undefined) return;
  if (role !== 'all')
    yield `LINEKEEPER_ROLE=${role} needs DATABASE_URL: the embedded database serves one process of role all.`;
  if ((databaseDirectUrl ?? databaseReplicaUrl) !== undefined)
    yield 'DATABASE_DIRECT_URL and DATABASE_REPLICA_URL need DATABASE_URL to be set.';
}

const refuseIfAny = (problems: readonly string[]) => {
  if (problems.length > 0) throw new ConfigError(problems.join(' '));
};

function readNetwork(path: string | undefined): NetworkSettings | undefined {
  if (path === undefined) return undefined;
  const read = readNetworkFile(path);
  if ('problem' in read) throw new ConfigError(read.problem);
  return read.network;
}

const LOOPBACK = /^(127\.|localhost$|::1$)/;

export type Settings = ReturnType<typeof parseSettings>;

export function parseSettings(env: NodeJS.ProcessEnv) {
  const problems: string[] = [];
  const given = parseAll(SETTINGS, env, problems);
  const retentionDays = parseAll(RETENTION, env, problems);
  refuseIfAny(problems);
  const { tlsCertFile: certFile, tlsKeyFile: keyFile, networkFile, ...settings } = given;
  const mode = given.mode ?? (given.databaseUrl === undefined ? 'sandbox' : 'production');
  const sandbox = mode === 'sandbox';
  refuseIfAny([...(sandbox ? [] : findProductionProblems(given)), ...findContradictions(given, sandbox)]);
  const demo = sandbox && (given.demo ?? given.fleet === undefined);
  const callsPerMinute = given.callsPerMinute ?? (sandbox ? 0 : 6_000);
  return {
    ...settings,
    mode,
    sandbox,
    unknown: Object.keys(env).filter(
      (name) => name.startsWith(PREFIX) && !settingNames.includes(name) && !OF_CLIENTS.includes(name),
    ),
    dataDir: resolve(given.dataDir),
    logLevel: given.logLevel ?? 'info',
    quietWhenReady: given.logLevel === undefined,
    tls: certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined,
    corsOrigins: given.corsOrigins ?? [],
    /** Other machines can connect. */
    isReachable: !LOOPBACK.test(given.host),
    allowedHosts: given.allowedHosts ?? [],
    secureCookie: given.secureCookie ?? !sandbox,
    demo,
    /** The seed of all generated values, if they should be repeatable. */
    seed: sandbox ? given.simulatorSeed : undefined,
    simulatorSeed: given.simulatorSeed ?? 'linekeeper',
    simulator: sandbox && given.role === 'all' && (given.simulator ?? (demo && certFile === undefined)),
    callbackAllow: given.callbackAllow ?? (sandbox ? (['loopback'] as const) : []),
    mailFrom: given.mailFrom ?? 'linekeeper@localhost',
    callsPerMinute,
    // An open page sends a few hundred calls when much changes.
    viewerCallsPerMinute: callsPerMinute && Math.max(callsPerMinute, 1_200),
    retentionDays,
    /** The network of the file; undefined without a file. */
    network: readNetwork(networkFile),
  };
}
