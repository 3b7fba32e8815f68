import { networkInterfaces } from 'node:os';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { type FaultKind, refuse } from '../context/fault.ts';
import { gatewayFaults } from './faults.ts';

export const forged: FaultKind = {
  status: 403,
  code: 'request_forged',
  message: 'The request does not come from a page of this console',
};

/** For every answer to a cookie: it must not stay on the disk of a shared machine, nor run as a page. */
export const NO_STORE_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

const SAFE = new Set(['GET', 'HEAD']);

/** True for reads, even those with the method of a change. */
export const changesNothing = (method: string, { query }: FastifyContextConfig): boolean =>
  SAFE.has(method) || query === true;

const hostOf = (text: string): string | undefined => (URL.canParse(text) ? new URL(text).host : undefined);

/** A form of another site can send neither the header nor our origin; it would not have the cookie either. */
function isOwn({ headers, host }: FastifyRequest): boolean {
  if (headers['x-requested-by'] !== 'console') return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  // Browsers that send the site are trusted: a proxy may have changed our host name.
  return site !== undefined || headers.origin === undefined || hostOf(headers.origin) === host;
}

/** For credentials that a browser sends on its own, without the page doing anything. */
export function refuseForged(request: FastifyRequest): void {
  if (!SAFE.has(request.method) && !isOwn(request)) refuse(forged);
}

interface OwnNames {
  /** The address or name that the service listens on. */
  readonly host: string;
  readonly allowedHosts: readonly string[];
}

const withoutMapping = (address: string | undefined) => address?.replace(/^::ffff:(?=\d+\.)/, '');

/** The name in a Host header as browsers spell it: without port, brackets and last dot, in lower case. */
const nameIn = (header: string | undefined): string | undefined =>
  header === undefined
    ? undefined
    : URL.parse(`http://${header}`)
        ?.hostname.replace(/^\[(.*)\]$/, '$1')
        .replace(/\.$/, '');

/** A name or address of the settings, in the same spelling. */
const asInHeader = (name: string): string =>
  nameIn(name.includes(':') ? `[${name}]` : name) ?? name.toLowerCase();

const isOfThisMachine = (address: string): boolean =>
  Object.values(networkInterfaces()).some((all) => all?.some((own) => own.address === address));

/**
 * Refuses the request of a browser under a name that is not ours. Any site can let its own name resolve to this machine, and its
 * pages then count as ours, with the published credentials of a sandbox. A proxy's header does not count, because such a
 * page may send it too.
 */
export function foreignHostRefuser({ host, allowedHosts }: OwnNames): (request: FastifyRequest) => void {
  const names = new Set(['localhost', ...[host, ...allowedHosts].map(asInHeader)]);
  return ({ headers, socket }) => {
    const name = nameIn(headers.host);
    if (name !== undefined)
      if (names.has(name) || name === withoutMapping(socket.localAddress) || isOfThisMachine(name)) return;
    refuse(gatewayFaults.misdirected);
  };
}
