import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '../../../platform/context/fault.ts';
import { consoleFaults } from '../errors.ts';

const SAFE = new Set(['GET', 'HEAD']);

const originOf = (text: string): string | undefined => (URL.canParse(text) ? new URL(text).host : undefined);

/** A form of another site can send neither the header nor the site's own origin; the cookie would be missing as well. */
function isOwn({ headers, host }: FastifyRequest): boolean {
  if (headers['x-requested-by'] !== 'console') return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  // Browsers that tell the site are believed: a proxy may have given us another name than the page has.
  return site !== undefined || headers.origin === undefined || originOf(headers.origin) === host;
}

export function refuseForged(api: FastifyInstance): void {
  api.addHook('onRequest', async (request) => {
    if (!SAFE.has(request.method) && !isOwn(request)) refuse(consoleFaults.forged);
  });
}
