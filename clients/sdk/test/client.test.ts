import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, CLIENT, STRANGER, USER } from '../../../test/support/fleet.ts';
import { createClient } from '../index.ts';
import { CREDENTIALS, makeScene } from './scene.ts';

const scene = await makeScene();
const { client, takeSent, pass } = scene;

const MINUTE_MS = 60_000;
const [TOKEN, LOGIN] = ['POST /ts/v1/oauth2/token', 'POST /m2m/v1/session/login'];
const [PLANS, EXCLUSIONS] = [`GET /m2m/v1/plans/${ACCOUNT}`, `GET /loc/v1/consents/${ACCOUNT}`];
const path = { accountName: ACCOUNT };

describe('a client and its two tokens', () => {
  it('asks for them with the first call and once for all that are made at the same time', async () => {
    const one = client();
    assert.deepEqual(takeSent(), []);
    const all = await Promise.all(
      Array.from({ length: 8 }, () => one.call('GET /m2m/v1/plans/{accountName}', { path })),
    );
    assert.deepEqual(new Set(all.map(([plan]) => plan?.code)), new Set(['P-5MB']));
    assert.deepEqual(takeSent(), [TOKEN, LOGIN, ...Array.from({ length: 8 }, () => PLANS)]);
  });

  it('logs in again when the session has expired, in every area, and repeats the call once', async () => {
    const one = client();
    await one.call('GET /m2m/v1/plans/{accountName}', { path });
    takeSent();
    pass(21 * MINUTE_MS);
    await one.call('GET /m2m/v1/plans/{accountName}', { path });
    assert.deepEqual(takeSent(), [PLANS, LOGIN, PLANS]);
    pass(21 * MINUTE_MS);
    await one.call('GET /loc/v1/consents/{accountName}', { path });
    assert.deepEqual(takeSent(), [EXCLUSIONS, LOGIN, EXCLUSIONS]);
  });

  it('gets another bearer token when that has ended, and keeps its session', async () => {
    const one = client();
    await one.call('GET /m2m/v1/plans/{accountName}', { path });
    await scene.operator('POST', `/clients/${CLIENT.clientId}/disable`);
    await scene.operator('POST', `/clients/${CLIENT.clientId}/enable`);
    takeSent();
    await one.call('GET /m2m/v1/plans/{accountName}', { path });
    assert.deepEqual(takeSent(), [PLANS, TOKEN, PLANS]);
  });

  it('renews both, each once, after hours without a call', async () => {
    const one = client();
    await one.call('GET /m2m/v1/plans/{accountName}', { path });
    takeSent();
    pass(180 * MINUTE_MS);
    await one.call('GET /m2m/v1/plans/{accountName}', { path });
    assert.deepEqual(takeSent(), [PLANS, TOKEN, PLANS, LOGIN, PLANS]);
    pass(180 * MINUTE_MS);
    await Promise.all([1, 2].map(() => one.call('GET /m2m/v1/plans/{accountName}', { path })));
    const sent = takeSent();
    assert.deepEqual(
      [TOKEN, LOGIN].map((call) => sent.filter((one) => one === call).length),
      [1, 1],
    );
  });

  it('takes a 401 about an account for what it is and asks for nothing anew', async () => {
    const one = client();
    await one.call('GET /m2m/v1/plans/{accountName}', { path });
    takeSent();
    await assert.rejects(one.call('GET /m2m/v1/plans/{accountName}', { path: { accountName: STRANGER } }), {
      status: 401,
      code: 'UnifiedWebService.REQUEST_FAILED.AccountName',
    });
    assert.equal(takeSent().length, 1);
  });

  it('gives up after one renewal where the service refuses every token', async () => {
    const calls: string[] = [];
    const fault = { fault: { code: '900901', message: 'Invalid Credentials', description: 'Expired' } };
    const refusing = createClient({
      baseUrl: 'http://service/api',
      ...CREDENTIALS,
      fetch: async (url) => {
        calls.push(new URL(url).pathname);
        if (url.endsWith('/token')) return Response.json({ access_token: `t${calls.length}` });
        return url.endsWith('/login')
          ? Response.json({ sessionToken: 's' })
          : Response.json(fault, { status: 401 });
      },
    });
    await assert.rejects(refusing.call('GET /m2m/v1/plans/{accountName}', { path }), {
      kind: 'refused',
      code: '900901',
      message: 'Invalid Credentials: Expired',
    });
    assert.equal(calls.filter((call) => call.includes('/plans/')).length, 2);
  });

  it('ends its session on logOut, without a word where there is none, and begins another with the next call', async () => {
    const one = client();
    await one.logOut();
    assert.deepEqual(takeSent(), []);
    await one.call('GET /m2m/v1/plans/{accountName}', { path });
    await one.logOut();
    takeSent();
    await one.call('GET /m2m/v1/plans/{accountName}', { path });
    assert.deepEqual(takeSent(), [LOGIN, PLANS]);
  });
});

describe('a client with a wrong password', () => {
  it('stops after two refusals, so that the user is not locked, until it is told to try again', async () => {
    const one = client({ password: 'wrong' });
    const call = () => one.call('GET /m2m/v1/plans/{accountName}', { path });
    const code = 'UnifiedWebService.INPUT_INVALID.Password.Invalid';
    await assert.rejects(call(), { kind: 'refused', code });
    await assert.rejects(call(), { kind: 'refused', code });
    takeSent();
    for (let i = 0; i < 5; i++) await assert.rejects(call(), { kind: 'latched', code });
    assert.deepEqual(takeSent(), []);
    one.useCredentials({ password: USER.password });
    assert.equal((await call())[0]?.code, 'P-5MB');
  });

  it('does not count what was no verdict', async () => {
    const tried: string[] = [];
    const one = client({
      fetch: async (url) => {
        tried.push(url);
        throw new TypeError('fetch failed');
      },
    });
    for (let i = 0; i < 3; i++)
      await assert.rejects(one.call('GET /m2m/v1/plans/{accountName}', { path }), { kind: 'unreachable' });
    assert.equal(tried.length, 3);
  });
});

describe('a call', () => {
  it('with an Idempotency-Key is done once, however often it is made', async () => {
    const one = client();
    const body = { accountName: ACCOUNT, serviceName: 'Location', thresholdValue: '90' } as const;
    const idempotencyKey = 'the-same';
    const create = () => one.call('POST /subsc/v1/usage/triggers', { body, idempotencyKey });
    const [first, again] = [await create(), await create()];
    assert.equal(again.triggerId, first.triggerId);
  });

  it('answers status and headers to those who ask for them', async () => {
    const { status, headers } = await client().request('GET /m2m/v1/plans/{accountName}', {
      path,
      headers: { 'x-request-id': 'mine' },
    });
    assert.deepEqual([status, headers.get('x-request-id')], [200, 'mine']);
  });

  it('does not let a value of a path lead elsewhere', async () => {
    await assert.rejects(client().call('GET /m2m/v1/plans/{accountName}', { path: { accountName: '..' } }), {
      kind: 'invalid',
      message: '".." is no accountName',
    });
  });
});
