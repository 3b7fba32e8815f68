import assert from 'node:assert/strict';
import type { Heard } from '../moody-listeners.ts';
import { HOPELESS, strangersIn, TENANTS } from '../tenants.ts';
import { probeAll } from '../workload/probe.ts';
import type { Delivery, Outcome } from './outcome.ts';

const ATTEMPTS_MAX = 4;
const APART_MS = 300_000;
/** Time limit for an attempt in progress. */
const ATTEMPT_MAX_MS = 15_000;

/** By the service's records: at most four attempts, five minutes apart, and none after an acknowledgement. */
function assertRecorded({ id, state, serviceName, attempts }: Delivery): void {
  assert.ok(attempts.length <= ATTEMPTS_MAX, `${id} has ${attempts.length} attempts`);
  const acknowledged = attempts.map(({ status }) => status !== null && status >= 200 && status < 300);
  assert.equal(state, acknowledged.at(-1) ? 'delivered' : 'failed', `${id} to ${serviceName}`);
  if (state === 'failed') assert.equal(attempts.length, ATTEMPTS_MAX, `${id} was given up early`);
  assert.ok(!acknowledged.slice(0, -1).includes(true), `${id} was sent after it was acknowledged`);
  for (const [n, { at }] of attempts.slice(0, -1).entries()) {
    // The latency is not subtracted: it is real time, and none of it passes between the two while the clock is moved.
    const apart = Date.parse(attempts[n + 1]!.at) - Date.parse(at);
    assert.ok(apart >= APART_MS, `${id}: attempt ${n + 2} came ${apart} ms after the one before`);
  }
}

/** The attempts that were sent: while the clock is moved, the service does not try a listener again that was just silent. */
const sentOf = ({ attempts }: Delivery) =>
  attempts.flatMap(({ error }, n) => (error === 'listener silent' ? [] : [n + 1]));

/** Whether an interruption may have prevented the sending process from recording this attempt. */
const isInterrupted = ({ at }: Heard, { scene }: Outcome): boolean =>
  scene.interruptions.all.some(({ from, to }) => to >= at && from <= at + ATTEMPT_MAX_MS);

/** By the listeners' records, whatever the service reports. */
function assertHeard(delivery: Delivery, heard: readonly Heard[], outcome: Outcome): void {
  const { scene } = outcome;
  const { id } = delivery;
  const sent = sentOf(delivery);
  const counts = heard.map(({ count }) => count);
  // The worker that takes over may record an interrupted attempt as given up.
  const unrecorded = heard.filter((one) => !sent.includes(one.count) && !isInterrupted(one, outcome));
  assert.deepEqual(unrecorded, [], `${id} was heard as ${counts}, and sent as ${sent}`);
  if (sent.length === 0) return;
  const recorded = counts.filter((count) => sent.includes(count));
  assert.ok(recorded.length > 0, `${id} was never heard`);
  assert.equal(Math.min(...recorded), sent[0], `${id} was heard as ${counts}`);
  const byCount = Map.groupBy(heard, ({ count }) => count);
  for (const [count, same] of byCount) {
    // An attempt that is interrupted in progress is sent again under the same number, once for each interruption.
    const [first, last] = [same[0]!.at, same.at(-1)!.at];
    const between = scene.interruptions.all.filter(({ from, to }) => from <= last && to >= first).length;
    assert.ok(
      same.length <= 1 + between,
      `${id} was heard ${same.length} times as attempt ${count}, interrupted ${between} times in ${last - first} ms`,
    );
    const before = byCount.get(count - 1);
    if (before === undefined) continue;
    const passed = scene.clock.passedAtMost(before[0]!.at, same[0]!.at);
    assert.ok(passed >= APART_MS, `${id}: attempt ${count} was heard ${passed} ms after the one before`);
  }
}

/** Listeners received only messages that the service knows, each addressed to that listener. */
function assertKnown(heard: readonly Heard[], deliveries: readonly Delivery[]): void {
  const lanes = new Map(
    deliveries.map(({ id, accountName, serviceName }) => [id, `${accountName}/${serviceName}`]),
  );
  const unknown = heard
    .filter(({ id, lane }) => lanes.get(id) !== lane)
    .map(({ id, lane }) => `${id} ${lane}`);
  assert.deepEqual(unknown, [], 'heard without being a message to there');
}

export function assertCallbacksInOrder(outcome: Outcome): void {
  const { heard: allHeard } = outcome.scene.listeners;
  const heardOf = Map.groupBy(allHeard, ({ id }) => id);
  const deliveries = [...outcome.deliveries.values()].flat();
  assertKnown(allHeard, deliveries);
  for (const delivery of deliveries) {
    const heard = heardOf.get(delivery.id) ?? [];
    assertRecorded(delivery);
    assertHeard(delivery, heard, outcome);
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

/** Each listener got callbacks of its own account only, and callers that ask for more are refused. */
export async function assertTenantsApart({ scene, diary }: Outcome): Promise<void> {
  for (const tenant of TENANTS) {
    assert.ok((diary.refusals.get(tenant.n) ?? 0) > 0, `tenant ${tenant.n} was never refused anything`);
    for (const { lane, id, text } of scene.listeners.heard)
      if (lane.startsWith(tenant.accountName))
        assert.deepEqual(strangersIn(text, tenant), [], `${id} to ${lane}`);
  }
  // `probeAll` adds any access that was not refused to the surprises.
  await probeAll(scene, diary);
}
