import assert from 'node:assert/strict';
import { createSocket, type RemoteInfo } from 'node:dgram';
import { describe, it, type TestContext } from 'node:test';
import type { LineOrder, OrderOutcome } from '../../../features/network/index.ts';
import { readRequest, writeResponse } from '../authenticators.ts';
import { createRadius, type RadiusSettings, type SessionsOf } from '../index.ts';
import { type Attribute, attribute, type CodeName, type Packet, readAttribute } from '../packet.ts';

const SECRET = 'testing123';
const signal = new AbortController().signal;
const order = (more: Partial<LineOrder> = {}): LineOrder => ({
  orderId: 'o',
  sequence: 1,
  accountName: 'a',
  imsi: '001010000000001',
  msisdn: '15551230001',
  wanted: 'suspended',
  ...more,
});

interface Server {
  readonly packets: Packet[];
  send(octets: Buffer): void;
  answer(request: Packet, code: CodeName, attributes?: readonly Attribute[]): void;
}
type Behaviour = (server: Server, request: Packet) => void;

async function scene(
  t: TestContext,
  behave: Behaviour,
  { sessionsOf, ...settings }: Partial<RadiusSettings> & { sessionsOf?: SessionsOf } = {},
) {
  const socket = createSocket('udp4');
  const packets: Packet[] = [];
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  socket.on('message', (octets, { port, address }: RemoteInfo) => {
    const request = readRequest(octets, SECRET);
    packets.push(request);
    const send = (bytes: Buffer) => socket.send(bytes, port, address);
    const answer: Server['answer'] = ({ identifier, authenticator }, code, attributes = []) =>
      send(writeResponse({ code, identifier, attributes, secret: SECRET }, authenticator));
    behave({ packets, send, answer }, request);
  });
  const element = createRadius(
    {
      name: 'gw',
      address: `127.0.0.1:${socket.address().port}`,
      secret: SECRET,
      nasIdentifier: 'gw-1',
      // Even a busy machine must not cause a second try.
      firstWaitMs: 10_000,
      ...settings,
    },
    { now: () => new Date('2026-11-17T12:00:00Z'), ...(sessionsOf && { sessionsOf }) },
  );
  t.after(async () => {
    await element.close();
    socket.close();
  });
  return { element, packets };
}

const refusing =
  (...causes: readonly number[]): Behaviour =>
  ({ answer }, request) =>
    answer(
      request,
      'Disconnect-NAK',
      causes.map((cause) => attribute('Error-Cause', cause)),
    );

async function outcomeWith(
  t: TestContext,
  behave: Behaviour,
  firstWaitMs = 10_000,
): Promise<OrderOutcome | undefined> {
  const { element } = await scene(t, behave, { firstWaitMs });
  return (await element.carryOut([order()], signal))[0];
}

