import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT, asUser, SMALL_FLEET } from '../support/fleet.ts';
import { type Listener, openListener } from '../support/listener.ts';
import { makeWorld, type World } from '../support/world.ts';

const IMEI = SMALL_FLEET.devices[0]!.imei;
const ABSENT_AND_TELLING = ['990000000000102', '990000000000110'];
const ATTEMPT_MS = 1_600;
/** Of two clocks that are read one after the other. */
const SLACK_MS = 100;
/** More than any of these moves needs on a slow machine, and less than one that never ends. */
const PATIENCE_MS = 40_000;

/** A service that runs as it does in a sandbox, with one listener that hears of events. */
async function makeRunning(answer: Listener['answer'] = 200) {
  const world = await makeWorld({ runs: true, attemptMs: ATTEMPT_MS, settings: { advanceWaitMs: 100 } });
  const listener = await openListener(answer);
  await world.import({
    ...SMALL_FLEET,
    listeners: [{ accountName: ACCOUNT, serviceName: 'AlertService', url: listener.url }],
  });
  return { ...world, listener };
}

const ok = <A extends { statusCode: number; body: string }>(answer: A): A => {
  assert.ok(answer.statusCode < 300, answer.body);
  return answer;
};
const clockOf = async ({ operator }: Pick<World, 'operator'>) => ok(await operator('GET', '/clock')).json();
const post = async ({ operator }: Pick<World, 'operator'>, n = 0) =>
  ok(
    await operator('POST', '/events', { accountName: ACCOUNT, serviceName: 'AlertService', payload: { n } }),
  );
const attemptsOf = async ({ operator }: Pick<World, 'operator'>) => {
  const all: { attempts: { at: string; error: string | null }[] }[] = ok(
    await operator('GET', `/callbacks?accountName=${ACCOUNT}&limit=1000`),
  ).json();
  return all.flatMap(({ attempts }) => attempts);
};

/** Begins a move and follows it to its end, looking at the clock all the while. */
async function move(world: World, body: object): Promise<{ tookMs: number; behindMs: number }> {
  const startedAt = Date.now();
  const { offsetMs } = await clockOf(world);
  ok(await world.operator('POST', '/clock', body));
  let behindMs = 0;
  for (;;) {
    const before = Date.now();
    const { now, movingTo } = await clockOf(world);
    behindMs = Math.max(behindMs, before + offsetMs - Date.parse(now));
    if (movingTo === undefined) return { tookMs: Date.now() - startedAt, behindMs };
    assert.ok(Date.now() < startedAt + PATIENCE_MS, 'the clock still moves');
    await sleep(20);
  }
}

