import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, STRANGER } from '../../../../test/support/fleet.ts';
import { deleteClosed } from '../sql-order.ts';
import { byImei, imei, imsi, lineOf, makeElement, makeNetworkScene, silent } from './scene.ts';

const system = makeElement('bss');
const scene = await makeNetworkScene({ elements: [{ of: system }], devices: [lineOf(0), lineOf(1)] });
const { world, ask, settle, age, db } = scene;
await settle();

const change = async (action: 'suspend' | 'restore', ...lines: number[]) => {
  await ask(`actions/${action}`, { accountName: ACCOUNT, devices: byImei(...lines) });
  await settle();
};
const sequences = (n: number) =>
  system.orders.filter((one) => one.imsi === imsi(n)).map((one) => one.sequence);
const isGrowing = (numbers: readonly number[]) => numbers.every((one, n) => n === 0 || one > numbers[n - 1]!);

describe('the sequence of orders for a line', () => {
  it('is a whole number that grows with each order', async () => {
    await change('suspend', 0, 1);
    await change('restore', 0, 1);
    for (const line of [0, 1]) {
      assert.equal(sequences(line).length, 3);
      assert.ok(sequences(line).every(Number.isSafeInteger));
      assert.ok(isGrowing(sequences(line)), sequences(line).join());
    }
  });

  it('is the same in every try of an order', async () => {
    const before = sequences(0).length;
    system.answers(silent);
    await change('suspend', 0);
    await age(60_000);
    system.answers({ outcome: 'done' });
    await settle();
    const tries = sequences(0).slice(before);
    assert.ok(tries.length >= 2);
    assert.equal(new Set(tries).size, 1);
  });

  it('continues to grow after earlier orders were deleted', async () => {
    const last = sequences(0).at(-1)!;
    while ((await deleteClosed(db, new Date(Date.now() + 3_600_000), 1_000)) > 0);
    await change('restore', 0);
    assert.ok(sequences(0).at(-1)! > last);
  });

  it('continues to grow when the line passes to another customer', async () => {
    const last = sequences(1).at(-1)!;
    const deleted = await world.operator('DELETE', `/devices/imei/${imei(1)}`);
    assert.equal(deleted.statusCode, 200, deleted.body);
    await settle();
    await world.import({ devices: [lineOf(1, { accountName: STRANGER })] });
    await settle();
    const [gone, active] = sequences(1).slice(-2);
    assert.ok(gone! > last && active! > gone!, [last, gone, active].join());
  });
});
