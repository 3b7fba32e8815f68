import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, SMALL_FLEET, USER } from '../support/fleet.ts';
import { makeWorld, OPERATOR_KEY } from '../support/world.ts';

const world = await makeWorld();
const { api } = world;
await world.import(SMALL_FLEET);
const { call, headers, token } = await asUser(world);
const login = (payload: string, more: Record<string, string> = {}) =>
  api.inject({
    method: 'POST',
    url: '/api/m2m/v1/session/login',
    headers: { authorization: `Bearer ${token}`, ...more },
    payload,
  });

describe('bodies', () => {
  for (const type of [
    '*/*',
    'application/json; charset=utf-8',
    'text/plain',
    'application/x-www-form-urlencoded',
    undefined,
  ]) {
    // proves 1/bodies 5/Content-Type requests/content-type
    it(`are read as JSON with Content-Type ${type}`, async () => {
      const answer = await login(JSON.stringify(USER), type === undefined ? {} : { 'content-type': type });
      assert.equal(answer.statusCode, 200);
    });
  }

  // proves requests/unknown-fields
  it('may hold fields that nobody knows', async () =>
    assert.equal((await login(JSON.stringify({ ...USER, extra: { deep: [1] } }))).statusCode, 200));

  // proves 1/bodies 7.1/location-and-subsc 7.1/price-plan-triggers 7.1/device-management refusals/broken-json
  it('that are not JSON get the 400 of the area', async () => {
    const answer = await login('{"username": ');
    assert.deepEqual([answer.statusCode, answer.json().errorCode], [400, 'DeserializationFailed']);
  });

  // proves requests/body-limits
  it('over 16 MiB get a 413 in the format of the area, and are not read to the end', async () => {
    const answer = await login(JSON.stringify({ ...USER, padding: 'x'.repeat(16 * 1024 * 1024) }));
    assert.equal(answer.statusCode, 413);
    assert.deepEqual(Object.keys(answer.json()), ['errorCode', 'errorMessage']);
  });

  // proves requests/body-limits
  it('of very many values get a 413 too: they would take far more than their bytes, and time of everybody', async () => {
    const values = (count: number) => JSON.stringify({ ...USER, padding: Array(count).fill(0) });
    assert.equal((await login(values(390_000))).statusCode, 200);
    const answer = await login(values(400_000));
    assert.equal(answer.statusCode, 413);
    assert.deepEqual(Object.keys(answer.json()), ['errorCode', 'errorMessage']);
    const body = `{"accountname":"${ACCOUNT}","filter":{"$limitnumber":1},"more":[${'1e1,'.repeat(100_000)}1]}`;
    assert.equal((await call('POST', '/dm/v1/devices/actions/query', body)).statusCode, 413);
  });

  it('just under 16 MiB are taken', async () =>
    assert.equal(
      (await login(JSON.stringify({ ...USER, padding: 'x'.repeat(15 * 1024 * 1024) }))).statusCode,
      200,
    ));

  it('with over-long fields are refused with the name of the field', async () => {
    const answer = await login(JSON.stringify({ ...USER, username: 'x'.repeat(1_000) }));
    assert.equal(answer.statusCode, 400);
    assert.match(answer.json().errorMessage, /username/);
  });
});

describe('the gateway', () => {
  const read = (authorization?: string) =>
    api.inject({
      url: `/api/m2m/v1/plans/${ACCOUNT}`,
      headers: authorization === undefined ? {} : { authorization },
    });

  // proves 5/Authorization refusals/gateway-format
  it('401: names a missing bearer 900902', async () => {
    const answer = await read();
    assert.equal(answer.statusCode, 401);
    assert.deepEqual(Object.keys(answer.json().fault), ['code', 'message', 'description']);
    assert.deepEqual(
      [answer.json().fault.code, answer.json().fault.message],
      ['900902', 'Missing Credentials'],
    );
  });

  for (const wrong of [
    'Bearer nonsense',
    'Bearer',
    'Basic abc',
    `Bearer ${'x'.repeat(2_000)}`,
    'Bearer a b',
  ]) {
    // proves 5/Authorization refusals/gateway-format
    it(`401: names ${wrong.slice(0, 20)} 900901 Invalid Credentials`, async () => {
      const { fault } = (await read(wrong)).json();
      assert.deepEqual([fault.code, fault.message], ['900901', 'Invalid Credentials']);
    });
  }

  for (const path of ['/api/nothing', '/api/loc/v9/consents', '/api/m2m/v1/plans', '/elsewhere']) {
    // proves refusals/gateway-format
    it(`404: names the unknown path ${path} 900906`, async () => {
      const answer = await api.inject({ url: path, headers });
      assert.deepEqual([answer.statusCode, answer.json().fault.code], [404, '900906']);
    });
  }
});

