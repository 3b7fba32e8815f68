import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createExchange } from '../../src/adapters/radius/exchange.ts';
import { createRadius, type RadiusSettings } from '../../src/adapters/radius/index.ts';
import { attribute, CODES } from '../../src/adapters/radius/packet.ts';
import { socketAddressOf } from '../../src/kernel/socket-address.ts';
import {
  type AccessServer,
  accessServerIsMissing,
  SECRET,
  startAccessServer,
} from './support/access-server.ts';
import { imsiOf, msisdnOf, orderFor, ordersFor, unstopped } from './support/lines.ts';
import { retryUntilDone } from './support/retry.ts';

const done = { outcome: 'done' } as const;
const now = () => new Date();

describe('a RADIUS server in the place of an access server', { skip: accessServerIsMissing }, () => {
  let server: AccessServer;
  before(async () => {
    server = await startAccessServer();
  });
  after(() => server?.remove());

  const open = (more: Partial<RadiusSettings> = {}) =>
    createRadius(
      { name: 'gw-1', address: server.address, secret: SECRET, nasIdentifier: 'gw-1', ...more },
      {
        now,
        // Only one line has a known session.
        sessionsOf: async (lines) =>
          lines.map(({ imsi }) => (imsi === imsiOf(12) ? [[attribute('Acct-Session-Id', `S-${imsi}`)]] : [])),
      },
    );

  it('cuts lines by their names or by their sessions, and hears when they were asked for', async (t) => {
    const element = open();
    t.after(() => element.close());
    const startedAtS = Math.floor(Date.now() / 1_000);
    assert.deepEqual(
      await element.carryOut(
        [orderFor(11, 'suspended'), orderFor(12, 'gone'), orderFor(13, 'active')],
        unstopped(),
      ),
      [done, done, done],
    );
    const seen = server.seen().slice(-2);
    const times = seen.map((line) => Number(line.split(' ').at(-1)));
    assert.ok(times.every((time) => time >= startedAtS && time <= startedAtS + 60));
    assert.deepEqual(seen.map((line) => line.replace(/ \d+$/, '')).sort(), [
      `Disconnect-Request   S-${imsiOf(12)} `,
      `Disconnect-Request ${imsiOf(11)} ${msisdnOf(11)}  `,
    ]);
  });

  it('is told a plan, and is understood when it refuses', async (t) => {
    const element = open({ planAttribute: 'Filter-Id' });
    t.after(() => element.close());
    const outcomes = await element.carryOut(
      [
        orderFor(15, 'active', { plan: 'IOT-5MB' }),
        orderFor(503, 'suspended'),
        orderFor(401, 'suspended'),
        orderFor(506, 'suspended'),
      ],
      unstopped(),
    );
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['done', 'done', 'refused', 'failed'],
    );
    assert.ok(
      server.seen().some((line) => line.startsWith(`CoA-Request ${imsiOf(15)} ${msisdnOf(15)}  IOT-5MB`)),
    );
  });

  it('does not answer who has another secret', async (t) => {
    const element = open({ secret: 'another', tries: 2, firstWaitMs: 200 });
    t.after(() => element.close());
    assert.deepEqual(await element.carryOut([orderFor(19, 'suspended')], unstopped()), [
      { outcome: 'failed', reason: 'the access server did not answer, asked 2 times' },
    ]);
  });

  it('takes the accounting that this codec writes', async (t) => {
    const exchange = createExchange(socketAddressOf(server.accounting), SECRET, {
      tries: 5,
      firstWaitMs: 1_000,
      inFlightMax: 4,
    });
    t.after(() => exchange.close());
    const record = [
      attribute('Acct-Status-Type', 1),
      attribute('Acct-Session-Id', '0A0042'),
      attribute('Calling-Station-Id', msisdnOf(21)),
      attribute('3GPP-IMSI', imsiOf(21)),
      attribute('Event-Timestamp', new Date('2026-11-17T12:00:00Z')),
    ];
    const answer = await exchange.request('Accounting-Request', record, unstopped());
    assert.equal(answer.code, CODES['Accounting-Response']);
    assert.equal(
      server.seen().at(-1),
      `Accounting-Request ${imsiOf(21)} ${msisdnOf(21)} 0A0042  ${Date.parse('2026-11-17T12:00:00Z') / 1_000}`,
    );
  });

  it('loses no order while it is killed, started again, stopped and let go', async (t) => {
    const element = open({ tries: 3, firstWaitMs: 50 });
    t.after(() => element.close());
    await server.kill();
    const [gone] = await element.carryOut([orderFor(1_001, 'suspended')], unstopped());
    assert.match(JSON.stringify(gone), /"failed".*did not answer, asked 3 times/);
    const cutting = retryUntilDone(element, ordersFor(2_000, 2_300, 'suspended'));
    await server.start();
    server.stop();
    const [still] = await element.carryOut([orderFor(1_003, 'suspended')], unstopped());
    assert.equal(still?.outcome, 'failed');
    server.goOn();
    await cutting;
    const named = new Set(server.seen().flatMap((line) => line.match(/00101\d{10}/) ?? []));
    for (const { imsi } of ordersFor(2_000, 2_300, 'suspended')) assert.ok(named.has(imsi), imsi);
  });
});
