import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { type FaultKind, refuse } from '../context/fault.ts';

export const forged: FaultKind = {
  status: 403,
  code: 'request_forged',
  message: 'The request does not come from a page of this console',
};

/** Of every answer to a cookie: it must not stay on the disk of the machine that somebody sat at, nor run as a page. */
export const KEPT_BY_NOBODY = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

const SAFE = new Set(['GET', 'HEAD']);

/** Reading, also by the method of a change. */
export const changesNothing = (method: string, { query }: FastifyContextConfig): boolean =>
  SAFE.has(method) || query === true;

const hostOf = (text: string): string | undefined => (URL.canParse(text) ? new URL(text).host : undefined);

/** A form of another site can send neither the header nor the site's own origin; the cookie would be missing as well. */
function isOwn({ headers, host }: FastifyRequest): boolean {
  if (headers['x-requested-by'] !== 'console') return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  // Browsers that tell the site are believed: a proxy may have given us another name than the page has.
  return site !== undefined || headers.origin === undefined || hostOf(headers.origin) === host;
}

/** For whatever a browser proves by itself, without the page doing anything for it. */
export function refuseForged(request: FastifyRequest): void {
  if (!SAFE.has(request.method) && !isOwn(request)) refuse(forged);
}
