import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTestDatabase } from '../../../../test/support/database.ts';
import { asUser, basic, bearer, CLIENT, SMALL_FLEET, USER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import type { Ctx } from '../../../platform/context/context.ts';
import { sql } from '../../../platform/db/sql.ts';
import { disableClient, disableUser, resetPasswordOf, rotateClientSecret } from '../index.ts';

const WRONG = 'UnifiedWebService.INPUT_INVALID.Password.Invalid';
const LOCKED = 'UnifiedWebService.REQUEST_FAILED.User.Locked';
const DISABLED = 'UnifiedWebService.REQUEST_FAILED.User.Disabled';
// The tests exceed the login rate limit, and what they check must hold without it.
const world = await makeWorld({ env: { LINEKEEPER_LOGIN_RATE: '0' } });
const { api } = world;
await world.import(SMALL_FLEET);
/** A separate pool, because the service has few connections. */
const other = openTestDatabase(world.databaseUrl);
after(() => other.close());

const token = await bearer(api);
const login = async (body: object) =>
  api.inject({
    method: 'POST',
    url: '/api/m2m/v1/session/login',
    headers: { authorization: `Bearer ${token}` },
    payload: body,
  });
/** On a busy machine, a call may get no connection in time. It was then not checked, and is repeated. */
async function guess(username: string, password = 'wrong'): Promise<string> {
  const answer = await login({ username, password });
  return answer.statusCode === 503 ? guess(username, password) : answer.json().errorCode;
}
const askToken = async (client: typeof CLIENT) =>
  api.inject({
    method: 'POST',
    url: '/api/ts/v1/oauth2/token',
    headers: { authorization: basic(client), 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'grant_type=client_credentials',
  });

const countWaiting = async () =>
  (
    await world.ctx.db.many(sql`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  ).length;

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const start = Date.now(); !(await condition()); await sleep(5))
    assert.ok(Date.now() - start < 60_000, 'waited too long');
}

/** Starts a call that waits for an uncommitted change. The call may also end without waiting. */
async function during<T>(
  change: (ctx: Ctx) => Promise<unknown>,
  call: () => Promise<T>,
  whileWaiting: () => Promise<unknown> = async () => {},
): Promise<T> {
  let ended = false;
  const pending = await other.tx(async (db) => {
    await change({ ...world.ctx, db });
    const waiting = await countWaiting();
    const answer = call().finally(() => {
      ended = true;
    });
    await until(async () => ended || (await countWaiting()) > waiting);
    await whileWaiting();
    return { answer };
  });
  return pending.answer;
}

describe('concurrent guesses', () => {
  for (const username of [USER.username, 'nobody']) {
    it(`are checked five times, then the name is locked: ${username}`, async () => {
      const codes = await Promise.all(Array.from({ length: 30 }, () => guess(username)));
      assert.equal(codes.filter((code) => code === WRONG).length, 4);
      assert.equal(codes.filter((code) => code === LOCKED).length, 26);
      assert.equal(await guess(username, USER.password), LOCKED);
      await world.operator('POST', `/users/${username}/unlock`);
    });
  }

  it('that lock the name while the right password is being checked make it fail, and the lock stays', async () => {
    const right = await during(
      ({ db }) => db.exec(sql`select from ws_user where username = ${USER.username} for no key update`),
      () => login(USER),
      async () => {
        for (let i = 0; i < 5; i++) await guess(USER.username);
      },
    );
    assert.equal(right.json().errorCode, LOCKED);
    assert.equal((await login(USER)).json().errorCode, LOCKED);
    await world.operator('POST', `/users/${USER.username}/unlock`);
    assert.equal((await login(USER)).statusCode, 200);
  });
});

describe('a login', () => {
  it('that began before a password change is refused after it', async () => {
    const answer = await during(
      (ctx) => resetPasswordOf(ctx, USER.username),
      () => login(USER),
    );
    assert.equal(answer.json().errorCode, WRONG);
    await world.import({ users: [USER] });
  });

  it('that began before the user was disabled is refused afterwards', async () => {
    const answer = await during(
      (ctx) => disableUser(ctx, USER.username),
      () => login(USER),
    );
    assert.equal(answer.json().errorCode, DISABLED);
    await world.operator('POST', `/users/${USER.username}/enable`);
  });
});

it('of two resets with the same old password, only one returns a new one', async () => {
  const { call } = await asUser(world);
  const answers = await Promise.all(
    [1, 2].map(() => call('PUT', '/m2m/v1/session/password/actions/reset', { oldPassword: USER.password })),
  );
  assert.deepEqual(answers.map((answer) => answer.statusCode).sort(), [200, 400]);
  await world.import({ users: [USER] });
});

describe('a token request that began before', () => {
  it('an immediate rotation of the secret is refused after it', async () => {
    const answer = await during(
      (ctx) => rotateClientSecret(ctx, CLIENT.clientId, { atOnce: true }),
      () => askToken(CLIENT),
    );
    assert.deepEqual([answer.statusCode, answer.json().error], [401, 'invalid_client']);
    await world.import({ clients: [CLIENT] });
  });

  it('a rotation that keeps the old secret for a day is answered', async () => {
    const answer = await during(
      (ctx) => rotateClientSecret(ctx, CLIENT.clientId, { atOnce: false }),
      () => askToken(CLIENT),
    );
    assert.equal(answer.statusCode, 200);
    await world.import({ clients: [CLIENT] });
  });

  it('the client was disabled is refused afterwards', async () => {
    const answer = await during(
      (ctx) => disableClient(ctx, CLIENT.clientId),
      () => askToken(CLIENT),
    );
    assert.equal(answer.statusCode, 401);
    await world.operator('POST', `/clients/${CLIENT.clientId}/enable`);
    assert.equal((await askToken(CLIENT)).statusCode, 200);
  });

  it('another secret was imported is refused after it', async () => {
    // The import waits for the tokens it is about to revoke, when it has already changed the client.
    await bearer(api);
    let imported: Promise<unknown> | undefined;
    const answer = await during(
      async ({ db }) => {
        await db.exec(sql`select from client_token where client_id = ${CLIENT.clientId} for update`);
        imported = world.import({ clients: [{ ...CLIENT, clientSecret: 'another-secret' }] });
        await until(async () => (await countWaiting()) > 0);
      },
      () => askToken(CLIENT),
    );
    await imported;
    assert.equal(answer.statusCode, 401);
    await world.import({ clients: [CLIENT] });
  });
});
