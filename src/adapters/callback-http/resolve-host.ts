import { promises as dns } from 'node:dns';
import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { RecentMap } from '../../kernel/recent-map.ts';
import { type AddressRules, isLocalhost } from './address-rules.ts';
import { type Reason, Refusal } from './reasons.ts';

/** The IP addresses of a name; empty if it has none, or if no server answered in time. */
export type ResolveHost = (name: string) => Promise<readonly string[]>;

const TRY_MS = 1_000;
const TRIES = 2;
/** Several name servers multiply the tries. This limit ends every lookup, well before the time to connect is over. */
export const LOOKUP_MS = 4_000;
const REMEMBERED_MS = 5_000;
const REMEMBERED_MAX = 4_096;

const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Resolves A and AAAA by c-ares. getaddrinfo would also read the hosts file, but a dead name server would block one of a
 * few threads, and several such names would stop all other work of that pool.
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

/** Sends one query at a time for a name, and uses its answer for a few seconds, even if it is empty. */
export function rememberAnswers(resolve: ResolveHost, forMs = REMEMBERED_MS): ResolveHost {
  const known = new RecentMap<string, { readonly until: number; readonly answer: ReturnType<ResolveHost> }>(
    REMEMBERED_MAX,
  );
  return (name) => {
    const now = performance.now();
    const found = known.get(name);
    if (found !== undefined && found.until > now) return found.answer;
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

export interface Resolving {
  readonly rules: AddressRules;
  readonly resolve: ResolveHost;
  /** Receives the exact problem with a name, for the log. */
  readonly logRefusal: (host: string, exact: Reason | 'name does not resolve') => void;
}

/**
 * Finds the addresses of a host. Throws a Refusal; one address that is not allowed refuses all of them. A name that leads into
 * our network and an unknown one are refused with the same message: users who register listeners must not learn which
 * internal names exist.
 */
export async function findAddresses(
  host: string,
  port: number,
  { rules, resolve, logRefusal }: Resolving,
): Promise<readonly string[]> {
  const isName = isIP(host) === 0;
  const addresses = isName ? await resolve(host).catch(() => []) : [host];
  const refuseName = (exact: Parameters<Resolving['logRefusal']>[1]): never => {
    logRefusal(host, exact);
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

const CHECKED_AGAIN_MS = 5_000;
const PLACE =
  process.platform === 'win32'
    ? `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\drivers\\etc\\hosts`
    : '/etc/hosts';

type Hosts = ReadonlyMap<string, readonly string[]>;
const NO_HOSTS: Hosts = new Map();

export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (address === undefined || isIP(address) === 0) continue;
    for (const name of names.map((each) => each.toLowerCase())) {
      const addresses = hosts.get(name);
      if (addresses === undefined) hosts.set(name, [address]);
      else addresses.push(address);
    }
  }
  return hosts;
}

/** The addresses of a name in the hosts file. Changes take effect after a few seconds; a missing file counts as empty. */
export function hostsFile(place = PLACE): (name: string) => Promise<readonly string[]> {
  let version = '';
  let hosts = NO_HOSTS;
  let reading: Promise<Hosts> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;

  async function read(): Promise<Hosts> {
    try {
      const { mtimeMs, size } = await stat(place);
      // Hosts files that block advertisers have a hundred thousand lines: they are parsed again only after a change.
      if (version !== `${mtimeMs} ${size}`) {
        hosts = parseHosts(await readFile(place, 'utf8'));
        version = `${mtimeMs} ${size}`;
      }
    } catch {
      version = '';
      hosts = NO_HOSTS;
    }
    return hosts;
  }

  return async (name) => {
    const now = performance.now();
    if (reading === undefined || now - readAt > CHECKED_AGAIN_MS) {
      readAt = now;
      reading = read();
    }
    return (await reading).get(name) ?? [];
  };
}
