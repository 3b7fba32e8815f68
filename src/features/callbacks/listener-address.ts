import { BlockList, isIP } from 'node:net';

const PORT_RANGES = [
  [80, 80],
  [443, 443],
  [9000, 9006],
  [28200, 28220],
  [50551, 50559],
] as const;
const LOOPBACK_PORT_MIN = 1_025;

/** Above what any browser or proxy takes, and far below what a row can hold. */
export const LISTENER_URL_MAX = 2_000;

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const HOST_NAME_MAX = 253;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

const withoutBrackets = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1');
const withoutFinalDot = (hostname: string) => hostname.replace(/\.$/, '');

const isLoopback = (host: string): boolean =>
  isIP(host) === 0
    ? withoutFinalDot(host) === 'localhost'
    : loopback.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');

const isHost = (host: string): boolean =>
  isIP(host) !== 0 ||
  (host.length <= HOST_NAME_MAX &&
    withoutFinalDot(host)
      .split('.')
      .every((label) => LABEL.test(label)));

const isAllowedPort = (port: number, host: string): boolean =>
  PORT_RANGES.some(([from, to]) => from <= port && port <= to) ||
  (port >= LOOPBACK_PORT_MIN && isLoopback(host));

/** What is wrong with the text as a listener's address, before anything is resolved; undefined when nothing is. */
export function checkListenerUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return 'must be an http or https address';
  const host = withoutBrackets(url.hostname);
  if (!isHost(host)) return 'has no valid host';
  // They would be shown to everyone who lists the listeners; username and password have fields of their own.
  if (url.username !== '' || url.password !== '') return 'must not carry credentials';
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return isAllowedPort(port, host)
    ? undefined
    : 'must use port 80, 443, 9000-9006, 28200-28220 or 50551-50559';
}
