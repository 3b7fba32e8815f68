import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LineOrder, NetworkElement } from '../port.ts';
import { imsi, lineOf, makeElement, makeNetworkScene } from './scene.ts';

/** With one order in a batch: three full pages of orders. */
const LINES = Array.from({ length: 7 }, (_, n) => n);
const ROUNDS = 12;

/** Records which orders the element has at the same time; `during` is called with each batch and ends before it. */
function makeObservedElement(during: (batch: readonly LineOrder[]) => Promise<unknown>) {
  const system = makeElement('bss', { batchMax: 1 });
  const busy = new Set<string>();
  const newest = new Map<string, number>();
  const seen = { batches: 0, most: 0, twice: 0, backwards: 0 };
  const begin = ({ imsi: line, sequence }: LineOrder) => {
    if (busy.has(line)) seen.twice++;
    if (sequence < (newest.get(line) ?? 0)) seen.backwards++;
    newest.set(line, sequence);
    busy.add(line);
  };
  const element: NetworkElement = {
    ...system.element,
    async carryOut(batch, signal) {
      seen.most = Math.max(seen.most, ++seen.batches);
      for (const order of batch) begin(order);
      await during(batch);
      const outcomes = await system.element.carryOut(batch, signal);
      for (const order of batch) busy.delete(order.imsi);
      seen.batches--;
      return outcomes;
    },
  };
  return { ...system, element, seen };
}

const waiting = new Set<string>();
let round = 0;
const withPlan = (lines: readonly number[], servicePlan: string) =>
  world.import({ devices: lines.map((n) => lineOf(n, { servicePlan })) });

/** With three lines of a round left, orders one of them again after its order was read. The last batch is slow. */
const observed = makeObservedElement(async (batch) => {
  if (waiting.size === 0) return;
  for (const order of batch) waiting.delete(order.imsi);
  const left = LINES.filter((n) => waiting.has(imsi(n)));
  if (left.length === 3) await withPlan([left[round % 3]!], 'P-5MB');
  await sleep(waiting.size === 0 ? 80 : 5);
});

const { world, settle, states } = await makeNetworkScene({
  elements: [{ of: observed }],
  devices: LINES.map((n) => lineOf(n)),
});
await settle();

describe('orders that are replaced while an element is busy', () => {
  it('are never sent together with a newer one for the same line, nor after it', async () => {
    for (; round < ROUNDS; round++) {
      await withPlan(LINES, 'P-5MB');
      await settle();
      for (const n of LINES) waiting.add(imsi(n));
      await withPlan(LINES, 'P-50MB');
      await settle();
      assert.equal(waiting.size, 0);
    }
    assert.deepEqual({ ...observed.seen, most: 2 }, { batches: 0, most: 2, twice: 0, backwards: 0 });
  });

  it('leave every line with the plan ordered last', async () => {
    const kept = await states();
    for (const n of LINES) assert.equal(observed.lines.get(imsi(n))?.plan, kept.get(imsi(n))?.plan, imsi(n));
  });
});

describe('an element', () => {
  it('has at most two batches of a profile at a time', () => {
    assert.equal(observed.seen.most, 2);
  });
});