describe('a move of the clock', () => {
  it('waits once for a listener that never answers, and records the rest of its step as not sent', async () => {
    const world = await makeRunning('never');
    for (let n = 0; n < 12; n++) await post(world, n);
    const before = (await clockOf(world)).offsetMs;
    const { behindMs } = await move(world, { advance: 'PT10S' });
    assert.equal((await clockOf(world)).offsetMs, before + 10_000);
    assert.ok(behindMs < SLACK_MS, `the clock was ${behindMs} ms behind`);
    const attempts = await attemptsOf(world);
    const silent = attempts.filter(({ error }) => error === 'listener silent').length;
    assert.ok(silent >= 8, `${silent} of ${attempts.length} were not sent`);
    assert.equal(world.listener.heard.length + silent, attempts.length);
  });

  it('halves its patience at each stop at which a listener is silent, until it answers', async () => {
    const world = await makeRunning('never');
    await post(world);
    await move(world, { advance: 'PT11M' });
    const errors = (await attemptsOf(world)).map(({ error }) => error);
    assert.deepEqual(errors, ['no answer in 1.6 s', 'no answer in 0.8 s', 'no answer in 0.4 s']);
    world.listener.release(200);
    await move(world, { advance: 'PT5M' });
    assert.deepEqual((await attemptsOf(world)).at(-1)?.error, null);
  });

  it('does not wait behind what calls bring meanwhile to a listener that never answers', async () => {
    const world = await makeRunning('never');
    await post(world);
    const { offsetMs } = await clockOf(world);
    const moving = move(world, { advance: 'PT11M' });
    while ((await clockOf(world)).movingTo === undefined) await sleep(5);
    // More than a lane fetches ahead, all due before the next attempt of the one that the move waits for.
    const calling = Promise.all(Array.from({ length: 250 }, (_, n) => post(world, n)));
    await Promise.all([moving, calling]);
    assert.equal((await clockOf(world)).offsetMs, offsetMs + 660_000);
    const all: { attempts: unknown[] }[] = ok(
      await world.operator('GET', `/callbacks?accountName=${ACCOUNT}&limit=1000`),
    ).json();
    assert.ok(
      all.some(({ attempts }) => attempts.length === 3),
      'the one that was there has had its attempts',
    );
  });

  it('lets calls go on: what they bring is dated by a clock that never falls behind real time', async () => {
    const world = await makeRunning('never');
    for (let n = 0; n < 4; n++) await post(world, n);
    const { offsetMs } = await clockOf(world);
    let moving = true;
    const rejected: unknown[] = [];
    const feed = async () => {
      for (let n = 0; moving; n++) {
        const at = new Date(Date.now() + offsetMs).toISOString();
        const record = { id: `f-${n}`, kind: 'imei', device: IMEI, at, bytes: 1 };
        rejected.push(...ok(await world.operator('POST', '/usage', JSON.stringify(record))).json().rejected);
        await sleep(20);
      }
    };
    const feeding = feed();
    const { behindMs } = await move(world, { advance: 'PT10S' });
    moving = false;
    await feeding;
    assert.deepEqual(rejected, []);
    assert.ok(behindMs < SLACK_MS, `the clock was ${behindMs} ms behind`);
  });

  it('ends while callers never rest, and has lived through what was there', async () => {
    const world = await makeRunning();
    const rules = [{ absent: 'PT20M' }, { when: { field: 't', operator: 'gt', value: 1 }, for: 'PT1S' }];
    await world.import({
      devices: ABSENT_AND_TELLING.map((imei) => ({ accountName: ACCOUNT, imei })),
      rules: ABSENT_AND_TELLING.map((deviceImei, n) => ({
        ...{ accountName: ACCOUNT, deviceImei, name: `rule ${n}` },
        ...{ rulesyntax: 'json', rulechain: rules[n] },
      })),
    });
    // Slow, so that something waits for it at every moment.
    let moving = true;
    world.listener.answer = 'never';
    const answering = (async () => {
      while (moving) {
        await sleep(150);
        world.listener.release(200);
        world.listener.answer = 'never';
      }
    })();
    const calling = [0, 1, 2, 3].map(async (n) => {
      while (moving) await post(world, n);
    });
    // What they bring is due at once: the rule has held for a second, an hour ago.
    const telling = (async () => {
      for (let n = 0; moving; n++) {
        const at = new Date(Date.now() - 3_600_000).toISOString();
        const reading = {
          kind: 'imei',
          device: ABSENT_AND_TELLING[1],
          at,
          values: { t: n % 2 === 0 ? 2 : 0 },
        };
        ok(await world.operator('POST', '/readings', JSON.stringify(reading)));
        await sleep(5);
      }
    })();
    await sleep(300);
    const before = (await clockOf(world)).offsetMs;
    await move(world, { advance: 'PT1H' }).finally(() => {
      moving = false;
      world.listener.release(200);
    });
    await Promise.all([answering, telling, ...calling]);
    assert.equal((await clockOf(world)).offsetMs, before + 3_600_000);
    const { call } = await asUser(world);
    const asked = { accountname: ACCOUNT, resourceidentifier: { imei: Number(ABSENT_AND_TELLING[0]) } };
    const alerts = ok(await call('POST', '/dm/v1/smartAlerts/actions/query', asked)).json();
    assert.deepEqual(
      alerts.map(({ state }: { state: string }) => state),
      ['raised'],
    );
  });

  it('that sets a time ends there, or at real time plus the offset it had', async () => {
    const world = await makeRunning('never');
    const far = Date.now() + 3_600_000;
    await move(world, { set: new Date(far).toISOString() });
    const arrived = Date.parse((await clockOf(world)).now);
    assert.ok(arrived >= far && arrived < far + 5_000, new Date(arrived).toISOString());
    const { offsetMs } = await clockOf(world);
    for (let n = 0; n < 4; n++) await post(world, n);
    // The listener takes longer than that.
    const near = Date.now() + offsetMs + ATTEMPT_MS / 4;
    await move(world, { set: new Date(near).toISOString() });
    assert.equal((await clockOf(world)).offsetMs, offsetMs);
  });
});
