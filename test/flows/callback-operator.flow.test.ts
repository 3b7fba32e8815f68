import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeScene } from '../support/callback-scene.ts';
import { ACCOUNT } from '../support/fleet.ts';

describe('the operator', () => {
  it('sends a callback of any service through the normal delivery and sees it in the log', async () => {
    const { operator, delivery, listener } = await makeScene(200, 'PromoChanges');
    const sent = await operator('POST', '/events', {
      accountName: ACCOUNT,
      serviceName: 'PromoChanges',
      payload: { promo: 'X' },
    });
    assert.equal(sent.statusCode, 200, sent.body);
    await delivery.settle();
    assert.deepEqual(
      [listener.heard[0]?.body['promo'], listener.heard[0]?.body['requestId']],
      ['X', sent.json().requestId],
    );
    const [logged] = (await operator('GET', `/callbacks?requestId=${sent.json().requestId}`)).json();
    assert.deepEqual([logged.id, logged.state, logged.attempts.length], [sent.json().id, 'delivered', 1]);
  });

  it('moves the clock over the retries of a dead listener and sees all four attempts', async () => {
    const { operator, post, listener } = await makeScene(500);
    await post({});
    const answer = await operator('POST', '/clock', { advance: 'PT20M' });
    assert.equal(answer.statusCode, 200, answer.body);
    assert.equal(listener.heard.length, 4);
    assert.equal((await operator('GET', '/callbacks?state=failed')).json().length, 1);
  });
});
