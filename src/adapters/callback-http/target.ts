import { isIP } from 'node:net';
import { LISTENER_URL_MAX } from '../../features/callbacks/index.ts';
import type { AddressRules } from './address-rules.ts';
import type { Reason } from './reasons.ts';

/** A listener's address taken apart, with what can be said about it before any name is resolved. */
export interface Target {
  readonly origin: string;
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly refusal: Reason | undefined;
}

const REMEMBERED_MAX = 4_096;
const HOST_NAME_MAX = 253;
/** Underscores are against the rule for host names, and common in names of containers all the same. */
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

const isHostName = (host: string): boolean =>
  host.length <= HOST_NAME_MAX &&
  host
    .replace(/\.$/, '')
    .split('.')
    .every((label) => LABEL.test(label));

export const withoutBrackets = (hostname: string) =>
  hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;

const refused = (refusal: Reason): Target => ({ origin: '', host: '', port: 0, path: '', refusal });

/** Parsing by the URL standard turns every spelling of an IPv4 address (0x7f.1, 2130706433, 0177.0.0.1) into one. */
export function parseTarget(text: string, rules: AddressRules): Target {
  if (text.length > LISTENER_URL_MAX) return refused('address is too long');
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return refused('address is not valid');
  if (url.username !== '' || url.password !== '') return refused('address carries credentials');
  const host = withoutBrackets(url.hostname);
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const isName = isIP(host) === 0;
  if (isName && !isHostName(host)) return refused('address is not valid');
  const refusal = isName ? rules.nameRefusal(host, port) : rules.refusal(host, port);
  return { origin: url.origin, host, port, path: url.pathname + url.search, refusal };
}

/** A lane sends to one address again and again; what depends only on the text is worked out once. */
export function rememberTargets(rules: AddressRules): (text: string) => Target {
  const known = new Map<string, Target>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const target = parseTarget(text, rules);
    if (known.size >= REMEMBERED_MAX) known.delete(known.keys().next().value!);
    known.set(text, target);
    return target;
  };
}
