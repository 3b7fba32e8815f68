import {
  type Caller,
  type Connection,
  createCaller,
  createSend,
  type LooseInput,
  type Read,
  readJson,
} from './caller.ts';
import { createCredential } from './credential.ts';
import { endedToken } from './error.ts';
import type { PublicRoute } from './route-types.ts';
import type { Routes } from './routes.ts';

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly username: string;
  readonly password: string;
}

export interface ClientConnection extends Connection, Credentials {
  /** Set if `LINEKEEPER_PREFIX` is not SVC. */
  readonly sessionHeader?: string | undefined;
}

export interface Client extends Caller<PublicRoute> {
  /** Calls a method and path known only at run time, with the usual tokens. */
  send<T>(route: string, input: LooseInput, read: Read<T>): Promise<T>;
  /** Takes effect with the next call. Also releases a client that stopped after refused credentials. */
  useCredentials(credentials: Partial<Credentials>): void;
  /** Requests both tokens now, to check the credentials. Other calls request them automatically. */
  logIn(): Promise<void>;
  /** Ends the session, if there is one. A later call opens a new one. */
  logOut(): Promise<void>;
}

/** Encodes as UTF-8, which the service expects, because btoa accepts only Latin-1 characters. */
const basicOf = ({ clientId, clientSecret }: Credentials): string =>
  `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${clientId}:${clientSecret}`)))}`;

/**
 * Calls the public interface and manages both tokens. It requests them with the first call and again when the
 * service reports that one has ended; it repeats a call at most once for each of the two.
 */
export function createClient(connection: ClientConnection): Client {
  const { sessionHeader = 'SVC-M2M-Token' } = connection;
  let credentials: Credentials = connection;
  const send = createSend(connection);

  const bearer = createCredential(async () => {
    const headers = {
      authorization: basicOf(credentials),
      'content-type': 'application/x-www-form-urlencoded',
    };
    const raw = 'grant_type=client_credentials';
    const answer = readJson<Routes['POST /ts/v1/oauth2/token']['answer']>;
    return (await send('POST /ts/v1/oauth2/token', { raw }, headers, answer)).access_token;
  });

  const session = createCredential(async () => {
    const body = { username: credentials.username, password: credentials.password };
    const answer = readJson<Routes['POST /m2m/v1/session/login']['answer']>;
    return (await sendWith(['bearer'], 'POST /m2m/v1/session/login', { body }, answer)).sessionToken;
  });

  const tokens = { bearer, session };

  async function sendWith<T>(
    needed: readonly (keyof typeof tokens)[],
    route: string,
    input: LooseInput,
    read: Read<T>,
  ): Promise<T> {
    const renewed = new Set<string>();
    for (;;) {
      // Session first, because requesting it may renew the bearer token.
      const used = {
        session: needed.includes('session') ? await session.get() : '',
        bearer: await bearer.get(),
      };
      const headers = {
        authorization: `Bearer ${used.bearer}`,
        ...(used.session !== '' && { [sessionHeader]: used.session }),
      };
      try {
        return await send(route, input, headers, read);
      } catch (error) {
        const ended = endedToken(error);
        if (ended === undefined || !needed.includes(ended) || renewed.has(ended)) throw error;
        renewed.add(ended);
        tokens[ended].end(used[ended]);
      }
    }
  }

  const sendAsUser: Client['send'] = (route, input, read) =>
    sendWith(['bearer', 'session'], route, input, read);

  return {
    ...createCaller<PublicRoute>(sendAsUser),
    send: sendAsUser,
    async logIn() {
      await session.get();
    },
    useCredentials(changed) {
      credentials = { ...credentials, ...changed };
      bearer.reset();
      session.reset();
    },
    async logOut() {
      const { current } = session;
      if (current === undefined) return;
      session.end(current);
      const input = { headers: { [sessionHeader]: current } };
      await sendWith(['bearer'], 'POST /m2m/v1/session/logout', input, readJson).catch((error: unknown) => {
        if (endedToken(error) !== 'session') throw error;
      });
    },
  };
}
