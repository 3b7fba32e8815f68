import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { World } from '../../../../test/support/world.ts';
import { OPERATOR_KEY } from '../../../../test/support/world.ts';

export const BROWSER = { 'x-requested-by': 'console', 'sec-fetch-site': 'same-origin' };

type Send = (
  method: NonNullable<InjectOptions['method']>,
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<LightMyRequestResponse>;

export interface Browser {
  readonly cookie: string;
  /** Of the console's own routes. */
  get(path: string): Promise<LightMyRequestResponse>;
  readonly send: Send;
  /** Of any route, by its whole path. */
  readonly call: Send;
}

export const trySignIn = (
  { api }: Pick<World, 'api'>,
  body: object,
  headers: Record<string, string> = BROWSER,
) => api.inject({ method: 'POST', url: '/api/console/v1/sign-in', headers, payload: body });

/** A browser that is signed in: by default as an operator. */
export async function signIn(world: Pick<World, 'api'>, body: object = { operatorKey: OPERATOR_KEY }) {
  const answer = await trySignIn(world, body);
  if (answer.statusCode !== 200) throw new Error(`not signed in: ${answer.body}`);
  const cookie = String(answer.headers['set-cookie']).split(';')[0]!;
  const call: Send = (method, path, body, headers = BROWSER) =>
    world.api.inject({
      method,
      url: `/api${path}`,
      headers: { cookie, ...headers },
      ...(body === undefined ? {} : { payload: body }),
    });
  const browser: Browser = {
    cookie,
    get: (path) => call('GET', `/console/v1${path}`, undefined, {}),
    send: (method, path, body, headers) => call(method, `/console/v1${path}`, body, headers),
    call,
  };
  return browser;
}
