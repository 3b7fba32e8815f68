import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { trueChance } from '../../../platform/chance/chance.ts';
import { createSigner, newWebhookSecret } from './listener-secrets.ts';

const BODY = JSON.stringify({ requestId: 'Grüße', callbackCount: 1 });
const ID = 'msg_2f7c';
/** The package compares it with real time. */
const now = Math.floor(Date.now() / 1_000);

const headersOf = (signature: string, id = ID, timestamp = now) => ({
  'webhook-id': id,
  'webhook-timestamp': `${timestamp}`,
  'webhook-signature': signature,
});

describe('webhook signatures', () => {
  const [secret, next, other] = [
    newWebhookSecret(trueChance),
    newWebhookSecret(trueChance),
    newWebhookSecret(trueChance),
  ] as const;
  const signature = createSigner([secret]).sign(ID, now, BODY);

  it('is verified by a receiver with the secret', () => {
    assert.match(signature, /^v1,[A-Za-z0-9+/]{43}=$/);
    assert.deepEqual(new Webhook(secret).verify(BODY, headersOf(signature)), JSON.parse(BODY));
    assert.equal(signature, new Webhook(secret).sign(ID, new Date(now * 1_000), BODY));
  });

  it('matches the example of the standard', () => {
    const { sign } = createSigner(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']);
    assert.equal(
      sign('msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, '{"test": 2432232314}'),
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });

  it('is valid for either secret during a rotation, and for no other', () => {
    const both = createSigner([next, secret]).sign(ID, now, BODY);
    assert.match(both, /^v1,\S+ v1,\S+$/);
    for (const known of [secret, next]) assert.ok(new Webhook(known).verify(BODY, headersOf(both)));
    assert.throws(() => new Webhook(other).verify(BODY, headersOf(both)), WebhookVerificationError);
  });

  it('covers body, id and time', () => {
    const webhook = new Webhook(secret);
    const refused = (body: string, headers: Record<string, string>) =>
      assert.throws(() => webhook.verify(body, headers), WebhookVerificationError);
    refused(BODY.replace('1', '2'), headersOf(signature));
    refused(BODY, headersOf(signature, 'msg_2f7d'));
    refused(BODY, headersOf(signature, ID, now + 1));
  });

  it('accepts one or two secrets in the standard form, and repeats none in an error', () => {
    const wrong = [[], [secret, next, other], ['whsec_'], ['nothing'], ['whsec_äöü='], [secret.slice(6)]];
    for (const secrets of wrong)
      assert.throws(
        () => createSigner(secrets),
        ({ name, message }: Error) => name === 'TypeError' && /^(a webhook|one or two)/.test(message),
      );
    assert.throws(() => createSigner([`${secret}!`]), {
      message: 'a webhook secret must be whsec_ and base64',
    });
  });
});
