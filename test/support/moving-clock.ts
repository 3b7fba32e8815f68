import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT, SMALL_FLEET } from './fleet.ts';
import { type Listener, openListener } from './listener.ts';
import { makeWorld, type World } from './world.ts';

/** Tolerance for two clocks that are read one after the other. */
export const SLACK_MS = 100;
/** Longer than any of these moves takes on a slow machine. */
const PATIENCE_MS = 120_000;

/** A service that runs like a sandbox, with one listener for events. */
export async function makeRunning(answer: Listener['answer'] = 200, attemptMs = 1_600) {
  // Closed before the world, which would otherwise wait for its answers.
  const listener = await openListener(answer);
  const world = await makeWorld({ runs: true, attemptMs, settings: { advanceWaitMs: 100 } });
  await world.import({
    ...SMALL_FLEET,
    listeners: [{ accountName: ACCOUNT, serviceName: 'AlertService', url: listener.url }],
  });
  return { ...world, listener };
}

type Asked = Pick<World, 'operator'>;

export const ok = <A extends { statusCode: number; body: string }>(answer: A): A => {
  assert.ok(answer.statusCode < 300, answer.body);
  return answer;
};
export const clockOf = async ({ operator }: Asked) => ok(await operator('GET', '/clock')).json();
export const post = async ({ operator }: Asked, n = 0) =>
  ok(
    await operator('POST', '/events', { accountName: ACCOUNT, serviceName: 'AlertService', payload: { n } }),
  );
/** The attempts of each callback. */
export const attemptsOf = async ({ operator }: Asked): Promise<{ error: string | null }[][]> =>
  ok(await operator('GET', `/callbacks?accountName=${ACCOUNT}&limit=1000`))
    .json()
    .map(({ attempts }: { attempts: unknown }) => attempts);

/** Watches the clock until a move ends. Returns how far it fell behind real time. */
type Follow = () => Promise<{ behindMs: number }>;

export async function beginMove(world: Asked, body: object): Promise<Follow> {
  const startedAt = Date.now();
  const { offsetMs } = await clockOf(world);
  ok(await world.operator('POST', '/clock', body));
  return async () => {
    let behindMs = 0;
    for (;;) {
      const before = Date.now();
      const { now, movingTo } = await clockOf(world);
      behindMs = Math.max(behindMs, before + offsetMs - Date.parse(now));
      if (movingTo === undefined) return { behindMs };
      assert.ok(Date.now() < startedAt + PATIENCE_MS, 'the clock still moves');
      await sleep(20);
    }
  };
}
export const move = async (world: Asked, body: object) => (await beginMove(world, body))();
