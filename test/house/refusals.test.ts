import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ACCOUNT, asUser, basic, CLIENT, SMALL_FLEET, USER } from '../support/fleet.ts';
import { listRoutes } from '../support/routes.ts';
import { makeWorld, OPERATOR_KEY } from '../support/world.ts';

const world = await makeWorld();
const { api, operator } = world;
await world.import(SMALL_FLEET);
const { call, token } = await asUser(world);
const LOGIN = '/api/m2m/v1/session/login';
const logIn = (payload: string | Buffer, more: Record<string, string> = {}) =>
  api.inject({
    method: 'POST',
    url: LOGIN,
    headers: { authorization: `Bearer ${token}`, ...more },
    payload,
  });
const getToken = (headers: Record<string, string>, payload = 'grant_type=client_credentials') =>
  api.inject({ method: 'POST', url: '/api/ts/v1/oauth2/token', headers, payload });

describe('before a body is read', () => {
  const malformed = '{"broken": ';

  it('404: an unknown path is refused', async () => {
    const answer = await api.inject({ method: 'POST', url: '/api/nothing', payload: malformed });
    assert.deepEqual([answer.statusCode, answer.json().fault.code], [404, '900906']);
    assert.ok(answer.headers['x-request-id']);
  });

  // proves refusals/wrong-method
  it('405: so is a method that the path does not have', async () => {
    const answer = await api.inject({ method: 'PUT', url: LOGIN, payload: malformed });
    assert.deepEqual([answer.statusCode, answer.headers['allow']], [405, 'POST']);
    assert.equal(answer.json().errorCode, 'UnifiedWebService.REQUEST_FAILED.MethodNotAllowed');
  });

  it('404 and 405: both come before 413', async () => {
    const payload = 'x'.repeat(16 * 1024 * 1024 + 1);
    assert.equal((await api.inject({ method: 'POST', url: '/api/nothing', payload })).statusCode, 404);
    assert.equal((await api.inject({ method: 'PUT', url: LOGIN, payload })).statusCode, 405);
  });
});

describe('text that the database cannot store', () => {
  const INVALID = 'UnifiedWebService.INPUT_INVALID.RequestUndefined';

  for (const [what, body] of [
    ['U+0000', '{"username":"a\\u0000b","password":"x"}'],
    ['U+0000 deep inside', '{"username":"a","password":"x","more":[{"a":["\\u0000"]}]}'],
    ['U+0000 in the name of a field', '{"username":"a","password":"x","a\\u0000":1}'],
    ['the first half of a pair', '{"username":"a\\ud83d","password":"x"}'],
    ['the second half of a pair', '{"username":"a\\uDE00","password":"x"}'],
  ] as const) {
    it(`400: ${what} is refused in a body`, async () => {
      const answer = await logIn(body);
      assert.deepEqual([answer.statusCode, answer.json().errorCode], [400, INVALID]);
    });
  }

  it('is not confused with text that only looks like it', async () => {
    const extra = '"extra":["\\\\u0000","\\\\ud83d","\\ud83d\\ude00","😀"]';
    const answer = await logIn(`{"username":"${USER.username}","password":"${USER.password}",${extra}}`);
    assert.equal(answer.statusCode, 200);
    assert.equal((await operator('GET', '/accounts/%2500')).statusCode, 404);
  });

  // proves refusals/broken-http
  it('400: is refused in a path and in a query, in the format of the area', async () => {
    for (const path of ['/users/a%00b/unlock', '/accounts?ecpdId=%00', '/audit?actor=a%00']) {
      const answer = await operator(path.startsWith('/users') ? 'POST' : 'GET', path);
      assert.deepEqual([answer.statusCode, answer.json().code], [400, 'invalid'], path);
    }
  });

  it('401: but only to those who may ask at all', async () =>
    assert.equal((await api.inject('/api/operator/v1/accounts/%00')).statusCode, 401));

  it('400: is refused in credentials', async () => {
    const authorization = basic({ ...CLIENT, clientId: 'a\0b' });
    const answer = await getToken({ authorization });
    assert.deepEqual([answer.statusCode, answer.json().error], [400, 'invalid_request']);
  });

  it('400: is refused in a form, with all else that a token cannot hold', async () => {
    for (const odd of ['%00', '%0a', '%e2%82%ac']) {
      const answer = await api.inject({
        method: 'POST',
        url: '/api/ts/v1/oauth2/revoke',
        headers: { authorization: basic(CLIENT) },
        payload: `token=a${odd}b`,
      });
      assert.deepEqual([answer.statusCode, answer.json().error], [400, 'invalid_request'], odd);
    }
  });
});

const routesWithParts = (await listRoutes()).filter(({ url, config }) => {
  const kind = config?.access?.kind;
  return url.includes(':') && (kind === 'account' || kind === 'session' || kind === 'operator');
});

