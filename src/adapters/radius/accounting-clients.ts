import ipaddr from 'ipaddr.js';

export interface AccountingClient {
  /** An address, or a range such as 192.0.2.0/24. */
  readonly address: string;
  readonly secret: string;
  /** Whether its input means traffic to the device. */
  readonly swapDirections?: boolean | undefined;
}

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

function rangeOf(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

const KEPT_MAX = 10_000;

/** Finds the settings of a sender: the narrowest range that contains its address. Throws for an invalid range. */
export function clientFinder(
  clients: readonly AccountingClient[],
): (address: string) => AccountingClient | undefined {
  const ranges = clients
    .map((client) => ({ range: rangeOf(client.address), client }))
    .toSorted((a, b) => b.range[1] - a.range[1]);
  const known = new Map<string, AccountingClient | undefined>();
  const find = (text: string) => {
    // On a socket for both families, an IPv4 sender has an IPv6 address.
    const address = ipaddr.process(text.replace(/%.*$/, ''));
    return ranges.find(({ range: [base, bits] }) => {
      if (base.kind() !== address.kind()) return false;
      return address.match(base as never, bits);
    })?.client;
  };
  return (address) => {
    if (known.has(address)) return known.get(address);
    // Sender addresses can be forged, so the map is bounded.
    if (known.size >= KEPT_MAX) known.clear();
    const client = find(address);
    known.set(address, client);
    return client;
  };
}
