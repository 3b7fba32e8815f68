import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { basic, bearer, CLIENT, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';

const GUESSES_PER_MINUTE = 20;
const world = await makeWorld({ env: { LINEKEEPER_LOGIN_RATE: String(GUESSES_PER_MINUTE) } });
const { api, pass } = world;
await world.import(SMALL_FLEET);

const ask = (
  headers: Record<string, string>,
  payload = 'grant_type=client_credentials',
  path = 'token',
  remoteAddress = '127.0.0.1',
) =>
  api.inject({
    remoteAddress,
    method: 'POST',
    url: `/api/ts/v1/oauth2/${path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload,
  });
const use = (token: string) =>
  api.inject({
    method: 'POST',
    url: '/api/m2m/v1/session/login',
    headers: { authorization: `Bearer ${token}` },
    payload: {},
  });

describe('POST /ts/v1/oauth2/token', () => {
  it('200: returns a bearer token for an hour, not to be cached', async () => {
    const answer = await ask({ authorization: basic(CLIENT) });
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers['cache-control'], 'no-store');
    const { access_token, ...rest } = answer.json();
    assert.ok(access_token.length >= 40);
    assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3600, scope: 'default' });
  });

  // proves sessions/bearer-token
  it('200: returns the same token with its remaining time within the hour, and a new one after it', async () => {
    const first = (await ask({ authorization: basic(CLIENT) })).json();
    pass(10 * 60_000);
    const second = (await ask({ authorization: basic(CLIENT) })).json();
    assert.equal(second.access_token, first.access_token);
    assert.equal(second.expires_in, first.expires_in - 600);
    pass(50 * 60_000);
    assert.equal((await use(first.access_token)).statusCode, 401);
    const third = (await ask({ authorization: basic(CLIENT) })).json();
    assert.notEqual(third.access_token, first.access_token);
    assert.equal(third.expires_in, 3600);
  });

  // proves sessions/bearer-token
  it('200: also returns it at the root of the area, which some clients use', async () => {
    const { access_token } = (await ask({ authorization: basic(CLIENT) })).json();
    for (const url of ['/api/ts/v1/', '/api/ts/v1']) {
      const headers = { authorization: basic(CLIENT), 'content-type': 'application/x-www-form-urlencoded' };
      const payload = 'grant_type=client_credentials';
      const answer = await api.inject({ method: 'POST', url, headers, payload });
      assert.deepEqual([answer.statusCode, answer.json().access_token], [200, access_token]);
    }
  });

  it('200: returns the same token to many concurrent callers', async () => {
    pass(2 * 3_600_000);
    const tokens = await Promise.all(Array.from({ length: 8 }, () => bearer(api)));
    assert.equal(new Set(tokens).size, 1);
  });

  // proves sessions/wrong-client
  it('401: reports an unknown client or wrong secret as OAuth specifies', async () => {
    for (const client of [
      { ...CLIENT, clientSecret: 'wrong' },
      { clientId: 'nobody', clientSecret: 'x' },
    ]) {
      const answer = await ask({ authorization: basic(client) });
      assert.deepEqual([answer.statusCode, answer.json().error], [401, 'invalid_client']);
    }
  });

  // proves sessions/www-authenticate
  it('401: names Basic as the authentication scheme, for issuing and revoking tokens', async () => {
    const payload = 'grant_type=client_credentials&token=x';
    for (const path of ['/oauth2/token', '/oauth2/revoke', '/'])
      for (const authorization of [
        undefined,
        'Bearer x',
        'Basic Og==',
        basic({ ...CLIENT, clientSecret: 'wrong' }),
      ]) {
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const answer = await api.inject({
          method: 'POST',
          url: `/api/ts/v1${path}`,
          headers: { ...headers, ...(authorization !== undefined && { authorization }) },
          payload,
        });
        assert.equal(answer.statusCode, 401, answer.body);
        assert.match(String(answer.headers['www-authenticate']), /^Basic realm="[^"]+"$/);
      }
    const elsewhere = await api.inject({ method: 'POST', url: '/api/m2m/v1/session/login', payload: {} });
    assert.deepEqual([elsewhere.statusCode, elsewhere.headers['www-authenticate']], [401, 'Bearer']);
  });

  it('401: reports missing credentials in the format of the gateway', async () => {
    const answer = await ask({});
    assert.deepEqual([answer.statusCode, answer.json().fault.code], [401, '900902']);
  });

  // proves sessions/wrong-client
  it('400: refuses another or no grant type', async () => {
    assert.equal(
      (await ask({ authorization: basic(CLIENT) }, 'grant_type=password')).json().error,
      'unsupported_grant_type',
    );
    assert.equal((await ask({ authorization: basic(CLIENT) }, '')).json().error, 'invalid_request');
  });

  // proves requests/rate-limits
  it('429: limits guesses of secrets, for that client and address only', async (t) => {
    const guessed = { clientId: 'guessed', clientSecret: 'guessed-secret' };
    await world.import({ clients: [guessed] });
    // The limit uses real time and would refill a little while the test runs.
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const guesses = await Promise.all(
      Array.from({ length: GUESSES_PER_MINUTE + 5 }, (_, i) =>
        ask({ authorization: basic({ ...guessed, clientSecret: String(i) }) }),
      ),
    );
    const withStatus = (status: number) => guesses.filter(({ statusCode }) => statusCode === status).length;
    assert.deepEqual([withStatus(401), withStatus(429)], [GUESSES_PER_MINUTE, 5]);

    const askRight = (address?: string) =>
      ask({ authorization: basic(guessed) }, undefined, 'token', address);
    const right = await askRight();
    assert.deepEqual([right.statusCode, right.headers['retry-after']], [429, '3']);
    assert.equal((await askRight('10.0.0.9')).statusCode, 200);
    assert.equal((await ask({ authorization: basic(CLIENT) })).statusCode, 200);

    t.mock.timers.setTime(Date.now() + 3_000);
    for (let i = 0; i < 3; i++) assert.equal((await askRight()).statusCode, 200);
  });

  it('429: limits guesses of names from one address, without affecting clients of another', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const [guesser, other] = ['10.0.0.11', '10.0.0.12'];
    const limited = await makeWorld({ env: { LINEKEEPER_LOGIN_RATE: '1' } });
    await limited.import(SMALL_FLEET);
    const askAs = (clientId: string, remoteAddress: string) =>
      limited.api.inject({
        remoteAddress,
        method: 'POST',
        url: '/api/ts/v1/oauth2/token',
        headers: { authorization: basic({ ...CLIENT, clientId }) },
        payload: 'grant_type=client_credentials',
      });
    for (let n = 0; n < 10; n++) assert.equal((await askAs(`name ${n}`, guesser)).statusCode, 401);
    assert.equal((await askAs('another name', guesser)).statusCode, 429);
    assert.equal((await askAs(CLIENT.clientId, other)).statusCode, 200);
  });

  it('200: never limits a client with the right secret', async () => {
    const answers = await Promise.all(
      Array.from({ length: 3 * GUESSES_PER_MINUTE }, () => ask({ authorization: basic(CLIENT) })),
    );
    assert.ok(answers.every(({ statusCode }) => statusCode === 200));
  });

  it('401: takes equally long for an unknown client', async () => {
    // The shortest of several runs: other work of the machine only adds time.
    const time = async (clientId: string) => {
      let least = Number.POSITIVE_INFINITY;
      for (let n = 0; n < 5; n++) {
        const start = performance.now();
        const credentials = { authorization: basic({ clientId, clientSecret: 'wrong' }) };
        await ask(credentials, undefined, undefined, `10.0.1.${n}`);
        least = Math.min(least, performance.now() - start);
      }
      return least;
    };
    const [known, unknown] = [await time(CLIENT.clientId), await time('nobody')];
    // Hashing takes nearly all the time; without it, the answer takes a few milliseconds.
    assert.ok(unknown > known / 4, `${unknown} ms, ${known} ms for one that exists`);
  });
});

describe('POST /ts/v1/oauth2/revoke', () => {
  // proves sessions/bearer-token
  it('200: ends the token at once and echoes it in a header, and the next request gets a new one', async () => {
    const token = await bearer(api);
    assert.equal((await use(token)).statusCode, 400);
    const answer = await ask(
      { authorization: basic(CLIENT) },
      `grant_type=client_credentials&token=${token}`,
      'revoke',
    );
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers['revokedaccesstoken'], token);
    assert.equal(answer.body, '');
    assert.equal((await use(token)).json().fault.code, '900901');
    assert.notEqual(await bearer(api), token);
  });

  it('200: does nothing to a token of another client', async () => {
    await world.import({ clients: [{ clientId: 'other', clientSecret: 'other-secret' }] });
    const token = await bearer(api);
    await ask(
      { authorization: basic({ clientId: 'other', clientSecret: 'other-secret' }) },
      `token=${token}`,
      'revoke',
    );
    assert.equal((await use(token)).statusCode, 400);
  });
});

describe('the rotation of a client secret', () => {
  it('keeps the old secret valid for a day together with the new one', async () => {
    const { clientSecret } = (await world.operator('POST', '/clients/app/rotate')).json();
    const current = { clientId: 'app', clientSecret };
    assert.equal((await ask({ authorization: basic(current) })).statusCode, 200);
    assert.equal((await ask({ authorization: basic(CLIENT) })).statusCode, 200);
    pass(24 * 3_600_000 + 1);
    assert.equal((await ask({ authorization: basic(CLIENT) })).statusCode, 401);
    assert.equal((await ask({ authorization: basic(current) })).statusCode, 200);
  });

  it('does not outlive the import of another secret: the one from before the rotation ends too', async () => {
    const client = { clientId: 'rotated', clientSecret: 'rotated-secret-1' };
    await world.import({ clients: [client] });
    await world.operator('POST', '/clients/rotated/rotate');
    await world.import({ clients: [{ clientId: 'rotated' }] });
    assert.equal((await ask({ authorization: basic(client) })).statusCode, 200);
    await world.import({ clients: [{ ...client, clientSecret: 'rotated-secret-2' }] });
    assert.equal((await ask({ authorization: basic(client) })).statusCode, 401);
  });

  it('with atOnce, for a leaked secret, ends the old one and its token immediately', async () => {
    const before = (await world.operator('POST', '/clients/app/rotate', { atOnce: true })).json();
    const token = await bearer(api, before);
    await world.operator('POST', '/clients/app/rotate', { atOnce: true });
    assert.equal((await ask({ authorization: basic(before) })).statusCode, 401);
    assert.equal((await use(token)).statusCode, 401);
  });

  it('and the disabling of a client end its token; enabling allows new ones', async () => {
    const client = (await world.operator('POST', '/clients/app/rotate', { atOnce: true })).json();
    const token = await bearer(api, client);
    await world.operator('POST', '/clients/app/disable');
    assert.equal((await use(token)).statusCode, 401);
    assert.equal((await ask({ authorization: basic(client) })).statusCode, 401);
    await world.operator('POST', '/clients/app/enable');
    assert.equal((await ask({ authorization: basic(client) })).statusCode, 200);
  });
});

// proves sessions/storage
it('the database contains no token or secret in plain text', async () => {
  const client = (await world.operator('POST', '/clients/app/rotate', { atOnce: true })).json();
  const token = await bearer(api, client);
  const { rows } = await world.ctx.db.tx(async (db) => ({
    rows: await db.many({
      text: 'select to_jsonb(t) as row from client_token t union all select to_jsonb(c) from client c',
      values: [],
    }),
  }));
  const text = JSON.stringify(rows);
  assert.ok(rows.length > 1 && !text.includes(token) && !text.includes(client.clientSecret));
});
