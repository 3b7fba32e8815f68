import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ACCOUNT,
  asUser,
  bearer,
  logIn,
  SMALL_FLEET,
  STRANGER,
  USER,
} from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';

const MINUTE_MS = 60_000;
const world = await makeWorld();
const { api, pass } = world;
await world.import(SMALL_FLEET);

const login = async (body: unknown) =>
  api.inject({
    method: 'POST',
    url: '/api/m2m/v1/session/login',
    headers: { authorization: `Bearer ${await bearer(api)}` },
    payload: body as object,
  });
const read = async (sessionToken?: string) =>
  api.inject({
    url: `/api/m2m/v1/plans/${ACCOUNT}`,
    headers: {
      authorization: `Bearer ${await bearer(api)}`,
      ...(sessionToken && { 'SVC-M2M-Token': sessionToken }),
    },
  });
const code = async (answer: Promise<{ statusCode: number; json(): { errorCode: string } }>) => {
  const { statusCode, json } = await answer;
  return [statusCode, json().errorCode];
};

describe('POST /m2m/v1/session/login', () => {
  // proves 5/Authorization 5/SVC-M2M-Token sessions/login
  it("200: returns a session token for the user's accounts", async () => {
    const answer = await login(USER);
    assert.equal(answer.statusCode, 200);
    assert.match(answer.json().sessionToken, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.equal((await read(answer.json().sessionToken)).statusCode, 200);
  });

  // proves sessions/login
  it('200: allows several sessions of one user at the same time', async () => {
    const [a, b] = [(await login(USER)).json().sessionToken, (await login(USER)).json().sessionToken];
    assert.notEqual(a, b);
    assert.deepEqual([(await read(a)).statusCode, (await read(b)).statusCode], [200, 200]);
  });

  // proves sessions/lock
  it('400: says how many attempts are left, locks at the fifth, and then refuses even the right password', async () => {
    const wrong = () => login({ ...USER, password: 'wrong' });
    for (const left of [4, 3, 2, 1]) {
      const answer = await wrong();
      assert.equal(answer.statusCode, 400);
      assert.equal(answer.json().errorCode, 'UnifiedWebService.INPUT_INVALID.Password.Invalid');
      assert.match(answer.json().errorMessage, new RegExp(`${left} attempts left`));
    }
    assert.equal((await wrong()).json().errorCode, 'UnifiedWebService.REQUEST_FAILED.User.Locked');
    const right = await login(USER);
    assert.equal(right.json().errorCode, 'UnifiedWebService.REQUEST_FAILED.User.Locked');
    assert.equal(right.headers['retry-after'], '900');
    pass(15 * MINUTE_MS);
    assert.equal((await login(USER)).statusCode, 200);
  });

  // proves sessions/lock
  it('400: counts only failures in a row', async () => {
    for (let i = 0; i < 4; i++) await login({ ...USER, password: 'wrong' });
    await login(USER);
    assert.match((await login({ ...USER, password: 'wrong' })).json().errorMessage, /4 attempts left/);
    await login(USER);
  });

  // proves sessions/lock
  it('400: does not reveal whether a name exists', async () => {
    const answers = await Promise.all([
      login({ username: 'nobody', password: 'x' }),
      login({ ...USER, password: 'x' }),
    ]);
    assert.deepEqual(answers[0].json(), answers[1].json());
    await login(USER);
  });

  it('400: refuses a malformed body without counting it as a failed login', async () => {
    assert.deepEqual(await code(login({ username: 'ws-user' })), [
      400,
      'UnifiedWebService.INPUT_INVALID.RequestUndefined',
    ]);
    assert.deepEqual(await code(login({ username: 1, password: 2 })), [
      400,
      'UnifiedWebService.INPUT_INVALID.RequestUndefined',
    ]);
  });

  // proves requests/rate-limits
  it('429: limits the logins of one user from one address, without affecting others', async () => {
    const guess = () => login({ username: 'guessed', password: 'x' });
    const statuses: number[] = [];
    let answer = await guess();
    // The allowance refills a little while the test runs, so the limit is reached just after the sixtieth.
    while (answer.statusCode !== 429 && statuses.length < 100) {
      statuses.push(answer.statusCode);
      answer = await guess();
    }
    assert.ok(statuses.length >= 60 && statuses.length < 100, String(statuses.length));
    assert.equal(answer.headers['ratelimit-policy'], '"login";q=60;w=60');
    assert.ok(Number(answer.headers['retry-after']) >= 1);
    assert.equal((await login(USER)).statusCode, 200);
  });

  it('401: needs a bearer token first', async () => {
    const answer = await api.inject({ method: 'POST', url: '/api/m2m/v1/session/login', payload: USER });
    assert.equal(answer.json().fault.code, '900902');
  });
});

describe('a session', () => {
  // proves 5/rule-2 sessions/login sessions/session-lifetime
  it('expires 20 minutes after its last use, and is then expired, not unknown', async () => {
    const token = (await login(USER)).json().sessionToken;
    for (let i = 0; i < 3; i++) {
      pass(19 * MINUTE_MS);
      assert.equal((await read(token)).statusCode, 200);
    }
    pass(20 * MINUTE_MS + 1);
    assert.deepEqual(await code(read(token)), [400, 'UnifiedWebService.REQUEST_FAILED.SessionToken.Expired']);
  });

  // proves sessions/expired-or-invalid
  it('counts as expired for a day, and then as unknown', async () => {
    const token = (await login(USER)).json().sessionToken;
    pass(23 * 60 * MINUTE_MS);
    await world.engine.addRecurring();
    await world.engine.settle();
    assert.deepEqual(await code(read(token)), [400, 'UnifiedWebService.REQUEST_FAILED.SessionToken.Expired']);
    pass(2 * 60 * MINUTE_MS);
    await world.engine.settle();
    assert.deepEqual(await code(read(token)), [400, 'UnifiedWebService.INPUT_INVALID.SessionToken.Invalid']);
  });

  // proves 5/SVC-M2M-Token refusals/session-errors
  it('that is absent, malformed or unknown has its own error code each', async () => {
    assert.deepEqual(await code(read()), [400, 'UnifiedWebService.REQUEST_FAILED.SessionToken.Format']);
    for (const token of ['x', '00000000-0000-4000-8000-000000000000']) {
      assert.deepEqual(await code(read(token)), [
        400,
        'UnifiedWebService.INPUT_INVALID.SessionToken.Invalid',
      ]);
    }
  });

  // proves 5/rule-3 refusals/no-access refusals/unknown-account
  it("gives no access to another customer's account: 401, also for existing data", async () => {
    const { call } = await asUser(world);
    const answer = await call('GET', `/m2m/v1/plans/${STRANGER}`);
    assert.deepEqual(
      [answer.statusCode, answer.json().errorCode],
      [401, 'UnifiedWebService.REQUEST_FAILED.AccountName'],
    );
    assert.deepEqual(await code(call('GET', '/m2m/v1/plans/0000000000-00000')), [
      400,
      'UnifiedWebService.REQUEST_FAILED.AccountNotFound',
    ]);
  });

  it('loses an account at once when the operator removes it', async () => {
    const { call } = await asUser(world);
    assert.equal((await call('GET', `/m2m/v1/plans/${ACCOUNT}`)).statusCode, 200);
    await world.import({ users: [{ username: USER.username, accounts: [] }] });
    assert.equal((await call('GET', `/m2m/v1/plans/${ACCOUNT}`)).statusCode, 401);
    await world.import({ users: [{ username: USER.username, accounts: [ACCOUNT] }] });
  });
});

describe('POST /m2m/v1/session/logout', () => {
  // proves requests/empty-bodies sessions/expired-or-invalid
  it('200: ends only the session of the call, and accepts an empty body of any type', async () => {
    const [token, other] = [(await login(USER)).json().sessionToken, (await login(USER)).json().sessionToken];
    const answer = await api.inject({
      method: 'POST',
      url: '/api/m2m/v1/session/logout',
      headers: {
        authorization: `Bearer ${await bearer(api)}`,
        'svc-m2m-token': token,
        'content-type': 'application/x-www-form-urlencoded',
      },
    });
    assert.deepEqual([answer.statusCode, answer.json()], [200, { sessionToken: token }]);
    assert.deepEqual(await code(read(token)), [400, 'UnifiedWebService.INPUT_INVALID.SessionToken.Invalid']);
    assert.equal((await read(other)).statusCode, 200);
  });
});

describe('PUT /m2m/v1/session/password/actions/reset', () => {
  it('200: returns a new password, keeps this session and ends the others', async () => {
    const other = (await login(USER)).json().sessionToken;
    const { call } = await asUser(world);
    const answer = await call('PUT', '/m2m/v1/session/password/actions/reset', {
      oldPassword: USER.password,
    });
    assert.equal(answer.statusCode, 200);
    const { newPassword } = answer.json();
    assert.ok(newPassword.length >= 16);
    assert.equal((await call('GET', `/m2m/v1/plans/${ACCOUNT}`)).statusCode, 200);
    assert.deepEqual(await code(read(other)), [400, 'UnifiedWebService.INPUT_INVALID.SessionToken.Invalid']);
    assert.equal((await login({ ...USER, password: newPassword })).statusCode, 200);
    assert.equal((await login(USER)).statusCode, 400);
    await world.import({ users: [USER] });
  });

  it('400: changes nothing if the old password is wrong', async () => {
    const { call } = await asUser(world);
    assert.deepEqual(
      await code(call('PUT', '/m2m/v1/session/password/actions/reset', { oldPassword: 'no' })),
      [400, 'UnifiedWebService.INPUT_INVALID.Password.Invalid'],
    );
    assert.equal((await login(USER)).statusCode, 200);
  });
});

describe('the old password of a reset', () => {
  const reset = '/m2m/v1/session/password/actions/reset';
  const guessed = { username: 'reset-guessed', password: 'reset-guessed-password' };

  it('400: is counted together with logins, locks at the fifth failure, and is then refused even if right', async () => {
    await world.import({ users: [guessed] });
    const { call } = await asUser(world, guessed);
    await login({ ...guessed, password: 'wrong' });
    for (const left of [3, 2, 1]) {
      const answer = await call('PUT', reset, { oldPassword: 'wrong' });
      assert.match(answer.json().errorMessage, new RegExp(`${left} attempts left`));
    }
    for (const oldPassword of ['wrong', guessed.password]) {
      assert.deepEqual(await code(call('PUT', reset, { oldPassword })), [
        400,
        'UnifiedWebService.REQUEST_FAILED.User.Locked',
      ]);
    }
    assert.deepEqual(await code(login(guessed)), [400, 'UnifiedWebService.REQUEST_FAILED.User.Locked']);
    await world.operator('POST', '/users/reset-guessed/unlock');
  });

  it('429: is limited together with logins', async () => {
    const { call } = await asUser(world, guessed);
    let answer = await call('PUT', reset, { oldPassword: 'wrong' });
    for (let i = 0; i < 100 && answer.statusCode !== 429; i++)
      answer = await call('PUT', reset, { oldPassword: 'wrong' });
    assert.equal(answer.statusCode, 429);
  });
});

describe('the operator', () => {
  // proves sessions/lock
  it('unlocks a user', async () => {
    for (let i = 0; i < 5; i++) await login({ ...USER, password: 'wrong' });
    assert.equal((await world.operator('POST', '/users/ws-user/unlock')).statusCode, 200);
    assert.equal((await login(USER)).statusCode, 200);
    assert.equal((await world.operator('POST', '/users/nobody-at-all/unlock')).statusCode, 404);
  });

  it('disables a user: its sessions end and it cannot log in until it is enabled', async () => {
    const token = (await login(USER)).json().sessionToken;
    await world.operator('POST', '/users/ws-user/disable');
    assert.deepEqual(await code(read(token)), [400, 'UnifiedWebService.INPUT_INVALID.SessionToken.Invalid']);
    assert.equal((await login(USER)).json().errorCode, 'UnifiedWebService.REQUEST_FAILED.User.Disabled');
    await world.operator('POST', '/users/ws-user/enable');
    assert.equal((await login(USER)).statusCode, 200);
  });

  // proves fleet-document/passwords
  it('imports an unchanged password without ending a session, and a changed one ends them', async () => {
    const token = await logIn(api, await bearer(api));
    await world.import({ users: [USER] });
    assert.equal((await read(token)).statusCode, 200);
    await world.import({ users: [{ ...USER, password: 'another-password' }] });
    assert.equal((await read(token)).statusCode, 400);
    await world.import({ users: [USER] });
  });
});