describe('a part of a path', () => {
  // proves refusals/long-paths
  it('400: gets the error of its area if it is thousands of characters long, on every route', async () => {
    const other: string[] = [];
    for (const { method, url, config } of routesWithParts)
      for (const long of url.match(/:\w+/g)!) {
        const path = url.replace(long, 'x'.repeat(10_000)).replaceAll(/:\w+/g, '1');
        const isOperator = config?.access?.kind === 'operator';
        const answer = await (isOperator
          ? operator(method, path.slice('/operator/v1'.length))
          : call(method, path));
        if (
          answer.statusCode !== 400 ||
          !answer.body.includes(`${long.slice(1)} must not have more than 256`)
        )
          other.push(`${method} ${url} ${long}: ${answer.statusCode} ${answer.body}`);
      }
    assert.deepEqual(other, []);
  });

  it('401: but only to those who may ask at all', async () =>
    assert.equal((await api.inject(`/api/loc/v1/consents/${'x'.repeat(10_000)}`)).statusCode, 401));
});

describe('a body that nests too deep', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

  it('400: is malformed, with an Idempotency-Key too', async () => {
    const body = `{"accountName":"${ACCOUNT}","serviceName":"AlertService","more":${nested(50_000)}}`;
    const answer = await operator('POST', '/callbacks/pause', body, { 'idempotency-key': 'deep' });
    assert.deepEqual([answer.statusCode, answer.json().code], [400, 'malformed']);
  });

  it('is told by its brackets, not by those in texts', async () => {
    const more = { deep: JSON.parse(nested(199)), text: `\\"${'['.repeat(1_000)}` };
    assert.equal((await logIn(JSON.stringify({ ...USER, ...more }))).statusCode, 200);
    assert.equal((await logIn(JSON.stringify({ ...USER, deep: JSON.parse(nested(200)) }))).statusCode, 400);
  });
});

describe('a content type', () => {
  for (const type of ['foo', ';', 'application/', 'a b/c', '', 'application/json; charset']) {
    // proves requests/content-type
    it(`may be ${JSON.stringify(type)}`, async () => {
      assert.equal((await logIn(JSON.stringify(USER), { 'content-type': type })).statusCode, 200);
      const answer = await getToken({ authorization: basic(CLIENT), 'content-type': type });
      assert.equal(answer.statusCode, 200);
    });
  }

  for (const encoding of ['gzip', 'br', 'deflate', 'identity, gzip']) {
    // proves refusals/formats
    it(`415: but the encoding ${encoding} is refused in the format of the area`, async () => {
      const answer = await logIn(gzipSync(JSON.stringify(USER)), { 'content-encoding': encoding });
      assert.equal(answer.statusCode, 415);
      assert.equal(answer.json().errorCode, 'UnifiedWebService.INPUT_INVALID.ContentType');
      const form = await getToken({ authorization: basic(CLIENT), 'content-encoding': encoding });
      assert.deepEqual([form.statusCode, form.json().error], [415, 'invalid_request']);
    });
  }

  for (const encoding of ['br', 'deflate', 'gzip, br'])
    for (const path of ['/usage', '/positions', '/readings', '/import'])
      it(`415: so is ${encoding} by ${path}, which takes gzip only`, async () => {
        const answer = await api.inject({
          method: 'POST',
          url: `/api/operator/v1${path}`,
          headers: { authorization: `Bearer ${OPERATOR_KEY}`, 'content-encoding': encoding },
          payload: '{}',
        });
        assert.equal(answer.statusCode, 415);
        assert.match(String(answer.headers['content-type']), /application\/problem\+json/);
      });

  it('of a plain body may be called identity', async () =>
    assert.equal((await logIn(JSON.stringify(USER), { 'content-encoding': 'Identity' })).statusCode, 200));
});

it('400: a missing field is called required', async () => {
  const answer = await logIn('{"password":"x"}');
  assert.equal(answer.statusCode, 400);
  assert.match(answer.json().errorMessage, /: username is required$/);
});

