import { promises as dns } from 'node:dns';
import { isLocalhost } from './address-rules.ts';
import { hostsFile } from './hosts-file.ts';

/** The IP addresses of a name; none when it has none, or nobody could say in time. */
export type ResolveHost = (name: string) => Promise<readonly string[]>;

const TRY_MS = 1_000;
const TRIES = 2;
/** Several name servers multiply the tries; this ends a lookup in any case, well before the time to connect is over. */
export const LOOKUP_MS = 4_000;
const REMEMBERED_MS = 5_000;
const REMEMBERED_MAX = 4_096;

const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * A and AAAA by c-ares. getaddrinfo would read the hosts file too, but it holds a thread of a small pool for as long as
 * a dead name server likes, and a handful of such names would stop all other work of that pool.
 */
export function askDns(servers?: readonly string[]): ResolveHost {
  const resolver = new dns.Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const none = (): string[] => [];
  return async (name) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string[]>((resolve) => {
      timer = setTimeout(resolve, LOOKUP_MS, []);
    });
    const answers = await Promise.all([
      Promise.race([resolver.resolve4(name).catch(none), late]),
      Promise.race([resolver.resolve6(name).catch(none), late]),
    ]);
    clearTimeout(timer);
    return answers.flat();
  };
}

/** One question at a time for a name, and its answer is believed for a few seconds; so is that there is none. */
export function rememberAnswers(resolve: ResolveHost, forMs = REMEMBERED_MS): ResolveHost {
  const known = new Map<string, { readonly until: number; readonly answer: ReturnType<ResolveHost> }>();
  return (name) => {
    const now = performance.now();
    const found = known.get(name);
    if (found !== undefined && found.until > now) return found.answer;
    known.delete(name);
    if (known.size >= REMEMBERED_MAX) known.delete(known.keys().next().value!);
    const answer = resolve(name);
    known.set(name, { until: now + forMs, answer });
    return answer;
  };
}

export function systemResolver(): ResolveHost {
  const inHosts = hostsFile();
  const inDns = rememberAnswers(askDns());
  return async (text) => {
    const name = text.replace(/\.$/, '');
    if (isLocalhost(name)) return LOOPBACK;
    const addresses = await inHosts(name);
    return addresses.length > 0 ? addresses : inDns(name);
  };
}
