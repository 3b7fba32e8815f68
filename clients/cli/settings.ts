import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ClientConnection } from '../sdk/index.ts';
import { wrongUsage } from './failure.ts';
import { DEFAULT_PROFILE, findProfile, type Profile, readProfiles } from './profiles.ts';
import type { Run } from './run.ts';
import type { Surroundings } from './surroundings.ts';

const DEFAULT_URL = 'http://127.0.0.1:8080/api';

const variable = ({ env }: Surroundings, name: string): string | undefined =>
  env[`LINEKEEPER_${name}`]?.trim() || undefined;
const dataDir = (around: Surroundings): string => variable(around, 'DATA_DIR') ?? '.linekeeper';

function readIfThere({ cwd }: Surroundings, file: string): string | undefined {
  try {
    return readFileSync(resolve(cwd, file), 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw wrongUsage(`Cannot read ${file}: ${message}`);
  }
}

/** The file that a running sandbox writes into its data folder. */
function findAnnouncedUrl(around: Surroundings): string | undefined {
  const file = join(dataDir(around), 'service.json');
  const text = readIfThere(around, file);
  if (text === undefined) return undefined;
  try {
    const { url } = JSON.parse(text) as { url?: unknown };
    if (typeof url === 'string') return url;
  } catch {}
  throw wrongUsage(`${file} does not name a service; give --url`);
}

/** Base URL without a trailing slash. */
export function parseUrl(given: string): URL {
  const parsed = URL.parse(given);
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw wrongUsage(`${given} is not an http or https URL, such as ${DEFAULT_URL}`);
  if (parsed.username || parsed.password || parsed.search || parsed.hash)
    throw wrongUsage(
      'The URL of the service is an address and a path only, for example http://127.0.0.1:8080/api',
    );
  parsed.pathname = parsed.pathname.replace(/\/+$/, '');
  return parsed;
}

/**
 * The requested profile. Falls back to `default` only if no argument, variable or data folder names a
 * service, so that a key never reaches another service.
 */
function profileOf({ around, options: { profile, url, key } }: Run): Partial<Profile> | undefined {
  const name = profile ?? variable(around, 'PROFILE');
  if (name !== undefined) return findProfile(around, name);
  const given = [url, key, variable(around, 'URL'), variable(around, 'OPERATOR_KEY')];
  const isNamed = given.some((one) => one !== undefined);
  if (isNamed || findAnnouncedUrl(around) !== undefined) return undefined;
  return readProfiles(around)[DEFAULT_PROFILE];
}

export function findUrl(run: Run): URL {
  const { around, options } = run;
  const given = options.url?.trim() || profileOf(run)?.url || variable(around, 'URL');
  return parseUrl(given || findAnnouncedUrl(around) || DEFAULT_URL);
}

export function checkKey(key: string, source: string): string {
  if (!/^[\x21-\x7e]+$/.test(key))
    throw wrongUsage(`The operator key of ${source} contains characters that no key has, such as spaces`);
  return key;
}

interface Operator {
  readonly url: URL;
  readonly key: string;
  /** The source of the key, for the message about a refused key. */
  readonly source: string;
}

/** The address of the service and the operator key for it. */
export function findOperator(run: Run): Operator {
  const { around, options } = run;
  const url = findUrl(run);
  const profile = profileOf(run);
  const name = options.profile ?? variable(around, 'PROFILE') ?? DEFAULT_PROFILE;
  const file = join(dataDir(around), 'operator-key');
  const places = [
    ['--key', () => options.key?.trim()],
    ...(profile === undefined
      ? ([
          ['LINEKEEPER_OPERATOR_KEY', () => variable(around, 'OPERATOR_KEY')],
          [`the file ${file}`, () => readIfThere(around, file)?.trim()],
        ] as const)
      : ([[`the profile ${name}`, () => profile.operatorKey]] as const)),
  ] as const;
  for (const [source, read] of places) {
    const key = read();
    if (key) return { url, key: checkKey(key, source), source };
  }
  throw wrongUsage(
    profile === undefined
      ? `No operator key: set LINEKEEPER_OPERATOR_KEY or give --key. The file ${file}, which linekeeper start creates, does not exist`
      : `The profile ${name} has no operator key: give --key, or log in again with it`,
  );
}

const USER_PARTS = ['clientId', 'clientSecret', 'username', 'password'] as const;
const VARIABLES = {
  clientId: 'CLIENT_ID',
  clientSecret: 'CLIENT_SECRET',
  username: 'USERNAME',
  password: 'PASSWORD',
} as const;

export const userVariables = (around: Surroundings): Partial<Profile> =>
  Object.fromEntries(
    USER_PARTS.flatMap((part) => {
      const value = variable(around, VARIABLES[part]);
      return value === undefined ? [] : [[part, value]];
    }),
  );

/** The address of the service, and the application and user for calls. */
export function findUser(run: Run): Omit<ClientConnection, 'fetch'> {
  const known = { ...userVariables(run.around), ...profileOf(run) };
  const { clientId, clientSecret, username, password, sessionHeader } = known;
  if (!clientId || !clientSecret || !username || !password) {
    const missing = USER_PARTS.filter((part) => !known[part]).map((part) => `LINEKEEPER_${VARIABLES[part]}`);
    throw wrongUsage(`No application and user: run linekeeper login, or set ${missing.join(', ')}`);
  }
  return { baseUrl: findUrl(run).href, clientId, clientSecret, username, password, sessionHeader };
}
