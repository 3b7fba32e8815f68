import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { postCallbacks, resendCallbacks } from '../../src/features/callbacks/index.ts';
import type { Tenant } from '../../src/platform/context/context.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { ECPD, MINUTE_MS, makeScene } from '../support/callback-scene.ts';
import { ACCOUNT, MANAGED, STRANGER } from '../support/fleet.ts';

const requestsOf = (deliveries: { requestId: string }[]) => deliveries.map(({ requestId }) => requestId);

/** Delivered, exhausted, pending, removed and without a listener, one of each, in this order of age. */
async function makeLog() {
  const scene = await makeScene();
  const { post, delivery, listener, pass, ctx, register, user } = scene;
  await post({}, 'delivered');
  await delivery.settle();
  pass(1);
  listener.answer = 500;
  await post({}, 'exhausted');
  for (let i = 0; i < 4; i++) {
    await delivery.settle();
    if (i < 3) pass(5 * MINUTE_MS);
  }
  pass(1);
  await register({ name: 'Fota' });
  const postTo = (serviceName: 'Fota' | 'DeviceUsage', requestId: string) =>
    postCallbacks(ctx, ECPD, [{ accountName: ACCOUNT, serviceName, requestId, payload: {} }]);
  await postTo('Fota', 'removed');
  await user.call('DELETE', `/m2m/v1/callbacks/${ACCOUNT}/name/Fota`);
  pass(MINUTE_MS);
  await postTo('DeviceUsage', 'never-heard');
  pass(MINUTE_MS);
  await post({}, 'pending');
  await delivery.settle();
  return scene;
}

describe('the log of deliveries', () => {
  it('is newest first and can be filtered, by the owner and by the operator', async () => {
    const { deliveries, operator } = await makeLog();
    for (const [query, expected] of [
      ['', ['pending', 'never-heard', 'removed', 'exhausted', 'delivered']],
      ['state=delivered', ['delivered']],
      ['state=failed', ['never-heard', 'removed', 'exhausted']],
      ['state=pending', ['pending']],
      ['serviceName=Fota', ['removed']],
      ['serviceName=Fota&state=failed', ['removed']],
      ['serviceName=Fota&state=delivered', []],
      ['serviceName=AlertService&state=pending', ['pending']],
      ['serviceName=DeviceUsage&state=pending', []],
      ['requestId=exhausted', ['exhausted']],
      ['requestId=exhausted&state=delivered', []],
      ['limit=2', ['pending', 'never-heard']],
    ] as const) {
      const asOperator = async (more: string) => (await operator('GET', `/callbacks?${more}`)).json();
      assert.deepEqual(requestsOf(await deliveries(`?${query}`)), expected, `owner ${query}`);
      assert.deepEqual(requestsOf(await asOperator(query)), expected, `operator ${query}`);
      const ofAccount = await asOperator(`accountName=${ACCOUNT}&${query}`);
      assert.deepEqual(requestsOf(ofAccount), expected, `operator with account ${query}`);
      for (const other of [MANAGED, STRANGER, 'nobody'])
        assert.deepEqual(await asOperator(`accountName=${other}&${query}`), [], `${other} ${query}`);
    }
  });

  it('shows a message acknowledged while its listener is removed as delivered, and it is not re-sent', async () => {
    const { post, delivery, listener, ctx, user, register, deliveries } = await makeScene('never');
    delivery.start();
    await post({});
    await listener.next();
    await user.call('DELETE', `/m2m/v1/callbacks/${ACCOUNT}/name/AlertService`);
    listener.release(200);
    while ((await deliveries('?state=delivered')).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(await deliveries('?state=failed'), []);
    await register({});
    assert.equal(await resendCallbacks(ctx, { ecpdId: ECPD, accountName: ACCOUNT } as Tenant, {}), 0);
  });
});

describe('re-sending', () => {
  it('selects callbacks that failed for any reason, by filter', async () => {
    const { operator, register, deliveries, pass } = await makeLog();
    const resend = async (body: object) =>
      (await operator('POST', '/callbacks/resend', { accountName: ACCOUNT, ...body })).json();
    assert.deepEqual(await resend({ serviceName: 'Fota' }), { resent: 0 }, 'nowhere to go');
    for (const name of ['Fota', 'DeviceUsage']) await register({ name });
    assert.deepEqual(await resend({ serviceName: 'Fota' }), { resent: 1 });
    pass(1);
    assert.deepEqual(await resend({ since: '2100-01-01T00:00:00Z' }), { resent: 0 });
    assert.deepEqual(await resend({}), { resent: 2 });
    assert.deepEqual(await deliveries('?state=failed'), []);
    assert.equal((await deliveries('?state=pending')).length, 4);
  });

  it('of an account is refused if a filter is misspelt, null or empty', async () => {
    const { operator, register, deliveries } = await makeLog();
    for (const name of ['Fota', 'DeviceUsage']) await register({ name });
    const before = await deliveries('?state=failed');
    for (const slip of [
      { requestID: 'x' },
      { requestId: null },
      { requestId: '' },
      { since: null },
      { service: 'Fota' },
    ]) {
      const answer = await operator('POST', '/callbacks/resend', { accountName: ACCOUNT, ...slip });
      assert.equal(answer.statusCode, 400, `${JSON.stringify(slip)} ${answer.body}`);
    }
    assert.deepEqual(await deliveries('?state=failed'), before);
  });

  it('of the same messages by two concurrent calls starts one new series for each', async () => {
    const { ctx, register } = await makeScene();
    const callbacks = Array.from({ length: 500 }, (_, n) => ({
      accountName: ACCOUNT,
      serviceName: 'Fota' as const,
      requestId: 'twice',
      payload: { n },
    }));
    await postCallbacks(ctx, ECPD, callbacks);
    await register({ name: 'Fota' });
    const tenant = { ecpdId: ECPD, accountName: ACCOUNT } as Tenant;
    const counts = await Promise.all(
      Array.from({ length: 4 }, () => resendCallbacks(ctx, tenant, { requestId: 'twice' })),
    );
    assert.equal(
      counts.reduce((sum, n) => sum + n, 0),
      500,
    );
    assert.equal((await ctx.db.many(sql`select 1 from callback_pending`)).length, 500);
  });
});
