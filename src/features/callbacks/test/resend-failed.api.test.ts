import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, MANAGED, SMALL_FLEET, USER } from '../../../../test/support/fleet.ts';
import { openListener } from '../../../../test/support/listener.ts';
import { randomFor } from '../../../../test/support/seeded-random.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { BROWSER, signIn } from '../../console/test/scene.ts';
import { type Callback, postCallbacks } from '../messages/post-callback.ts';

const ECPD = '9000001';
const SERVICES = ['AlertService', 'CarrierService', 'Fota'] as const;
/** Nobody listens for it. */
const UNHEARD = 'Fota';

const world = await makeWorld();
const { ctx } = world;
await world.import({ ...SMALL_FLEET, listeners: [] });
const listener = await openListener();
const user = await signIn(world, USER);
const operator = await signIn(world);
const { call } = await asUser(world);
const at = (path: string, account = ACCOUNT) => `/m2m/v1/callbacks/${account}${path}`;
const RESEND = '/failed/resend';

interface Posted {
  readonly id: string;
  readonly serviceName: string;
  readonly requestId: string;
  readonly atMs: number;
}

const listenersAre = (on: boolean) =>
  Promise.all(
    SERVICES.filter((name) => name !== UNHEARD).map((name) =>
      on ? call('PUT', at(`/name/${name}`), { url: listener.url }) : call('DELETE', at(`/name/${name}`)),
    ),
  );

/** Callbacks that failed because nobody listened, at random times; then there are listeners. */
async function failSome(count: number, draw: () => Pick<Callback, 'serviceName' | 'requestId'>) {
  await ctx.db.exec(sql`truncate callback_message, callback_pending, callback_failed, callback_attempt`);
  await listenersAre(false);
  const posted: Posted[] = [];
  const random = randomFor(`resend-${count}`);
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

/** Part by part, until there is no more. */
async function resendAll(body: object): Promise<number[]> {
  const parts: number[] = [];
  let next: string | undefined;
  do {
    const answer = await call('POST', at(RESEND), { ...body, ...(next && { after: next }) });
    assert.equal(answer.statusCode, 200, answer.body);
    parts.push(answer.json().resent);
    next = answer.json().next;
  } while (next !== undefined);
  return parts;
}

describe('POST /m2m/v1/callbacks/{accountName}/failed/resend', () => {
  it('200: sends exactly the callbacks that were counted, for any service, request and span of time', async () => {
    const random = randomFor('filters');
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
      const counted = (await call('GET', at(`/failed?${query}`))).json();
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

  it('200: sends many in parts, each message once, and a repeated part changes nothing', async () => {
    const posted = await failSome(4_500, () => ({ serviceName: 'AlertService', requestId: 'many' }));
    const key = { 'idempotency-key': 'part-1' };
    const first = (await call('POST', at(RESEND), {}, key)).json();
    const again = (await call('POST', at(RESEND), {}, key)).json();
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

  it('200: sends a part once by cookie too, however often it is repeated with its key', async () => {
    await failSome(5, () => ({ serviceName: 'AlertService', requestId: 'by cookie' }));
    const part = () => user.call('POST', at(RESEND), {}, { ...BROWSER, 'idempotency-key': 'part-2' });
    assert.deepEqual((await part()).json(), { resent: 5 });
    assert.deepEqual((await part()).json(), { resent: 5 });
    assert.equal((await waiting()).size, 5);
  });

  it('200: sends the failed callbacks of a selection, and none of another account', async () => {
    const posted = await failSome(10, () => ({ serviceName: 'AlertService', requestId: 'selected' }));
    const messageIds = posted.slice(0, 4).map(({ id }) => id);
    const elsewhere = await operator.call('POST', at(RESEND, MANAGED), { messageIds });
    assert.equal(elsewhere.json().resent, 0);
    assert.equal((await waiting()).size, 0);
    assert.deepEqual(await resendAll({ messageIds }), [4]);
    assert.deepEqual(await resendAll({ messageIds }), [0]);
    assert.deepEqual(await waiting(), new Set(messageIds));
  });

  it('400: refuses a filter that is misspelt, null, empty or too large', async () => {
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
      const answer = await call('POST', at(RESEND), slip);
      assert.equal(answer.statusCode, 400, JSON.stringify(slip).slice(0, 80));
    }
    assert.equal((await waiting()).size, 0);
  });

  it('403: refuses an operator who may only read, who may still count', async () => {
    await failSome(3, () => ({ serviceName: 'AlertService', requestId: 'reader' }));
    const made = (await world.operator('POST', '/keys', { name: 'reader', scopes: ['read'] })).json();
    const reader = await signIn(world, { operatorKey: made.key });
    assert.equal((await reader.call('GET', at('/failed'))).json().services[0].failed, 3);
    for (const path of [RESEND, '/test'])
      assert.equal((await reader.call('POST', at(path), { event: 'niddUplink' })).statusCode, 403, path);
    assert.equal((await waiting()).size, 0);
  });
});
