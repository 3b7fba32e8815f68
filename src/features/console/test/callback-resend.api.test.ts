import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, MANAGED, SMALL_FLEET, USER } from '../../../../test/support/fleet.ts';
import { openListener } from '../../../../test/support/listener.ts';
import { openRandom } from '../../../../test/support/seeded-random.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { type Callback, postCallbacks } from '../../callbacks/index.ts';
import { BROWSER, signIn } from './scene.ts';

const ECPD = '9000001';
const SERVICES = ['AlertService', 'CarrierService', 'Fota'] as const;
/** Nobody listens for it. */
const UNHEARD = 'Fota';

const world = await makeWorld();
const { ctx } = world;
await world.import({ ...SMALL_FLEET, listeners: [] });
const listener = await openListener();
const user = await signIn(world, USER);
const at = (path: string) => `/accounts/${ACCOUNT}/callbacks${path}`;

interface Posted {
  readonly id: string;
  readonly serviceName: string;
  readonly requestId: string;
  readonly atMs: number;
}

const listenersAre = (on: boolean) =>
  Promise.all(
    SERVICES.filter((name) => name !== UNHEARD).map((name) =>
      on
        ? user.send('PUT', at(`/listeners/${name}`), { url: listener.url })
        : user.call('DELETE', `/m2m/v1/callbacks/${ACCOUNT}/name/${name}`),
    ),
  );

/** Callbacks that failed because nobody listened, at random times; then there are listeners. */
async function failSome(count: number, draw: () => Pick<Callback, 'serviceName' | 'requestId'>) {
  await ctx.db.exec(sql`truncate callback_message, callback_pending, callback_failed, callback_attempt`);
  await listenersAre(false);
  const posted: Posted[] = [];
  const random = openRandom(`resend-${count}`);
  while (posted.length < count) {
    const some = Array.from({ length: random.between(1, Math.min(700, count - posted.length)) }, draw);
    const callbacks = some.map((one) => ({ ...one, accountName: ACCOUNT, payload: {} }));
    const ids = await postCallbacks(ctx, ECPD, callbacks);
    posted.push(...some.map((one, n) => ({ ...one, id: ids[n]!, atMs: ctx.now().getTime() })));
    world.pass(random.between(0, 2));
  }
  await listenersAre(true);
  return posted;
}

const waiting = async () =>
  new Set(
    (await ctx.db.many<{ id: string }>(sql`select message_id as id from callback_pending`)).map(
      ({ id }) => id,
    ),
  );

/** As the console does it: until there is no more. */
async function resendAll(body: object): Promise<number[]> {
  const parts: number[] = [];
  let next: string | undefined;
  do {
    const answer = await user.send('POST', at('/resend'), { ...body, ...(next && { after: next }) });
    assert.equal(answer.statusCode, 200, answer.body);
    parts.push(answer.json().resent);
    next = answer.json().next;
  } while (next !== undefined);
  return parts;
}

