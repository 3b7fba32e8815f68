import type { FastifyReply, FastifyRequest } from 'fastify';

const COOKIE_NAME = 'linekeeper_session';
/** Limits of a session in real time: without a call, and in total. */
export const IDLE_MS = 30 * 60_000;
export const LIFE_MS = 12 * 3_600_000;

const TOKEN = new RegExp(`(?:^|;)\\s*${COOKIE_NAME}=([\\w-]{20,128})\\s*(?:;|$)`);

export const tokenIn = (cookies: string | undefined): string | undefined =>
  cookies === undefined ? undefined : TOKEN.exec(cookies)?.[1];

export interface CookieRules {
  /** The path of the service's routes. The cookie is sent to no other path. */
  readonly cookiePath: string;
  /** True: always only over TLS, also behind a proxy that does not report TLS. False: depends on the protocol of the call. */
  readonly secureCookie: boolean;
}

/** Scripts cannot read it, and requests of other sites do not carry it. `value` is a token and its lifetime. */
function write(
  { protocol }: FastifyRequest,
  reply: FastifyReply,
  { cookiePath, secureCookie }: CookieRules,
  value: string,
): void {
  const secure = secureCookie || protocol === 'https' ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${COOKIE_NAME}=${value}; Path=${cookiePath}; HttpOnly; SameSite=Strict${secure}`,
  );
}

export const setCookie = (
  request: FastifyRequest,
  reply: FastifyReply,
  rules: CookieRules,
  token: string,
): void => write(request, reply, rules, `${token}; Max-Age=${LIFE_MS / 1_000}`);

export const clearCookie = (request: FastifyRequest, reply: FastifyReply, rules: CookieRules): void =>
  write(request, reply, rules, '; Max-Age=0');
