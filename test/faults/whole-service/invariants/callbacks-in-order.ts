import assert from 'node:assert/strict';
import type { Heard } from '../moody-listeners.ts';
import { HOPELESS, strangersIn, TENANTS } from '../tenants.ts';
import { probeAll } from '../workload/probe.ts';
import type { Delivery, Outcome } from './outcome.ts';

const ATTEMPTS_MAX = 4;
const APART_MS = 300_000;
/** So long an attempt may be under way. */
const ATTEMPT_MAX_MS = 15_000;

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

/** Which of the attempts left: while the clock is moved, a listener that has just been silent is not tried again. */
const sentOf = ({ attempts }: Delivery) =>
  attempts.flatMap(({ error }, n) => (error === 'listener silent' ? [] : [n + 1]));

/** Whether the process that sent it may have been interrupted before it could record that. */
const isInterrupted = ({ at }: Heard, { scene }: Outcome): boolean =>
  scene.interruptions.all.some(({ from, to }) => to >= at && from <= at + ATTEMPT_MAX_MS);

/** By what listeners heard, whatever the service says of it. */
function assertHeard(delivery: Delivery, heard: readonly Heard[], outcome: Outcome): void {
  const { scene } = outcome;
  const { id } = delivery;
  const sent = sentOf(delivery);
  const counts = heard.map(({ count }) => count);
  // What was interrupted may be recorded as given up by whoever took it over.
  const unrecorded = heard.filter((one) => !sent.includes(one.count) && !isInterrupted(one, outcome));
  assert.deepEqual(unrecorded, [], `${id} was heard as ${counts}, and sent as ${sent}`);
  if (sent.length === 0) return;
  const recorded = counts.filter((count) => sent.includes(count));
  assert.ok(recorded.length > 0, `${id} was never heard`);
  assert.equal(Math.min(...recorded), sent[0], `${id} was heard as ${counts}`);
  const byCount = Map.groupBy(heard, ({ count }) => count);
  for (const [count, same] of byCount) {
    // What was under way when it was interrupted is sent again as the same attempt: once for each time.
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

/** Whatever listeners heard is a message that the service knows, sent to whom it is for. */
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

/** Each listener heard of its own account and of nobody else's, and whoever asks for more is refused. */
export async function assertTenantsApart({ scene, diary }: Outcome): Promise<void> {
  for (const tenant of TENANTS) {
    assert.ok((diary.refusals.get(tenant.n) ?? 0) > 0, `tenant ${tenant.n} was never refused anything`);
    for (const { lane, id, text } of scene.listeners.heard)
      if (lane.startsWith(tenant.accountName))
        assert.deepEqual(strangersIn(text, tenant), [], `${id} to ${lane}`);
  }
  // Where something is open it is among the surprises.
  await probeAll(scene, diary);
}
