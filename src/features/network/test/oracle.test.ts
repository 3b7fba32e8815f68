import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { randomFor } from '../../../../test/support/seeded-random.ts';
import type { OrderOutcome } from '../port.ts';
import { byImei, imsi, lineOf, makeElement, makeNetworkScene, silent } from './scene.ts';

const LINES = 8;
const ROUNDS = 25;
const ACTIONS = ['suspend', 'restore', 'deactivate'] as const;
type Action = (typeof ACTIONS)[number];
type State = 'active' | 'suspend' | 'deactive';

/** The state rules of the interface in a separate, slow model. */
const LEADS: Readonly<Record<Action, { from: readonly State[]; to: State }>> = {
  suspend: { from: ['active'], to: 'suspend' },
  restore: { from: ['suspend'], to: 'active' },
  deactivate: { from: ['active', 'suspend'], to: 'deactive' },
};
const THERE = { active: 'active', suspend: 'suspended', deactive: 'gone' } as const;

const names = ['a', 'b', 'c'] as const;
const elements = names.map((name) => makeElement(name, { batchMax: 3 }));
/** The first element serves all lines, the others half of them each: every line has two elements. */
const servedBy = (n: number) => [elements[0]!, n < LINES / 2 ? elements[1]! : elements[2]!];
const scene = await makeNetworkScene({
  elements: [
    { of: elements[0]! },
    { of: elements[1]!, imsi: [`${imsi(0)}-${imsi(LINES / 2 - 1)}`] },
    { of: elements[2]!, imsi: [`${imsi(LINES / 2)}-${imsi(LINES - 1)}`] },
  ],
  devices: Array.from({ length: LINES }, (_, n) => lineOf(n)),
});
await scene.settle();

describe('lines, elements and their failures', () => {
  it('end as a slow model predicts, whatever each element answers to each request', async () => {
    const { next: random, pick } = randomFor('orders');
    const model: State[] = Array.from({ length: LINES }, () => 'active');
    const restart = async () => {
      const gone = model.flatMap((state, n) => (state === 'deactive' ? [n] : []));
      if (gone.length < LINES / 2) return;
      for (const one of elements) one.answers({ outcome: 'done' });
      for (const n of gone) {
        await scene.world.operator('POST', `/devices/imei/${lineOf(n).imei}/state`, { state: 'active' });
        model[n] = 'active';
      }
      await scene.settle();
    };
    for (let round = 0; round < ROUNDS; round++) {
      await restart();
      const how = elements.map(
        (): OrderOutcome =>
          pick([{ outcome: 'done' }, { outcome: 'done' }, silent, { outcome: 'refused', reason: 'no' }]),
      );
      for (const [n, one] of elements.entries()) one.answers(how[n]!);
      const action = pick(ACTIONS);
      const chosen = Array.from({ length: LINES }, (_, n) => n).filter(() => random() < 0.5);
      if (chosen.length === 0) continue;
      const body = { accountName: ACCOUNT, devices: byImei(...chosen) };
      const more = action === 'deactivate' ? { etfWaiver: true, reasonCode: 'FF' } : {};
      const requestId = await scene.ask(`actions/${action}`, { ...body, ...more });
      await scene.settle();
      const recovers = random() < 0.5;
      // A silent element answers in time, or never.
      if (recovers)
        for (const [n, one] of elements.entries()) if (how[n] === silent) one.answers({ outcome: 'done' });
      await scene.age(recovers ? 60_000 : 3_600_000);
      await scene.settle();
      const isDone = (n: number) =>
        servedBy(n).every((one) => {
          const own = how[elements.indexOf(one)]!;
          return own.outcome === 'done' || (own === silent && recovers);
        });
      const succeeded = chosen.filter((n) => LEADS[action].from.includes(model[n]!) && isDone(n));
      for (const n of succeeded) model[n] = LEADS[action].to;
      const { status, devicesSucceeded, devicesFailed } = (await scene.progress(requestId)).json();
      const what = `round ${round}: ${action} of ${chosen} with ${how.map(({ outcome }) => outcome)}, ${recovers}`;
      assert.deepEqual(
        [status, devicesSucceeded, devicesFailed],
        [
          succeeded.length === chosen.length ? 'Success' : 'Failure',
          succeeded.length,
          chosen.length - succeeded.length,
        ],
        what,
      );
      assert.equal((await scene.callbacksOf(requestId)).length, chosen.length, what);
      const states = await scene.states();
      assert.deepEqual(
        Array.from({ length: LINES }, (_, n) => states.get(imsi(n))?.state),
        model,
        what,
      );
      // All elements recover, and half-done changes are put back.
      for (const one of elements) one.answers({ outcome: 'done' });
      await scene.age(60_000);
      await scene.settle();
      for (let n = 0; n < LINES; n++)
        for (const one of servedBy(n))
          assert.equal(
            one.lines.get(imsi(n))?.state,
            THERE[model[n]!],
            `${what}: line ${n} on ${one.element.name}`,
          );
      assert.ok(
        (await scene.orders()).every(({ state }) => state !== 'waiting' && state !== 'taken'),
        what,
      );
    }
  });
});
