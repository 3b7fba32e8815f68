import ipaddr from 'ipaddr.js';

/** Ranges from which no line can have an address. */
const UNUSABLE: readonly string[] = [
  'unspecified',
  'broadcast',
  'multicast',
  'linkLocal',
  'loopback',
  'reserved',
];

/** An IPv4 address that a line can have, in canonical spelling; undefined for everything else. */
export function parseIpAddress(text: string): string | undefined {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text)) return undefined;
  const address = ipaddr.IPv4.parse(text);
  return UNUSABLE.includes(address.range()) ? undefined : address.toString();
}
