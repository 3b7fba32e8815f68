import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { clients, users } from '../../demo/credentials.ts';
import type { Credentials } from '../sdk/index.ts';

interface Fleet {
  readonly clients?: readonly Partial<Credentials>[];
  readonly users?: readonly Partial<Credentials>[];
}

function readFleet(file: string): Fleet {
  const bytes = readFileSync(file);
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return JSON.parse((isPacked ? gunzipSync(bytes) : bytes).toString('utf8')) as Fleet;
}

/** The credentials of the fleet's first application and first user with known secrets, as far as they exist. */
function firstOf({ clients: applications = [], users: people = [] }: Fleet): Partial<Credentials> {
  const application = applications.find(({ clientSecret }) => clientSecret !== undefined);
  const person = people.find(({ password }) => password !== undefined);
  return {
    ...(application?.clientSecret && {
      clientId: application.clientId ?? '',
      clientSecret: application.clientSecret,
    }),
    ...(person?.password && { username: person.username ?? '', password: person.password }),
  };
}

export interface StartedWith {
  readonly demo: boolean;
  /** A fleet document, or the path of its file. */
  readonly fleet?: object | string | undefined;
}

/** The default credentials for a sandbox with these options. */
export function knownCredentials({ demo, fleet }: StartedWith): Partial<Credentials> {
  if (demo) return firstOf({ clients, users });
  return fleet === undefined ? {} : firstOf(typeof fleet === 'string' ? readFleet(fleet) : (fleet as Fleet));
}

const PARTS = ['clientId', 'clientSecret', 'username', 'password'] as const;

export function chooseCredentials(
  startedWith: StartedWith,
  given: Partial<Credentials> | undefined,
): Credentials {
  const { clientId, clientSecret, username, password } = { ...knownCredentials(startedWith), ...given };
  if (clientId && clientSecret && username && password) return { clientId, clientSecret, username, password };
  throw new TypeError(
    `The sandbox does not know who calls: pass client({ ${PARTS.join(', ')} }), or start it with demo: true, or with a fleet that has clients with a clientSecret and users with a password.`,
  );
}
