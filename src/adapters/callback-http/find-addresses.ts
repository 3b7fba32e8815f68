import { isIP } from 'node:net';
import type { AddressRules } from './address-rules.ts';
import { Refusal } from './reasons.ts';
import type { ResolveHost } from './resolve-host.ts';

/** Where a host may be reached. Throws a Refusal; one address that is not allowed refuses all of them. */
export async function findAddresses(
  host: string,
  port: number,
  rules: AddressRules,
  resolve: ResolveHost,
): Promise<readonly string[]> {
  const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host];
  if (addresses.length === 0) throw new Refusal('name does not resolve');
  for (const address of addresses) {
    const reason = rules.refusal(address, port);
    if (reason !== undefined) throw new Refusal(reason);
  }
  return addresses;
}