describe('an access server', () => {
  it('is asked to disconnect a line by its identifiers if no session is known, and otherwise each known session', async (t) => {
    const session = (id: string) => [
      attribute('Acct-Session-Id', id),
      attribute('NAS-IP-Address', '192.0.2.1'),
    ];
    const { element, packets } = await scene(t, ({ answer }, request) => answer(request, 'Disconnect-ACK'), {
      sessionsOf: async (lines) => lines.map((_, n) => (n === 0 ? [] : [session('A'), session('B')])),
    });
    const outcomes = await element.carryOut([order(), order({ wanted: 'gone' })], signal);
    assert.deepEqual(outcomes, [{ outcome: 'done' }, { outcome: 'done' }]);
    const named = packets.map((packet) => [
      packet.code,
      readAttribute(packet, 'NAS-Identifier'),
      readAttribute(packet, '3GPP-IMSI'),
      readAttribute(packet, 'Calling-Station-Id'),
      readAttribute(packet, 'Acct-Session-Id'),
    ]);
    assert.deepEqual(named, [
      [40, 'gw-1', '001010000000001', '15551230001', undefined],
      [40, 'gw-1', undefined, undefined, 'A'],
      [40, 'gw-1', undefined, undefined, 'B'],
    ]);
    assert.deepEqual(readAttribute(packets[0]!, 'Event-Timestamp'), new Date('2026-11-17T12:00:00Z'));
  });

  it('gets the plan of an active line if an attribute is configured for it, and otherwise no request', async (t) => {
    const withPlan = await scene(t, ({ answer }, request) => answer(request, 'CoA-ACK'), {
      planAttribute: 'Filter-Id',
    });
    assert.deepEqual(
      await withPlan.element.carryOut([order({ wanted: 'active', plan: 'IOT-5MB' })], signal),
      [{ outcome: 'done' }],
    );
    assert.equal(withPlan.packets[0]?.code, 43);
    assert.equal(readAttribute(withPlan.packets[0]!, 'Filter-Id'), 'IOT-5MB');
    const withoutPlan = await scene(t, () => undefined);
    assert.deepEqual(
      await withoutPlan.element.carryOut([order({ wanted: 'active', plan: 'IOT-5MB' })], signal),
      [{ outcome: 'done' }],
    );
    assert.equal(withoutPlan.packets.length, 0);
  });

  it('without such a session counts as one that has disconnected it', async (t) =>
    assert.deepEqual(await outcomeWith(t, refusing(503)), { outcome: 'done' }));

  it('without resources is tried again, but not one that does not support the request', async (t) => {
    assert.deepEqual(await outcomeWith(t, refusing(506)), {
      outcome: 'failed',
      reason: 'the access server refused with 506: it has no resources for that now',
    });
    assert.deepEqual(await outcomeWith(t, refusing(401)), {
      outcome: 'refused',
      reason: 'the access server refused with 401: it does not support an attribute',
    });
    assert.deepEqual(await outcomeWith(t, refusing()), {
      outcome: 'failed',
      reason: 'the access server refused without a reason',
    });
    assert.equal((await outcomeWith(t, refusing(7_777)))?.outcome, 'failed');
  });

  it('gets the same packet again until it answers', async (t) => {
    const answerThird: Behaviour = ({ answer, packets: seen }, request) => {
      if (seen.length === 3) answer(request, 'Disconnect-ACK');
    };
    const { element, packets } = await scene(t, answerThird, { firstWaitMs: 20, tries: 10 });
    assert.deepEqual(await element.carryOut([order()], signal), [{ outcome: 'done' }]);
    assert.deepEqual(packets[2], packets[0]);
  });

  it('that does not answer, or answers with forged packets, fails the order', async (t) => {
    assert.deepEqual(await outcomeWith(t, () => undefined, 20), {
      outcome: 'failed',
      reason: 'the access server did not answer, asked 4 times',
    });
    const forging: Behaviour = ({ send }, { identifier }) => {
      for (let n = 0; n < 100; n++) send(Buffer.from([41, identifier, 0, 20, ...Array<number>(16).fill(n)]));
      send(Buffer.from([41, identifier]));
      send(Buffer.alloc(0));
    };
    const forged = await outcomeWith(t, forging, 20);
    assert.equal(forged?.outcome, 'failed');
    assert.match(JSON.stringify(forged), /asked 4 times: .*(authenticator is wrong|at least 20 octets)/);
    assert.match(
      JSON.stringify(await outcomeWith(t, ({ answer }, request) => answer(request, 'Accounting-Response'))),
      /answered with code 5/,
    );
  });

  it('that is down fails the order, and a stopped call ends at once', async (t) => {
    const { element } = await scene(t, () => undefined, { firstWaitMs: 60_000 });
    const stopping = new AbortController();
    const outcomes = element.carryOut([order()], stopping.signal);
    setImmediate(() => stopping.abort());
    assert.deepEqual(await outcomes, [{ outcome: 'failed', reason: 'stopped' }]);
    const down = createRadius(
      { name: 'x', address: '127.0.0.1:9', secret: 's', firstWaitMs: 5 },
      { now: () => new Date(0) },
    );
    const [outcome] = await down.carryOut([order()], signal);
    assert.match(JSON.stringify(outcome), /did not answer, asked 4 times: .*ECONNREFUSED/);
    await down.close();
  });

  it('accepts more lines at once than there are identifiers for requests', async (t) => {
    const { element } = await scene(t, ({ answer }, request) => answer(request, 'Disconnect-ACK'), {
      inFlightMax: 1_000,
      firstWaitMs: 2_000,
    });
    const orders = Array.from({ length: 600 }, (_, n) =>
      order({ imsi: `00101${String(n).padStart(10, '0')}` }),
    );
    const outcomes = await element.carryOut(orders, signal);
    assert.equal(outcomes.filter(({ outcome }) => outcome === 'done').length, 600);
  });
});
