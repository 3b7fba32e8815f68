import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';

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

/** The addresses that the hosts file gives a name. A changed file is seen after a few seconds; none counts as empty. */
export function hostsFile(place = PLACE): (name: string) => Promise<readonly string[]> {
  let version = '';
  let hosts = NO_HOSTS;
  let reading: Promise<Hosts> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;

  async function read(): Promise<Hosts> {
    try {
      const { mtimeMs, size } = await stat(place);
      // Files that block advertisers have a hundred thousand lines: not worth parsing again unless changed.
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
