import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { ACCOUNT, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import type { LeasedLane } from '../delivery/lane.ts';
import {
  claimLanes,
  type EndedAttempt,
  listDueMessages,
  listLanes,
  recordAttempts,
} from '../delivery/sql-lane.ts';
import { postCallbacks } from '../post-callback.ts';
import { listDeliveries } from '../sql-log.ts';

const ECPD = '9000001';
const SERVICES = ['AlertService', 'CarrierService'] as const;
const ODD_ANSWER = 'NULL, {"a":"b\\c"}, \'d\'';

/** Two lanes, leased, with two messages each. */
async function makeScene() {
  const { ctx, ...world } = await makeWorld();
  await world.import({
    ...SMALL_FLEET,
    listeners: SERVICES.map((serviceName) => ({
      accountName: ACCOUNT,
      serviceName,
      url: 'http://127.0.0.1:9000/',
    })),
  });
  const callbacks = [...SERVICES, ...SERVICES].map((serviceName, n) => ({
    accountName: ACCOUNT,
    serviceName,
    requestId: `r${n}`,
    payload: {},
  }));
  await postCallbacks(ctx, ECPD, callbacks);
  const lanes = await listLanes(ctx.db, { dueBy: ctx.now(), limit: 10 });
  const leased = await claimLanes(ctx.db, ECPD, lanes, randomUUID());
  const attempts: EndedAttempt[] = [];
  for (const lane of leased) {
    const messages = await listDueMessages(ctx.db, lane, { now: ctx.now(), after: undefined, limit: 10 });
    for (const message of messages) attempts.push(acknowledged(lane, message, ctx.now()));
  }
  const deliveries = async () =>
    new Map((await listDeliveries(ctx.db, { limit: 10 })).map((delivery) => [delivery.id, delivery]));
  return { ctx, attempts, deliveries };
}

const acknowledged = (lane: LeasedLane, message: EndedAttempt['message'], startedAt: Date): EndedAttempt => ({
  ...{ lane, message, startedAt, nextDueAt: undefined },
  outcome: { status: 200, error: null, latencyMs: 3.4, answer: '' },
});

describe('attempts recorded together', () => {
  it('keep each its own outcome, whatever the others have', async () => {
    const { ctx, attempts, deliveries } = await makeScene();
    const [first, second, third, fourth] = attempts;
    const nextDueAt = new Date(ctx.now().getTime() + 300_000);
    const refused = { status: 503, error: null, latencyMs: 7, answer: ODD_ANSWER };
    const unanswered = { status: null, error: 'connection refused', latencyMs: 0, answer: '' };
    await recordAttempts(ctx.db, ECPD, [
      first!,
      { ...second!, outcome: refused, nextDueAt },
      { ...third!, outcome: unanswered, nextDueAt },
      fourth!,
    ]);
    const found = await deliveries();
    assert.deepEqual(
      attempts.map(({ message }) => {
        const { state, nextAttemptAt, attempts: made } = found.get(message.messageId)!;
        return [state, nextAttemptAt, ...made.map(({ status, error, body }) => [status, error, body])];
      }),
      [
        ['delivered', null, [200, null, '']],
        ['pending', nextDueAt, [503, null, ODD_ANSWER]],
        ['pending', nextDueAt, [null, 'connection refused', '']],
        ['delivered', null, [200, null, '']],
      ],
    );
  });

  it('are recorded once, also when they are written again', async () => {
    const { ctx, attempts, deliveries } = await makeScene();
    await recordAttempts(ctx.db, ECPD, attempts);
    await recordAttempts(ctx.db, ECPD, attempts);
    for (const { state, attempts: made } of (await deliveries()).values())
      assert.deepEqual([state, made.length], ['delivered', 1]);
  });

  it('are recorded only for the lanes whose lease is still held', async () => {
    const { ctx, attempts, deliveries } = await makeScene();
    const lost = attempts[0]!.lane;
    const late = { ...lost, leaseToken: randomUUID() };
    await recordAttempts(
      ctx.db,
      ECPD,
      attempts.map((attempt) => (attempt.lane === lost ? { ...attempt, lane: late } : attempt)),
    );
    const found = await deliveries();
    assert.deepEqual(
      attempts.map(({ message }) => found.get(message.messageId)!.state),
      attempts.map(({ lane }) => (lane === lost ? 'pending' : 'delivered')),
    );
  });
});
