import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCtrlClient } from '../../src/adapters/osmo-hlr/client.ts';
import { writeFrame } from '../../src/adapters/osmo-hlr/frames.ts';
import { createOsmoHlr, type OsmoHlrSettings } from '../../src/adapters/osmo-hlr/index.ts';
import type { LineOrder, NetworkElement, OrderOutcome } from '../../src/features/network/index.ts';
import { socketAddressOf } from '../../src/kernel/socket-address.ts';
import { imsiOf, msisdnOf, orderFor, ordersFor, unstopped } from './support/lines.ts';
import { type RegisterLine, registerIsMissing, startRegister } from './support/register.ts';
import { retryUntilDone } from './support/retry.ts';

async function scene(t: TestContext, lines: number, tuning: Partial<OsmoHlrSettings> = {}) {
  const register = await startRegister();
  const element = createOsmoHlr({ name: 'hlr-1', address: register.address, answerMs: 500, ...tuning });
  t.after(async () => {
    await element.close();
    await register.remove();
  });
  await register.kill();
  register.seed(Array.from({ length: lines }, (_, n) => ({ imsi: imsiOf(n) })));
  await register.start();
  return { register, element };
}

const isFailed = (outcome: OrderOutcome | undefined): boolean => outcome?.outcome === 'failed';
const carryOutAll = (element: NetworkElement, orders: readonly LineOrder[]) =>
  element.carryOut(orders, unstopped());

describe('a register that fails', { skip: registerIsMissing }, () => {
  it('has every line as it was ordered last, when it was killed and stopped while lines were suspended and restored', async (t) => {
    const LINES = 500;
    // A fast machine completes many rounds before the first failure of the register.
    const ROUNDS_MAX = 1_000;
    const { register, element } = await scene(t, LINES);
    const retries = { count: 0 };
    let isOver = false;
    let troubles = 0;
    const troubled = (async () => {
      for (; !isOver; troubles++) {
        await sleep(200);
        if (troubles % 2 === 0) {
          await register.kill();
          await register.start();
        } else {
          register.stop();
          await sleep(700);
          register.goOn();
        }
      }
    })();
    const isTroubled = () => troubles > 1 && retries.count > 0;
    for (let round = 0; round === 0 || (round < ROUNDS_MAX && !isTroubled()); round++)
      for (const wanted of ['suspended', 'active', 'suspended'] as const)
        await retryUntilDone(element, ordersFor(0, LINES, wanted), retries);
    // Half of them again, while the register is still failing.
    await retryUntilDone(element, ordersFor(0, LINES / 2, 'active'), retries);
    isOver = true;
    await troubled;
    assert.ok(isTroubled(), 'nothing failed: there was no trouble');
    const there = register.lines();
    assert.equal(there.length, LINES);
    for (const { imsi, circuit, packet } of there)
      assert.deepEqual([circuit, packet], imsi < imsiOf(LINES / 2) ? [true, true] : [false, false], imsi);
  });

  it('fails orders while it stands still, says so at once when too many wait, and takes them afterwards', async (t) => {
    const { register, element } = await scene(t, 10, { inFlightMax: 4 });
    assert.deepEqual(await carryOutAll(element, [orderFor(0, 'suspended')]), [{ outcome: 'done' }]);
    register.stop();
    const outcomes = await carryOutAll(element, ordersFor(0, 10, 'active'));
    assert.ok(outcomes.every(isFailed));
    assert.match(JSON.stringify(outcomes), /the register did not answer within 500 ms/);
    const [next] = await carryOutAll(element, [orderFor(1, 'active')]);
    assert.deepEqual(next, { outcome: 'failed', reason: 'the register does not answer' });
    register.goOn();
    await retryUntilDone(element, ordersFor(0, 10, 'active'));
    assert.ok(register.lines().every(({ circuit, packet }) => circuit && packet));
  });

  it('carries out no command that was given up after a newer one for the same line', async (t) => {
    const { register } = await scene(t, 50);
    const limits = { connectMs: 5_000, answerMs: 500, inFlightMax: 200, unreadMax: 0, abandonMs: 60_000 };
    const client = createCtrlClient(socketAddressOf(register.address), limits);
    t.after(() => client.close());
    const lines = Array.from({ length: 50 }, (_, n) => imsiOf(n));
    const switchAll = (imsis: readonly string[], value: '0' | '1') =>
      Promise.allSettled(
        imsis.flatMap((imsi) =>
          ['ps-enabled', 'cs-enabled'].map((name) =>
            client.set(`subscriber.by-imsi-${imsi}.${name}`, value, unstopped()),
          ),
        ),
      );
    await switchAll(lines, '1');
    register.stop();
    const given = await switchAll(lines, '0');
    assert.ok(given.every(({ status }) => status === 'rejected'));
    // The last line first: on a separate connection, its command would overtake the ones that are still unread.
    const replaced = switchAll(lines.toReversed(), '1');
    register.goOn();
    await replaced;
    // The register answers this query after all those commands.
    const isAnswered = () =>
      client.get('subscriber.by-imsi-001010000000000.info', unstopped()).then(Boolean, () => false);
    while (!(await isAnswered()));
    const isOff = ({ circuit, packet }: RegisterLine) => !circuit || !packet;
    assert.deepEqual(register.lines().filter(isOff), []);
  });

  it('carries out nothing that a killed process has left there after a newer order of another process', async (t) => {
    const { register, element } = await scene(t, 70);
    const { host, port } = socketAddressOf(register.address);
    register.stop();
    const killed = connect({ host, port });
    await once(killed, 'connect');
    // As many as a connection has in progress; the last one is about the line.
    const left = Array.from({ length: 64 }, (_, n) => `subscriber.by-imsi-${imsiOf(n)}.ps-enabled 0`);
    for (const [n, command] of left.entries()) killed.write(writeFrame(`SET ${n} ${command}`));
    await new Promise<void>((resolve) => killed.end(resolve));
    const newer = retryUntilDone(element, [orderFor(63, 'active')]);
    register.goOn();
    await newer;
    // By now the register has carried out the remaining commands of the killed connection, if any.
    for (let n = 0; n < 100; n++) await element.read!([{ imsi: imsiOf(n % 70) }], unstopped());
    const line = register.lines().find(({ imsi }) => imsi === imsiOf(63));
    assert.deepEqual([line?.packet, line?.circuit], [true, true]);
    killed.destroy();
  });

  it('is failed orders with a reason while it is not there, and is found again when it is back', async (t) => {
    const { register, element } = await scene(t, 3);
    await register.kill();
    const [first] = await carryOutAll(element, [orderFor(0, 'suspended')]);
    assert.equal(first?.outcome, 'failed');
    assert.match(JSON.stringify(first), /cannot be reached|closed the connection/);
    assert.deepEqual(await element.read!([{ imsi: imsiOf(0) }], unstopped()), [undefined]);
    await register.start();
    await retryUntilDone(element, [orderFor(0, 'suspended')]);
    assert.deepEqual(await element.read!([{ imsi: imsiOf(0) }], unstopped()), [
      { state: 'suspended', msisdn: msisdnOf(0) },
    ]);
  });
});
