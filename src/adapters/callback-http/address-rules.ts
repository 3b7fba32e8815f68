import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LISTENER_URL_MAX } from '../../features/callbacks/index.ts';
import { RecentMap } from '../../kernel/recent-map.ts';
import type { Reason } from './reasons.ts';

const SPECIAL_RANGES = ['loopback', 'private', 'linklocal'] as const;
/** Ranges that only the setting `LINEKEEPER_CALLBACK_ALLOW` opens. */
export type SpecialRange = (typeof SPECIAL_RANGES)[number];
export type AddressKind = SpecialRange | 'public' | 'never';

const KINDS: Readonly<Record<string, AddressKind>> = {
  unicast: 'public',
  loopback: 'loopback',
  private: 'private',
  uniqueLocal: 'private',
  linkLocal: 'linklocal',
};

const PORTS = [
  [80, 80],
  [443, 443],
  [9_000, 9_006],
  [28_200, 28_220],
  [50_551, 50_559],
] as const;
const LOOPBACK_PORT_ABOVE = 1_024;

/** IPv4-compatible IPv6, withdrawn long ago; ipaddr.js would parse this spelling as an IPv4-mapped address. */
const COMPATIBLE = /^::\d+\./;

const ipv4 = (high: number, low: number) => new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255]);
/** In a public range, but a machine's cloud answers there, with its credentials and settings. */
const OF_THE_CLOUD: readonly string[] = ['168.63.129.16'];
const kindOfIpv4 = (address: ipaddr.IPv4): AddressKind =>
  OF_THE_CLOUD.includes(address.toString()) ? 'never' : (KINDS[address.range()] ?? 'never');
/** The connection goes through a relay, so an address that is private or loopback for the relay is never allowed. */
const throughRelay = (address: ipaddr.IPv4): AddressKind =>
  kindOfIpv4(address) === 'public' ? 'public' : 'never';

function kindOfIpv6(address: ipaddr.IPv6): AddressKind {
  const part = address.parts as [number, number, number, number, number, number, number, number];
  const range = address.range();
  if (range === 'ipv4Mapped') return kindOfIpv4(address.toIPv4Address());
  if (range === '6to4') return throughRelay(ipv4(part[1], part[2]));
  // In the local-use prefix 64:ff9b:1::/48 each network chooses the position of the IPv4 address, so it is unknown.
  if (range === 'rfc6052') return part[2] === 0 ? throughRelay(ipv4(part[6], part[7])) : 'never';
  const kind = KINDS[range] ?? 'never';
  return kind === 'public' && part[0] >> 13 !== 1 ? 'never' : kind;
}

/** The kind of an IP address. `text` is an address as in sockets, DNS and parsed URLs, without brackets. */
export function addressKind(text: string): AddressKind {
  const zone = text.indexOf('%');
  const bare = zone < 0 ? text : text.slice(0, zone);
  // ipaddr.js also parses 0x7f.1 and 010.0.0.1; here an address must also be one for Node.
  if (isIP(bare) === 0 || COMPATIBLE.test(bare)) return 'never';
  const address = ipaddr.parse(bare);
  return address instanceof ipaddr.IPv4 ? kindOfIpv4(address) : kindOfIpv6(address);
}

const isListed = (port: number) => PORTS.some(([from, to]) => from <= port && port <= to);

/** Names that always mean this machine by RFC 6761, without a DNS query. */
export function isLocalhost(name: string): boolean {
  const bare = name.replace(/\.$/, '');
  return bare === 'localhost' || bare.endsWith('.localhost');
}

export type AddressRules = ReturnType<typeof addressRules>;

export function addressRules(allow: readonly SpecialRange[]) {
  const kinds = new Set<AddressKind>(['public', ...allow]);
  const opensPort = (port: number, kind: AddressKind) =>
    isListed(port) || (kind === 'loopback' && port > LOOPBACK_PORT_ABOVE);
  const ofKind = (kind: AddressKind, port: number): Reason | undefined => {
    if (!kinds.has(kind)) return 'address is not allowed';
    return opensPort(port, kind) ? undefined : 'port is not allowed';
  };
  return {
    /** Why no connection may be made to this address and port; undefined if it may. */
    refusal: (address: string, port: number) => ofKind(addressKind(address), port),
    /**
     * Checks a name before it is resolved, by its text alone. If loopback is open, any name may turn out to be loopback, by
     * the hosts file.
     */
    nameRefusal: (name: string, port: number) =>
      ofKind(isLocalhost(name) || kinds.has('loopback') ? 'loopback' : 'public', port),
  };
}

/** The parts of a listener's address, and what is known before its name is resolved. */
export interface Target {
  readonly origin: string;
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  readonly path: string;
  /** The value of the `host` header. */
  readonly authority: string;
  readonly refusal: Reason | undefined;
}

const REMEMBERED_MAX = 4_096;
const HOST_NAME_MAX = 253;
/** Underscores violate the rule for host names, but are common in names of containers. */
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

const isHostName = (host: string): boolean =>
  host.length <= HOST_NAME_MAX &&
  host
    .replace(/\.$/, '')
    .split('.')
    .every((label) => LABEL.test(label));

const withoutBrackets = (hostname: string) => (hostname.startsWith('[') ? hostname.slice(1, -1) : hostname);

const refused = (refusal: Reason): Target => ({
  ...{ origin: '', host: '', port: 0, isSecure: false, path: '', authority: '' },
  refusal,
});

/** Parsing by the URL standard normalises every spelling of an IPv4 address (0x7f.1, 2130706433, 0177.0.0.1). */
export function parseTarget(text: string, rules: AddressRules): Target {
  if (text.length > LISTENER_URL_MAX) return refused('address is too long');
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return refused('address is not valid');
  if (url.username !== '' || url.password !== '') return refused('address carries credentials');
  const host = withoutBrackets(url.hostname);
  const isSecure = url.protocol === 'https:';
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
  const isName = isIP(host) === 0;
  if (isName && !isHostName(host)) return refused('address is not valid');
  const refusal = isName ? rules.nameRefusal(host, port) : rules.refusal(host, port);
  const path = url.pathname + url.search;
  return { origin: url.origin, host, port, isSecure, path, authority: url.host, refusal };
}

/** A lane sends to the same address repeatedly, so the result for each text is remembered. */
export function rememberTargets(rules: AddressRules): (text: string) => Target {
  const known = new RecentMap<string, Target>(REMEMBERED_MAX);
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const target = parseTarget(text, rules);
    known.set(text, target);
    return target;
  };
}
