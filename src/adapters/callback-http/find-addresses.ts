import { isIP } from 'node:net';
import type { AddressRules } from './address-rules.ts';
import { type Reason, Refusal } from './reasons.ts';
import type { ResolveHost } from './resolve-host.ts';

/** Told what exactly is wrong with a name; for the log. */
export type TellRefusedName = (host: string, exact: Reason | 'name does not resolve') => void;

/**
 * Where a host may be reached. Throws a Refusal; one address that is not allowed refuses all of them. A name that leads into
 * our network and one that nobody has are refused in the same words: who registers listeners must not learn which names
 * exist in there.
 */
export async function findAddresses(
  host: string,
  port: number,
  { rules, resolve, tell }: { rules: AddressRules; resolve: ResolveHost; tell: TellRefusedName },
): Promise<readonly string[]> {
  const isName = isIP(host) === 0;
  const addresses = isName ? await resolve(host).catch(() => []) : [host];
  const refuseName = (exact: Parameters<TellRefusedName>[1]): never => {
    tell(host, exact);
    throw new Refusal('name does not lead to an allowed address');
  };
  if (addresses.length === 0) refuseName('name does not resolve');
  for (const address of addresses) {
    const reason = rules.refusal(address, port);
    if (isName && reason === 'address is not allowed') refuseName(reason);
    if (reason !== undefined) throw new Refusal(reason);
  }
  return addresses;
}
