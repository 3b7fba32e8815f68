import type { FastifyReply, FastifyRequest } from 'fastify';
import { COOKIE_NAME, LIFE_MS } from '../limits.ts';

const TOKEN = new RegExp(`(?:^|;)\\s*${COOKIE_NAME}=([\\w-]{20,128})\\s*(?:;|$)`);

export const tokenIn = (cookies: string | undefined): string | undefined =>
  cookies === undefined ? undefined : TOKEN.exec(cookies)?.[1];

export interface CookieRules {
  /** Where the console's calls hang: the cookie is sent nowhere else. */
  readonly cookiePath: string;
  /** Never without TLS, also where a proxy ends it and nobody tells us; else it depends on how the call came. */
  readonly secureCookie: boolean;
}

/** Scripts cannot read it, other sites' requests do not carry it, and it is sent to the console's own calls only. */
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