describe('a method that a path does not have', () => {
  // proves refusals/formats refusals/wrong-method
  it('405: is refused in the format of the area, with what is allowed', async () => {
    for (const method of ['DELETE', 'OPTIONS', 'TRACE'] as const) {
      const answer = await call(method, '/m2m/v1/session/login');
      assert.equal(answer.statusCode, 405, method);
      assert.equal(answer.headers['allow'], 'POST');
      assert.equal(answer.json().errorCode, 'UnifiedWebService.REQUEST_FAILED.MethodNotAllowed');
    }
    const operator = await world.operator('PATCH', '/audit');
    assert.equal(operator.statusCode, 405);
    assert.match(String(operator.headers['content-type']), /application\/problem\+json/);
  });
});

describe('request ids', () => {
  const idOf = async (more: Record<string, string>) =>
    (await api.inject({ url: `/api/m2m/v1/plans/${ACCOUNT}`, headers: { ...headers, ...more } })).headers[
      'x-request-id'
    ];

  // proves requests/request-ids
  it('are given to every answer, refusals included', async () => {
    assert.match(String(await idOf({})), /^[0-9a-f-]{36}$/);
    assert.ok((await api.inject('/api/nothing')).headers['x-request-id']);
  });

  // proves requests/request-ids requests/idempotency-keys
  it('are echoed when sent as X-Request-Id or x-correlator', async () => {
    assert.equal(await idOf({ 'x-request-id': 'my_id-1' }), 'my_id-1');
    assert.equal(await idOf({ 'x-correlator': 'my_id-2' }), 'my_id-2');
  });

  // proves requests/request-ids
  it('that could do harm in a log are replaced', async () => {
    for (const id of ['a b', 'x'.repeat(65), '{"a":1}'])
      assert.notEqual(await idOf({ 'x-request-id': id }), id);
  });
});

describe('at the root', () => {
  it('health, metrics, the OpenAPI document and its page are open to all', async () => {
    for (const path of [
      '/health/live',
      '/health/ready',
      '/metrics',
      '/api/openapi.json',
      '/api/asyncapi.json',
      '/docs',
    ]) {
      assert.equal((await api.inject(path)).statusCode, 200, path);
    }
    assert.equal((await api.inject('/api/openapi.json')).json().openapi, '3.1.0');
  });

  it('metrics time the calls of callers, and neither probes nor those who scrape', async () => {
    for (const path of ['/health/live', '/health/ready', '/metrics', '/api/openapi.json'])
      await api.inject({ method: 'GET', path });
    const { body } = await api.inject('/metrics');
    const timed = [...body.matchAll(/^linekeeper_http_request_seconds_count\{.*route="([^"]*)"/gm)];
    const routes = timed.map(([, route]) => route!);
    assert.ok(routes.includes('/api/openapi.json'));
    assert.deepEqual(
      routes.filter((route) => /^\/(health|metrics)/.test(route)),
      [],
    );
  });
});

describe('calls of one client', () => {
  // proves requests/rate-limits
  it('429: are limited where the setting says so, with the headers that tell', async () => {
    const limited = await makeWorld({ settings: { callsPerMinute: 3 } });
    await limited.import(SMALL_FLEET);
    const user = await asUser(limited);
    const answers = [];
    for (let i = 0; i < 3; i++) answers.push(await user.call('GET', `/m2m/v1/plans/${ACCOUNT}`));
    assert.equal(answers[0]?.headers['ratelimit-policy'], '"calls";q=3;w=60');
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      [200, 200, 429],
    );
    assert.ok(Number(answers[2]?.headers['retry-after']) >= 1);
    assert.equal(answers[2]?.json().errorCode, 'UnifiedWebService.REQUEST_FAILED.TooManyRequests');
    // All areas of the interface share one allowance.
    assert.equal((await user.call('GET', `/loc/v1/callbacks/${ACCOUNT}`)).statusCode, 429);
  });
});

describe('the operator API', () => {
  const ask = (authorization?: string) =>
    api.inject({
      url: '/api/operator/v1/clock',
      headers: authorization === undefined ? {} : { authorization },
    });

  it('401: refuses a missing or unknown key as problem+json', async () => {
    for (const answer of [await ask(), await ask('Bearer wrong-key'), await ask(headers.authorization)]) {
      assert.equal(answer.statusCode, 401);
      assert.match(String(answer.headers['content-type']), /^application\/problem\+json/);
      assert.ok(answer.json().title && answer.json().status === 401);
    }
  });

  it('200: takes the first key', async () =>
    assert.equal((await ask(`Bearer ${OPERATOR_KEY}`)).statusCode, 200));
});

// proves 1/base_url 1/SVC requests/prefix requests/base-path
it('prefix and base path are settings that everything follows', async () => {
  const moved = await makeWorld({ env: { LINEKEEPER_BASE_PATH: '/x/y', LINEKEEPER_PREFIX: 'ACME' } });
  const answer = await moved.api.inject({
    url: `/x/y/operator/v1/clock`,
    headers: { authorization: `Bearer ${OPERATOR_KEY}` },
  });
  assert.equal(answer.statusCode, 200);
  const document = (await moved.api.inject('/x/y/openapi.json')).json();
  assert.equal(document.components.securitySchemes.session.name, 'ACME-M2M-Token');
});