describe('what the framework refuses', () => {
  for (const url of ['/api/%ff', '/%']) {
    // proves refusals/gateway-format
    it(`404: ${url} is an unknown path like any other`, async () => {
      const answer = await api.inject({ url, headers: { 'x-request-id': 'mine' } });
      assert.deepEqual([answer.statusCode, answer.headers['x-request-id']], [404, 'mine']);
      assert.deepEqual(answer.json(), (await api.inject('/api/nothing')).json());
    });
  }

  const HEAD = 'GET /health/live HTTP/1.1\r\nHost: a\r\n';
  for (const [status, what, sent] of [
    [400, 'what is no HTTP', 'secret nonsense\r\n\r\n'],
    [400, 'two lengths', `${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`],
    [431, 'too large headers', `${HEAD}A: ${'secret'.repeat(20_000)}\r\n\r\n`],
  ] as const) {
    // proves requests/content-encoding requests/unusable-text
    it(`${status}: ${what}`, async () => {
      if (!api.server.listening) await api.listen({ port: 0, host: '127.0.0.1' });
      const socket = connect((api.server.address() as { port: number }).port, '127.0.0.1');
      let answer = '';
      socket.setEncoding('utf8').on('data', (text) => {
        answer += text;
      });
      // The service may close the connection before it has received everything.
      socket.on('error', () => {});
      socket.write(sent);
      await once(socket, 'close');
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      assert.match(head, new RegExp(`^HTTP/1.1 ${status} `));
      assert.match(head, /^X-Request-Id: [0-9a-f-]{36}$/m);
      assert.deepEqual(Object.keys(JSON.parse(body).fault), ['code', 'message', 'description']);
      assert.doesNotMatch(answer, /secret|HPE_|Parse/);
    });
  }
});

describe('pages of the operator lists', () => {
  const page = (key: string) => Buffer.from(key).toString('base64url');
  const uuid = '00000000-0000-4000-8000-000000000000';

  for (const [list, own, foreign] of [
    ['/accounts?', ACCOUNT, 'ws-user'],
    [`/accounts/${ACCOUNT}/devices?`, uuid, ACCOUNT],
    ['/users?', 'ws-user', '\0'],
    ['/clients?', 'app', 'x'.repeat(129)],
    ['/audit?', '12', uuid],
  ] as const) {
    // proves operating/list-keys
    it(`400: ${list} takes only its own`, async () => {
      assert.equal((await operator('GET', `${list}page=${page(own)}`)).statusCode, 200);
      for (const wrong of [page(foreign), '', '!', `${page(own)}!`, '_w']) {
        const answer = await operator('GET', `${list}page=${wrong}`);
        assert.deepEqual([answer.statusCode, answer.json().code], [400, 'invalid'], wrong);
      }
    });
  }
});

describe('the audit log', () => {
  const latest = async (action: string) =>
    (await operator('GET', `/audit?limit=1&action=${action}`)).json()[0];

  it('says which key was made, with which scopes, and never the key', async () => {
    const made = await operator('POST', '/keys', { name: 'helper', scopes: ['read'], password: 'hidden' });
    const entry = await latest('operatorCreateKey');
    assert.deepEqual(
      [entry.target, entry.after, entry.status],
      ['helper', { name: 'helper', scopes: ['read'] }, 201],
    );
    assert.ok(!JSON.stringify(entry).includes(made.json().key) && !JSON.stringify(entry).includes('hidden'));
  });

  it('says which listener was paused, and how a call with an Idempotency-Key ended', async () => {
    const body = { accountName: ACCOUNT, serviceName: 'StateService' };
    await operator('POST', '/callbacks/pause', body, { 'idempotency-key': 'audited' });
    const entry = await latest('operatorPauseListener');
    assert.deepEqual(
      [entry.target, entry.accountName, entry.after, entry.status],
      [`${ACCOUNT} StateService`, ACCOUNT, body, 404],
    );
  });

  it('says how the clock was moved and whose data was exported', async () => {
    await operator('POST', '/clock', { advance: 'PT1S' });
    const moved = await latest('operatorMoveClock');
    assert.deepEqual([moved.target, moved.after], ['PT1S', { advance: 'PT1S' }]);
    await operator('GET', `/export?accountName=${ACCOUNT}`);
    const exported = await latest('operatorExport');
    assert.deepEqual([exported.target, exported.accountName], [ACCOUNT, ACCOUNT]);
  });

  it('takes bodies of any shape, and no more than a little of them', async () => {
    for (const body of ['[1]', '"text"', '5', 'null', '{"advance":{"a":1},"reset":"no"}'])
      assert.ok((await operator('POST', '/clock', body)).statusCode < 500, body);
    await operator('POST', '/clock', { advance: 'x'.repeat(10_000) });
    assert.equal((await latest('operatorMoveClock')).target.length, 128);
  });
});

it('an Idempotency-Key goes with a path of any length', async () => {
  // Random, because an index accepts longer values if they can be compressed.
  const path = `/users/ghost/unlock?more=${randomBytes(6_000).toString('base64url')}`;
  const ask = (end: string) => operator('POST', `${path}${end}`, undefined, { 'idempotency-key': 'long' });
  assert.deepEqual([(await ask('')).statusCode, (await ask('y')).statusCode], [404, 404]);
});

it('a call of a user still works', async () =>
  assert.equal((await call('GET', `/m2m/v1/plans/${ACCOUNT}`)).statusCode, 200));
