import type { FastifyReply, FastifyRequest } from 'fastify';
import { COOKIE_NAME, LIFE_MS } from '../limits.ts';

const TOKEN = new RegExp(`(?:^|;)\\s*${COOKIE_NAME}=([\\w-]{20,128})\\s*(?:;|$)`);

export const tokenIn = (cookies: string | undefined): string | undefined =>
  cookies === undefined ? undefined : TOKEN.exec(cookies)?.[1];

/** Scripts cannot read it, other sites' requests do not carry it, and it is sent to the console's own calls only. */
function write({ protocol }: FastifyRequest, reply: FastifyReply, path: string, value: string): void {
  const secure = protocol === 'https' ? '; Secure' : '';
  reply.header('set-cookie', `${COOKIE_NAME}=${value}; Path=${path}; HttpOnly; SameSite=Strict${secure}`);
}

export const setCookie = (request: FastifyRequest, reply: FastifyReply, path: string, token: string): void =>
  write(request, reply, path, `${token}; Max-Age=${LIFE_MS / 1_000}`);

export const clearCookie = (request: FastifyRequest, reply: FastifyReply, path: string): void =>
  write(request, reply, path, '; Max-Age=0');
