import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTestDatabase } from '../../../../test/support/database.ts';
import { ACCOUNT, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import type { AccountName, EcpdId } from '../../../kernel/account-name.ts';
import { sql } from '../../../platform/db/sql.ts';
import { unreportedLoop } from '../../../platform/health/health.ts';
import type { EndedAttempt } from '../delivery/ended-attempt.ts';
import type { LeasedLane } from '../delivery/lane.ts';
import { createRecorder } from '../delivery/recorder.ts';
import { recordAttempts } from '../delivery/sql-attempts.ts';
import { listDueMessages } from '../delivery/sql-due.ts';
import { claimLanes, listLanes, renewLanes } from '../delivery/sql-lane.ts';
import { listDeliveries } from '../messages/delivery-log.ts';
import { postCallbacks } from '../messages/post-callback.ts';
import { deleteMessagesAbout } from '../messages/sql-message.ts';

const ECPD = '9000001';
const SERVICES = ['AlertService', 'CarrierService'] as const;
const ODD_ANSWER = 'NULL, {"a":"b\\c"}, \'d\'';

const { ctx, databaseUrl, ...world } = await makeWorld();
await world.import({
  ...SMALL_FLEET,
  listeners: SERVICES.map((serviceName) => ({
    accountName: ACCOUNT,
    serviceName,
    url: 'http://127.0.0.1:9000/',
  })),
});

/** Two lanes, leased, with two messages each, and nothing else. */
async function makeScene() {
  await ctx.db.exec(sql`truncate callback_message, callback_pending, callback_attempt, callback_lane`);
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
  const asked = leased.map((lane) => ({ lane, after: undefined, limit: 10 }));
  const due = await listDueMessages(ctx.db, ECPD, asked, ctx.now());
  for (const [nth, lane] of leased.entries())
    for (const message of due[nth]!.messages) attempts.push(acknowledged(lane, message, ctx.now()));
  const deliveries = async () =>
    new Map(
      (await listDeliveries(ctx, { limit: 10 }, async () => new Map())).map((delivery) => [
        delivery.id,
        delivery,
      ]),
    );
  return { attempts, deliveries };
}

const acknowledged = (lane: LeasedLane, message: EndedAttempt['message'], startedAt: Date): EndedAttempt => ({
  ...{ lane, message, startedAt, nextDueAt: undefined },
  outcome: { status: 200, error: null, latencyMs: 3.4, answer: '' },
});

describe('attempts recorded together', () => {
  it('each keep their own outcome', async () => {
    const { attempts, deliveries } = await makeScene();
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

  it('are recorded once, even if they are written again', async () => {
    const { attempts, deliveries } = await makeScene();
    await recordAttempts(ctx.db, ECPD, attempts);
    await recordAttempts(ctx.db, ECPD, attempts);
    for (const { state, attempts: made } of (await deliveries()).values())
      assert.deepEqual([state, made.length], ['delivered', 1]);
  });

  it('leave nothing of a message that was erased while it was under way', async () => {
    const { attempts } = await makeScene();
    await ctx.db.exec(
      sql`update callback_message set rests_on = '{"deviceId":"any"}' where ecpd_id = ${ECPD}`,
    );
    await deleteMessagesAbout(ctx.db, { ecpdId: ECPD as EcpdId, accountName: ACCOUNT as AccountName });
    await recordAttempts(ctx.db, ECPD, attempts);
    const left = await ctx.db.one(sql`
      select (select count(*)::int from callback_attempt) as attempts, (select count(*)::int from callback_pending) as pending`);
    assert.deepEqual(left, { attempts: 0, pending: 0 });
  });

  // proves callbacks/at-least-once
  it('are recorded only for the lanes whose lease is still held', async () => {
    const { attempts, deliveries } = await makeScene();
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

describe('recording that meets a lock', () => {
  /** Limits every statement to this time. */
  const LOCK_WAIT_MS = 250;
  const openImpatient = () =>
    openTestDatabase(databaseUrl, { connections: 5, statementTimeoutMs: LOCK_WAIT_MS });

  it('is retried while the lane is held, and settled once it is written', async () => {
    const { attempts, deliveries } = await makeScene();
    const db = openImpatient();
    const [blocked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const blocking = ctx.db.tx(async (tx) => {
      await tx.exec(sql`select 1 from callback_pending where ecpd_id = ${ECPD} for update`);
      blocked.resolve();
      await released.promise;
    });
    await blocked.promise;
    let settled = 0;
    let failures = 0;
    const recorder = createRecorder(
      { ...ctx, db },
      {
        loop: { ...unreportedLoop, failed: () => failures++ },
        giveUpMs: LOCK_WAIT_MS,
        isHeld: () => true,
        onSettled: (ended) => {
          settled += ended.length;
        },
      },
    );
    for (const attempt of attempts) recorder.add(attempt);
    // For longer than the limit of a stopping process: no other worker has taken the lane, so the results still
    // count.
    while (failures < 3 && settled === 0) await sleep(10);
    assert.equal(settled, 0);
    released.resolve();
    await blocking;
    while (settled < attempts.length) await sleep(5);
    for (const { state, attempts: made } of (await deliveries()).values())
      assert.deepEqual([state, made.length], ['delivered', 1]);
    await db.close();
  });

  it('is given up once the lane is no longer held', async () => {
    const { attempts } = await makeScene();
    const db = openImpatient();
    let held = true;
    let settled = 0;
    await ctx.db.tx(async (tx) => {
      await tx.exec(sql`select 1 from callback_pending where ecpd_id = ${ECPD} for update`);
      const recorder = createRecorder(
        { ...ctx, db },
        {
          loop: unreportedLoop,
          isHeld: () => held,
          onSettled: (ended) => {
            settled += ended.length;
          },
        },
      );
      for (const attempt of attempts) recorder.add(attempt);
      held = false;
      while (settled < attempts.length) await sleep(5);
    });
    await db.close();
  });
});

describe('lanes whose leases are renewed', () => {
  it('do not wait for a locked one, which does not count as lost', async () => {
    const { attempts } = await makeScene();
    const lanes = [...new Set(attempts.map(({ lane }) => lane))];
    const renewed = await ctx.db.tx(async (tx) => {
      await tx.exec(
        sql`select 1 from callback_lane where ecpd_id = ${ECPD} and service_name = ${SERVICES[0]} for update`,
      );
      return renewLanes(ctx.db, ECPD, [...lanes, { ...lanes[1]!, leaseToken: randomUUID() }]);
    });
    assert.deepEqual(renewed.map((lane) => [lane.serviceName, lane.renewed]).toSorted(), [
      [SERVICES[0], false],
      [SERVICES[1], true],
    ]);
  });
});

describe('lanes with something due', () => {
  it('are limited in number per profile, with none for a profile that has its maximum', async () => {
    await makeScene();
    await ctx.db.exec(sql`update callback_lane set lease_until = '-infinity'`);
    const list = (more: object) => listLanes(ctx.db, { dueBy: ctx.now(), limit: 10, ...more });
    assert.deepEqual(
      [
        (await list({})).length,
        (await list({ perProfileMax: 1 })).length,
        (await list({ except: [ECPD] })).length,
      ],
      [2, 1, 0],
    );
  });
});
