import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Restart, SessionReport, TakenReport } from '../../../features/data-sessions/index.ts';
import { createAccountingServer, type PacketOutcome } from '../accounting-server.ts';
import { readResponse, writeRequest, writeStatusServer } from '../authenticators.ts';
import { type Attribute, attribute, CODES, HEAD } from '../packet.ts';

const SECRET = 'testing123';
const NOW = new Date('2026-01-15T12:00:00Z');

async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  for (const end = performance.now() + 60_000; !isSo(); await sleep(5))
    assert.ok(performance.now() < end, what);
}

const report = (more: readonly Attribute[] = []): Attribute[] => [
  attribute('Acct-Status-Type', 3),
  attribute('Acct-Session-Id', '0A42'),
  attribute('NAS-Identifier', 'gw-1'),
  attribute('3GPP-IMSI', '001010000000001'),
  ...more,
];

describe('a server for accounting', () => {
  const taken: (SessionReport | Restart)[] = [];
  const outcomes: PacketOutcome[] = [];
  const reasons: string[] = [];
  const answers: Buffer[] = [];
  let answer: () => Promise<TakenReport> = async () => 'counted';
  let isPaused = false;
  let [client, port]: [Socket, number] = [createSocket('udp4'), 0];
  let server: ReturnType<typeof createAccountingServer>;

  before(async () => {
    port = await freePort();
    server = createAccountingServer(
      {
        listen: `127.0.0.1:${port}`,
        clients: [
          { address: '127.0.0.0/8', secret: 'wider' },
          { address: '127.0.0.1', secret: SECRET, swapDirections: true },
        ],
      },
      {
        take: (given) => {
          taken.push(given);
          return answer();
        },
        isPaused: () => isPaused,
        now: () => NOW,
        count: (outcome) => void outcomes.push(outcome),
        failed: (reason) => void reasons.push(reason),
      },
    );
    await server.start();
    await new Promise<void>((resolve) => client.bind(0, '127.0.0.1', resolve));
    client.on('message', (octets) => void answers.push(octets));
  });
  after(async () => {
    await server.stop();
    client.close();
  });

  const send = (octets: Buffer, from: Socket = client) => from.send(octets, port, '127.0.0.1');
  let identifiers = 0;
  const write = (attributes: readonly Attribute[], secret = SECRET, identifier = ++identifiers % 256) =>
    writeRequest({ code: 'Accounting-Request', identifier, attributes, secret });
  /** The outcome of a packet. The server certainly handles the next packet after it. */
  async function outcomeOf(octets: Buffer): Promise<PacketOutcome> {
    const before = outcomes.length;
    send(octets);
    await until('the packet was heard', () => outcomes.length > before);
    return outcomes[before]!;
  }

  it('answers a stored report, with the attributes that proxies need, and a valid signature', async () => {
    const octets = write(report([attribute('Proxy-State', Buffer.from('p1'))]));
    const before = answers.length;
    assert.equal(await outcomeOf(octets), 'counted');
    await until('an answer came', () => answers.length > before);
    const response = readResponse(answers.at(-1)!, octets.subarray(4, HEAD), SECRET);
    assert.equal(response.code, CODES['Accounting-Response']);
    assert.deepEqual(
      response.attributes.map(({ type, value }) => [type, value.toString()]),
      [[33, 'p1']],
    );
  });

  it('reads counters with gigawords, and the time of the event, or of the arrival minus the delay', async () => {
    const counters = [
      attribute('Acct-Input-Octets', 5),
      attribute('Acct-Input-Gigawords', 2),
      attribute('Acct-Output-Octets', 7),
    ];
    await outcomeOf(write(report([...counters, attribute('Acct-Delay-Time', 30)])));
    await outcomeOf(
      write(report([...counters, attribute('Event-Timestamp', new Date('2026-01-15T11:00:00Z'))])),
    );
    const [late, dated] = taken.slice(-2) as SessionReport[];
    assert.deepEqual([late!.input, late!.output, late!.atMs], [2 * 2 ** 32 + 5, 7, NOW.getTime() - 30_000]);
    assert.equal(dated!.atMs, Date.parse('2026-01-15T11:00:00Z'));
    assert.equal(dated!.directionsSwapped, true);
    assert.equal(
      await outcomeOf(write([attribute('Acct-Status-Type', 7), attribute('NAS-IP-Address', '192.0.2.1')])),
      'counted',
    );
    assert.deepEqual(taken.at(-1), { kind: 'restart', nas: '192.0.2.1', atMs: NOW.getTime() });
  });

  it('takes a repeated packet once: ignores it while the first is processed, and then sends the same answer', async () => {
    const { promise, resolve } = Promise.withResolvers<TakenReport>();
    answer = () => promise;
    const octets = write(report());
    const [before, answered] = [taken.length, answers.length];
    send(octets);
    await until('it is worked', () => taken.length === before + 1);
    assert.equal(await outcomeOf(octets), 'repeated');
    resolve('nothing');
    await until('it is answered', () => answers.length === answered + 1);
    answer = async () => 'counted';
    assert.equal(await outcomeOf(octets), 'repeated');
    await until('it is answered again', () => answers.length === answered + 2);
    assert.deepEqual(answers.at(-1), answers.at(-2));
    assert.equal(taken.length, before + 1);
    // The same identifier with other content is another packet.
    assert.equal(
      await outcomeOf(write(report([attribute('Acct-Input-Octets', 9)]), SECRET, octets[1])),
      'counted',
    );
  });

  it('answers whether it is up', async () => {
    const before = answers.length;
    const asked = writeStatusServer({ identifier: 1, attributes: [], secret: SECRET }, Buffer.alloc(16, 7));
    assert.equal(await outcomeOf(asked), 'status');
    await until('an answer came', () => answers.length > before);
  });

  it('does not answer packets that it cannot store or read, or while it is paused, but reports them and continues', async () => {
    const [before, good] = [answers.length, write(report())];
    const cut = Buffer.from(good.subarray(0, good.length - 3));
    const long = Buffer.from(good);
    long.writeUInt16BE(4_000, 2);
    const wrongValue = write([
      attribute('Acct-Status-Type', 3),
      { type: 42, value: Buffer.from([1]) },
      ...report().slice(1),
    ]);
    const cases: readonly (readonly [Buffer, PacketOutcome])[] = [
      [write(report(), 'another'), 'wrong-secret'],
      [Buffer.from('hello'), 'malformed'],
      [Buffer.alloc(0), 'malformed'],
      [cut, 'malformed'],
      [long, 'malformed'],
      [wrongValue, 'malformed'],
      [write([attribute('Acct-Status-Type', 3)]), 'malformed'],
      [write(report().slice(0, 3)), 'malformed'],
      [write(report([attribute('Acct-Input-Gigawords', 4_000_000_000)])), 'malformed'],
      [writeRequest({ code: 'CoA-Request', identifier: 3, attributes: [], secret: SECRET }), 'malformed'],
    ];
    for (const [octets, expected] of cases) {
      const before = reasons.length;
      assert.equal(await outcomeOf(octets), expected, octets.toString('hex'));
      assert.ok(reasons.length > before, 'it is reported');
    }
    for (const outcome of ['overloaded', 'failed'] as const) {
      answer = async () => outcome;
      const octets = write(report());
      assert.equal(await outcomeOf(octets), outcome);
      // It is not remembered: a repeated packet is processed.
      assert.equal(await outcomeOf(octets), outcome);
    }
    isPaused = true;
    assert.equal(await outcomeOf(write(report())), 'paused');
    isPaused = false;
    assert.equal(answers.length, before);
    answer = async () => ({ rejected: 'device is not known' });
    assert.equal(await outcomeOf(write(report())), 'rejected');
    answer = async () => 'counted';
    assert.equal(await outcomeOf(good), 'counted');
    await until('those are answered', () => answers.length === before + 2);
  });
});
