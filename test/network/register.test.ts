import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { createOsmoHlr } from '../../src/adapters/osmo-hlr/index.ts';
import type { NetworkElement, WantedState } from '../../src/features/network/port.ts';
import { imsiOf, msisdnOf, orderFor, ordersFor, unstopped } from './support/lines.ts';
import { type Register, registerIsMissing, startRegister } from './support/register.ts';

const done = { outcome: 'done' } as const;

describe('a register', { skip: registerIsMissing }, () => {
  let register: Register;
  let element: NetworkElement;
  before(async () => {
    register = await startRegister();
    element = createOsmoHlr({ name: 'hlr-1', address: register.address });
  });
  after(async () => {
    await element?.close();
    await register?.remove();
  });
  const carryOut = (...orders: ReturnType<typeof orderFor>[]) => element.carryOut(orders, unstopped());
  const lineOf = (n: number) => register.lines().find(({ imsi }) => imsi === imsiOf(n));
  const read = async (n: number) => (await element.read!([{ imsi: imsiOf(n) }], unstopped()))[0];
  const truthOf = async (n: number) => (await read(n))?.state;

  it('gets a line with its number and both services, loses them, gets them back, and forgets the line', async () => {
    assert.equal(await truthOf(1), 'unknown');
    assert.deepEqual(await carryOut(orderFor(1, 'active')), [done]);
    assert.deepEqual(lineOf(1), { imsi: imsiOf(1), msisdn: msisdnOf(1), circuit: true, packet: true });
    assert.equal(await truthOf(1), 'active');
    assert.deepEqual(await carryOut(orderFor(1, 'suspended')), [done]);
    assert.deepEqual(lineOf(1), { imsi: imsiOf(1), msisdn: msisdnOf(1), circuit: false, packet: false });
    assert.equal(await truthOf(1), 'suspended');
    assert.deepEqual(await carryOut(orderFor(1, 'active')), [done]);
    assert.equal(await truthOf(1), 'active');
    assert.deepEqual(await carryOut(orderFor(1, 'gone')), [done]);
    assert.equal(lineOf(1), undefined);
    assert.equal(await truthOf(1), 'unknown');
  });

  it('is content with an order that it has carried out before', async () => {
    for (const wanted of ['active', 'suspended', 'gone'] as const)
      for (let times = 0; times < 3; times++) assert.deepEqual(await carryOut(orderFor(2, wanted)), [done]);
  });

  it('gets a line that it does not know as one that is refused, when the line is to be suspended', async () => {
    assert.deepEqual(await carryOut(orderFor(3, 'suspended')), [done]);
    assert.equal(await truthOf(3), 'suspended');
  });

  it('gives a line another number, and says which line cannot have one that is taken', async () => {
    await carryOut(orderFor(4, 'active'));
    assert.deepEqual(await carryOut(orderFor(4, 'active', { msisdn: msisdnOf(44) })), [done]);
    assert.equal(lineOf(4)?.msisdn, msisdnOf(44));
    const [outcome, other] = await carryOut(
      orderFor(5, 'active', { msisdn: msisdnOf(44) }),
      orderFor(6, 'active'),
    );
    assert.equal(outcome?.outcome, 'failed');
    assert.match(JSON.stringify(outcome), /did not give the line its number: Update MSISDN failed/);
    assert.deepEqual(other, done);
  });

  it('gets a suspended line whole, with its number, and tells the number of a line or that it has none', async () => {
    await carryOut(orderFor(9, 'suspended'));
    assert.deepEqual(lineOf(9), { imsi: imsiOf(9), msisdn: msisdnOf(9), circuit: false, packet: false });
    assert.deepEqual(await read(9), { state: 'suspended', msisdn: msisdnOf(9) });
    await carryOut(orderFor(9, 'suspended', { msisdn: msisdnOf(99) }));
    assert.deepEqual(await read(9), { state: 'suspended', msisdn: msisdnOf(99) });
    const { msisdn: _, ...numberless } = orderFor(10, 'active');
    await carryOut(numberless);
    assert.deepEqual(await read(10), { state: 'active', msisdn: null });
  });

  it('suspends a line even if its number is taken, and shows that it has another one', async () => {
    await carryOut(orderFor(13, 'active'), orderFor(14, 'active'));
    assert.deepEqual(await carryOut(orderFor(14, 'suspended', { msisdn: msisdnOf(13) })), [done]);
    assert.deepEqual(await read(14), { state: 'suspended', msisdn: msisdnOf(14) });
  });

  it('is not asked for what no line can have', async () => {
    const [short, letters] = await carryOut(
      orderFor(7, 'active', { imsi: '123' }),
      orderFor(7, 'active', { msisdn: '1 subscriber.delete' }),
    );
    assert.deepEqual(short, { outcome: 'refused', reason: 'an IMSI has 6 to 15 digits' });
    assert.deepEqual(letters, { outcome: 'refused', reason: 'a number has at most 15 digits' });
  });

  it('tells of a line with one service alone as of none that it knows', async () => {
    await register.kill();
    register.seed([{ imsi: imsiOf(8), circuit: false, packet: true }]);
    await register.start();
    const started = performance.now();
    // Possibly the first read is what detects the lost connection.
    while ((await truthOf(8)) === undefined) assert.ok(performance.now() - started < 60_000);
    assert.equal(await truthOf(8), 'unknown');
    assert.deepEqual(await carryOut(orderFor(8, 'suspended')), [done]);
    assert.equal(await truthOf(8), 'suspended');
  });

  it('ends as a model says after random orders for a few lines, however they are batched', async () => {
    const model = new Map<number, WantedState>();
    const order = fc.record({
      n: fc.integer({ min: 100, max: 109 }),
      wanted: fc.constantFrom<WantedState>('active', 'suspended', 'gone'),
    });
    const batches = fc.array(fc.uniqueArray(order, { selector: ({ n }) => n, minLength: 1 }), {
      minLength: 1,
    });
    await fc.assert(
      fc.asyncProperty(batches, async (drawn) => {
        for (const batch of drawn) {
          const orders = batch.map(({ n, wanted }) => orderFor(n, wanted));
          assert.deepEqual(
            await carryOut(...orders),
            orders.map(() => done),
          );
          for (const { n, wanted } of batch) model.set(n, wanted);
        }
        const numbers = [...model.keys()];
        assert.deepEqual(
          await element.read!(
            numbers.map((n) => ({ imsi: imsiOf(n) })),
            unstopped(),
          ),
          numbers.map((n) => {
            const state = model.get(n)!;
            return state === 'gone' ? { state: 'unknown' } : { state, msisdn: msisdnOf(n) };
          }),
        );
      }),
      { numRuns: 15 },
    );
  });

  it('takes more orders at once than it may have under way', async () => {
    const orders = ordersFor(1_000, 1_500, 'active');
    assert.deepEqual(
      await element.carryOut(orders, unstopped()),
      orders.map(() => done),
    );
    const there = register.lines().filter(({ imsi }) => imsi >= imsiOf(1_000) && imsi < imsiOf(1_500));
    assert.equal(there.length, 500);
    assert.ok(there.every(({ circuit, packet }) => circuit && packet));
  });
});
