import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ECPD, MINUTE_MS, makeScene } from '../support/callback-scene.ts';
import { ACCOUNT } from '../support/fleet.ts';

type Scene = Awaited<ReturnType<typeof makeScene>>;

/** A job sends its reports, which have the transaction id in the body. */
const changeConsent = async ({ user }: Scene, headers: Record<string, string> = {}) => {
  const body = { accountName: ACCOUNT, allDeviceConsent: '2' };
  const answer = await user.call('PUT', '/loc/v1/devicelocations/action/consents', body, headers);
  assert.equal(answer.statusCode, 200, answer.body);
  return { requestId: answer.headers['x-request-id'], transactionID: answer.json().transactionID };
};

const TRIGGER = {
  triggerId: '7a6d0f5e-9f0a-4c55-8f0e-000000000001',
  triggerName: 'used',
  ecpdId: ECPD,
  pricePlanTrigger: {
    payAsYouGo: {
      filterCriteria: { carrierServicePlanCode: 'P-5MB', accountNameList: [ACCOUNT] },
      condition: { conditionType: 'Individual', comparator: 'gt', threshold: 1, thresholdUnit: 'KB' },
      action: {},
    },
  },
  notification: { notificationType: 'PerEvent', callback: true },
};

// proves callbacks/callback-request-id
describe('the request id in the header of a callback', () => {
  // proves requests/request-ids
  it("is the caller's, under either name, while the body keeps its own", async () => {
    for (const name of ['x-request-id', 'x-correlator']) {
      const scene = await makeScene(200, 'consentEnableReport');
      const { transactionID } = await changeConsent(scene, { [name]: 'my-call_1' });
      await scene.engine.settle();
      await scene.delivery.settle();
      const [{ headers, body } = assert.fail('nothing arrived')] = scene.listener.heard;
      assert.equal(headers['x-request-id'], 'my-call_1');
      assert.equal((body['message'] as { transactionID: string }).transactionID, transactionID);
    }
  });

  it('is the generated id of the call if the caller sent none or an invalid one', async () => {
    for (const sent of [{}, { 'x-request-id': 'a'.repeat(65) }]) {
      const scene = await makeScene(200, 'consentEnableReport');
      const { requestId } = await changeConsent(scene, sent);
      await scene.engine.settle();
      await scene.delivery.settle();
      assert.equal(scene.listener.heard[0]?.headers['x-request-id'], requestId);
    }
  });

  // proves requests/request-ids
  it('stays the same in every attempt and re-send, by owner or operator', async () => {
    const scene = await makeScene(500, 'consentEnableReport');
    const longest = 'a'.repeat(64);
    const { transactionID } = await changeConsent(scene, { 'x-request-id': longest });
    await scene.engine.settle();
    for (let attempt = 1; attempt <= 4; attempt++, scene.pass(5 * MINUTE_MS)) await scene.delivery.settle();
    const resent = await scene.user.call(
      'POST',
      `/m2m/v1/callbacks/${ACCOUNT}/resend`,
      { requestId: transactionID },
      { 'x-request-id': 'another' },
    );
    assert.deepEqual(resent.json(), { resent: 1 });
    await scene.delivery.settle();
    assert.deepEqual(
      scene.listener.heard.map(({ headers }) => headers['x-request-id']),
      Array.from({ length: 5 }, () => longest),
    );
  });

  it('is that of the feed if its records fired a trigger', async () => {
    const { import: load, operator, delivery, listener, clock } = await makeScene();
    await load({ pricePlanTriggers: [TRIGGER] });
    const record = {
      id: 'u1',
      kind: 'imei',
      device: '990000000000011',
      at: clock.now().toISOString(),
      bytes: 5_000,
    };
    const fed = await operator('POST', '/usage', [record], { 'x-request-id': 'feed-7' });
    assert.equal(fed.statusCode, 200, fed.body);
    await delivery.settle();
    assert.deepEqual(
      listener.heard.map(({ headers }) => headers['x-request-id']),
      ['feed-7'],
    );
  });

  it('is that of the message if no call caused it', async () => {
    const { post, delivery, listener } = await makeScene();
    await post({}, 'of-the-message');
    await delivery.settle();
    assert.equal(listener.heard[0]?.headers['x-request-id'], 'of-the-message');
  });
});