describe('a re-send', () => {
  it('200: takes exactly what the count told, of any service, request and span of time', async () => {
    const random = openRandom('filters');
    const draw = () => ({
      serviceName: random.pick(SERVICES),
      requestId: random.pick(['one', 'two', 'three']),
    });
    for (let round = 0; round < 12; round++) {
      const posted = await failSome(60, draw);
      const times = posted.map(({ atMs }) => atMs);
      const filter = {
        ...(random.next() < 0.5 && { serviceName: random.pick(SERVICES) }),
        ...(random.next() < 0.3 && { requestId: random.pick(['one', 'two']) }),
        ...(random.next() < 0.6 && { since: random.pick(times) }),
        ...(random.next() < 0.6 && { until: random.pick(times) + 1 }),
      };
      const matching = posted.filter(
        ({ serviceName, requestId, atMs }) =>
          (filter.serviceName ?? serviceName) === serviceName &&
          (filter.requestId ?? requestId) === requestId &&
          atMs >= (filter.since ?? 0) &&
          atMs < (filter.until ?? Number.POSITIVE_INFINITY),
      );
      const query = new URLSearchParams(
        Object.entries(filter).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const counted = (await user.get(at(`/failed?${query}`))).json();
      const expected = Map.groupBy(matching, ({ serviceName }) => serviceName);
      assert.deepEqual(
        counted.services,
        [...expected]
          .map(([serviceName, of]) => ({
            serviceName,
            failed: of.length,
            hasListener: serviceName !== UNHEARD,
          }))
          .toSorted((a, b) => (a.serviceName < b.serviceName ? -1 : 1)),
        JSON.stringify(filter),
      );
      assert.equal(counted.isAll, true);
      await resendAll({ ...filter, until: counted.until });
      const sendable = matching.filter(({ serviceName }) => serviceName !== UNHEARD);
      assert.deepEqual(await waiting(), new Set(sendable.map(({ id }) => id)), JSON.stringify(filter));
    }
  });

  it('200: of many goes in parts, each message once, and a part that is sent again does nothing twice', async () => {
    const posted = await failSome(4_500, () => ({ serviceName: 'AlertService', requestId: 'many' }));
    const key = { ...BROWSER, 'idempotency-key': 'part-1' };
    const first = (await user.send('POST', at('/resend'), {}, key)).json();
    const again = (await user.send('POST', at('/resend'), {}, key)).json();
    assert.deepEqual(again, first);
    assert.equal(first.resent, 2_000);
    assert.equal((await waiting()).size, 2_000);
    const oldest = [...posted].toSorted((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1));
    assert.deepEqual(await waiting(), new Set(oldest.slice(0, 2_000).map(({ id }) => id)));
    // What has failed once more meanwhile is not met again by what goes on.
    await ctx.db.exec(sql`
      with gone as (delete from callback_pending returning ecpd_id, account_name, service_name, message_id)
      insert into callback_failed (ecpd_id, message_id, account_name, service_name, created_at)
      select ecpd_id, message_id, account_name, service_name, m.created_at
      from gone join callback_message m using (ecpd_id, message_id, account_name, service_name)`);
    assert.deepEqual(await resendAll({ after: first.next }), [2_000, 500]);
    assert.deepEqual(await waiting(), new Set(oldest.slice(2_000).map(({ id }) => id)));
  });

  it('200: of a selection takes those that failed, and of another account none', async () => {
    const posted = await failSome(10, () => ({ serviceName: 'AlertService', requestId: 'selected' }));
    const messageIds = posted.slice(0, 4).map(({ id }) => id);
    const elsewhere = await user.send('POST', `/accounts/${MANAGED}/callbacks/resend`, { messageIds });
    assert.notEqual(elsewhere.json().resent, 4);
    assert.equal((await waiting()).size, 0);
    assert.deepEqual(await resendAll({ messageIds }), [4]);
    assert.deepEqual(await resendAll({ messageIds }), [0]);
    assert.deepEqual(await waiting(), new Set(messageIds));
  });

  it('400: is refused where what should make it fewer is misspelt, null, empty or too much', async () => {
    const [one] = await failSome(1, () => ({ serviceName: 'AlertService', requestId: 'slips' }));
    for (const slip of [
      { messageIds: [] },
      { messageIds: null },
      { messageIds: Array.from({ length: 501 }, () => one!.id) },
      { messageId: one!.id },
      { since: null },
      { until: null },
      { until: '2026-01-01' },
      { from: 1 },
      { after: 'x' },
    ]) {
      const answer = await user.send('POST', at('/resend'), slip);
      assert.equal(answer.statusCode, 400, JSON.stringify(slip).slice(0, 80));
    }
    assert.equal((await waiting()).size, 0);
  });

  it('403: an operator who may only read counts, and sends nothing', async () => {
    await failSome(3, () => ({ serviceName: 'AlertService', requestId: 'reader' }));
    const made = (await world.operator('POST', '/keys', { name: 'reader', scopes: ['read'] })).json();
    const reader = await signIn(world, { operatorKey: made.key });
    assert.equal((await reader.get(at('/failed'))).json().services[0].failed, 3);
    for (const path of ['/resend', '/test'])
      assert.equal((await reader.send('POST', at(path), { event: 'niddUplink' })).statusCode, 403, path);
    assert.equal((await waiting()).size, 0);
  });
});
