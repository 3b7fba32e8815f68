import { createSocket, type RemoteInfo } from 'node:dgram';
import pg from 'pg';
import { readRequest, writeResponse } from '../../src/adapters/radius/authenticators.ts';
import { type Packet, readAttribute } from '../../src/adapters/radius/packet.ts';
import { NAS, SECRET } from './accounting-packets.ts';
import { writeBare } from './usage-bare.ts';
import { benchDevice, PROFILES } from './usage-fleet.ts';

/**
 * A separate process that receives packets in a bare loop, writes the same rows in batches, and answers. It does no lookups, and
 * assumes that every packet adds a thousand and a hundred octets to its session.
 */
const [url, port] = [process.argv[2]!, Number(process.argv[3])];
const BATCH_MAX = 1_000;
const SEEN_MAX = 10_000;

interface Waiting {
  readonly packet: Packet;
  readonly from: RemoteInfo;
  readonly session: number;
  readonly input: number;
}

const SESSIONS = `insert into bare.data_session as s (ecpd_id, session_key, nas, session_id, account_name, device_id, generation,
    input, output, earlier_input, earlier_output, last_at, started_at, apn, visited, country_code)
  select $1, md5(session_id)::uuid, '${NAS}', session_id, account_name, device_id, 1, input, input / 10, 0, 0, now(), now(), 'iot.apn',
    '310410', 'USA'
  from (select session_id, account_name, device_id, max(input) as input
    from unnest($2::text[], $3::text[], $4::uuid[], $5::bigint[]) as i (session_id, account_name, device_id, input)
    group by 1, 2, 3) i order by 2
  on conflict (ecpd_id, session_key) do update set input = excluded.input, output = excluded.output, last_at = excluded.last_at`;

const array = (values: readonly (string | number)[]): string => `{${values.join(',')}}`;
let batches = 0;

async function write(client: pg.Client, ecpdId: string, some: readonly Waiting[]): Promise<void> {
  const devices = some.map(({ session }) => benchDevice(session));
  const accounts = array(devices.map(({ accountName }) => accountName));
  const ids = array(devices.map(({ deviceId }) => deviceId));
  const records = array(some.map(({ session, input }) => `b-${session}-${input}`));
  const inputs = array(some.map(({ input }) => input));
  const names = array(some.map(({ session }) => session));
  const values = [ecpdId, records, accounts, ids, array(some.map(() => 1_100))];
  await writeBare(client, values, ++batches, () =>
    client.query({ name: 'sessions', text: SESSIONS, values: [ecpdId, names, accounts, ids, inputs] }),
  );
}

async function serve(): Promise<void> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 8 * 1024 * 1024 });
  for (let profile = 0; profile < PROFILES; profile++) {
    const client = new pg.Client(url);
    await client.connect();
    const waiting: Waiting[] = [];
    // A repeated packet is already being written.
    const seen = new Set<string>();
    let isWriting = false;
    const work = async () => {
      if (isWriting) return;
      isWriting = true;
      for (; waiting.length > 0; ) {
        const some = waiting.splice(0, BATCH_MAX);
        await write(client, `900000${profile}`, some);
        for (const { packet, from } of some) {
          const draft = {
            code: 'Accounting-Response',
            identifier: packet.identifier,
            attributes: [],
            secret: SECRET,
          } as const;
          socket.send(writeResponse(draft, packet.authenticator), from.port, from.address);
        }
      }
      isWriting = false;
    };
    socket.on('message', (octets, from) => {
      const packet = readRequest(octets, SECRET);
      const session = Number(readAttribute(packet, 'Acct-Session-Id'));
      if (session % PROFILES !== profile) return;
      const key = `${from.port} ${packet.authenticator.toString('base64')}`;
      if (seen.has(key)) return;
      if (seen.size === SEEN_MAX) seen.clear();
      seen.add(key);
      waiting.push({ packet, from, session, input: readAttribute(packet, 'Acct-Input-Octets') ?? 0 });
      setImmediate(work);
    });
  }
  socket.bind(port, '127.0.0.1', () => process.stdout.write('ready\n'));
}

await serve();
