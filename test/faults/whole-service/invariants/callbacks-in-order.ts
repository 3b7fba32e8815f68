import assert from 'node:assert/strict';
import type { Heard } from '../moody-listeners.ts';
import { HOPELESS, strangersIn, TENANTS } from '../tenants.ts';
import type { Delivery, Outcome } from './outcome.ts';

const ATTEMPTS_MAX = 4;
const APART_MS = 300_000;

/** By what the service recorded: four at most, five minutes apart, and none after an acknowledgement. */
function assertRecorded({ id, state, serviceName, attempts }: Delivery): void {
  assert.ok(attempts.length <= ATTEMPTS_MAX, `${id} has ${attempts.length} attempts`);
  const acknowledged = attempts.map(({ status }) => status !== null && status >= 200 && status < 300);
  assert.equal(state, acknowledged.at(-1) ? 'delivered' : 'failed', `${id} to ${serviceName}`);
  if (state === 'failed') assert.equal(attempts.length, ATTEMPTS_MAX, `${id} was given up early`);
  assert.ok(!acknowledged.slice(0, -1).includes(true), `${id} was sent after it was acknowledged`);
  for (const [n, { at }] of attempts.slice(0, -1).entries()) {
    // How long it took is real time, and while the clock is moved none of it passes between the two.
    const apart = Date.parse(attempts[n + 1]!.at) - Date.parse(at);
    assert.ok(apart >= APART_MS, `${id}: attempt ${n + 2} came ${apart} ms after the one before`);
  }
}

/** By what listeners heard, whatever the service says of it. */
function assertHeard(id: string, heard: readonly Heard[], { scene, interruptions }: Outcome): void {
  const counts = heard.map(({ count }) => count);
  assert.ok(Math.max(...counts) <= ATTEMPTS_MAX && Math.min(...counts) === 1, `${id} was heard as ${counts}`);
  const byCount = Map.groupBy(heard, ({ count }) => count);
  for (const [count, same] of byCount) {
    // What was under way when it was interrupted is sent again as the same attempt.
    assert.ok(same.length <= 1 + interruptions, `${id} was heard ${same.length} times as attempt ${count}`);
    const before = byCount.get(count - 1);
    if (before === undefined) continue;
    const passed = scene.clock.passedAtMost(before[0]!.at, same[0]!.at);
    assert.ok(passed >= APART_MS, `${id}: attempt ${count} was heard ${passed} ms after the one before`);
  }
}

export function assertCallbacksInOrder(outcome: Outcome): void {
  const heardOf = Map.groupBy(outcome.scene.listeners.heard, ({ id }) => id);
  for (const delivery of [...outcome.deliveries.values()].flat()) {
    const heard = heardOf.get(delivery.id) ?? [];
    assertRecorded(delivery);
    assertHeard(delivery.id, heard, outcome);
    if (delivery.state === 'delivered')
      assert.ok(
        heard.some(({ acknowledged }) => acknowledged),
        `${delivery.id} was never acknowledged`,
      );
    if (delivery.serviceName === HOPELESS)
      assert.deepEqual(
        [...new Set(heard.map(({ count }) => count))].sort(),
        [1, 2, 3, 4],
        `${delivery.id} was tried four times`,
      );
  }
}

/** Each listener heard of its own account and of nobody else's. */
export function assertTenantsApart({ scene: { listeners } }: Outcome): void {
  for (const tenant of TENANTS)
    for (const { lane, id, text } of listeners.heard)
      if (lane.startsWith(tenant.accountName))
        assert.deepEqual(strangersIn(text, tenant), [], `${id} to ${lane}`);
}
