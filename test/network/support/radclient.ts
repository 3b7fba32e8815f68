import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const SECRET = 'testing123';

interface Sending {
  readonly secret?: string;
  /** How often each packet is sent at most. */
  readonly tries?: number;
  readonly waitS?: number;
  readonly atOnce?: number;
}

/** Sends accounting packets, each given as lines `Name = value`. Returns the program's output and how it ended. */
export async function sendAccounting(
  address: string,
  packets: readonly string[],
  { secret = SECRET, tries = 3, waitS = 5, atOnce = 20 }: Sending = {},
): Promise<{ readonly output: string; readonly code: number | null; readonly answered: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'linekeeper-radclient-'));
  try {
    const file = join(folder, 'packets');
    writeFileSync(file, packets.join('\n\n'));
    const args = [
      '-s',
      '-p',
      String(atOnce),
      '-r',
      String(tries),
      '-t',
      String(waitS),
      '-f',
      file,
      address,
      'acct',
      secret,
    ];
    const child = spawn('radclient', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => {
        output = (output + part).slice(-20_000);
      });
    const [code] = (await once(child, 'close')) as [number | null];
    // Its count of lost packets includes packets that it sent again and that were answered after all.
    return { output, code, answered: Number(/Accepted\s*: (\d+)/.exec(output)?.[1] ?? 0) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The lines of a packet, with text in quotes. */
export const packetOf = (attributes: Readonly<Record<string, string | number>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${name} = ${value}`)
    .join('\n');

/** Reading its dictionaries costs the program more than hundreds of packets, but it scans all of its input repeatedly. */
const FILE_PACKETS = 2_500;
const CLIENTS = 4;
/** One in this many packets is also sent by another client. */
const ALSO_EVERY = 10;

/** The program may give up on a packet; an access server would send it again, with another identifier. */
const TIMES_MAX = 10;

async function sendUntilAnswered(address: string, packets: readonly string[]): Promise<void> {
  let [answered, output] = [0, ''];
  for (let n = 0; n < TIMES_MAX && answered < packets.length; n++)
    ({ answered, output } = await sendAccounting(address, packets, { tries: 600, waitS: 1, atOnce: 100 }));
  if (answered < packets.length) throw new Error(`${answered} of ${packets.length} were answered: ${output}`);
}

/** Sends packets with several clients, some of them twice, each until it is answered. */
export async function sendInShares(address: string, packets: readonly string[]): Promise<void> {
  const size = Math.min(FILE_PACKETS, Math.ceil(packets.length / CLIENTS));
  const files = Array.from({ length: Math.ceil(packets.length / size) }, (_, n) =>
    packets.slice(n * size, (n + 1) * size),
  );
  // Later packets before earlier ones.
  const also = packets.filter((_, n) => n % ALSO_EVERY === 0).toReversed();
  const client = async () => {
    for (let file = files.shift(); file !== undefined; file = files.shift())
      await sendUntilAnswered(address, file);
  };
  await Promise.all([...Array.from({ length: CLIENTS }, client), sendUntilAnswered(address, also)]);
}
