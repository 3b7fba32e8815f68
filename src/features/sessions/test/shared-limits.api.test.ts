import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { basic, bearer, CLIENT, SMALL_FLEET, USER } from '../../../../test/support/fleet.ts';
import { makeWorld, type World } from '../../../../test/support/world.ts';
import { generateSecretKey } from '../../../platform/crypto/secret-box.ts';
import { sql } from '../../../platform/db/sql.ts';
import { trySignIn } from '../../console/test/scene.ts';
import { loginLimiter } from '../login-allowance.ts';

const secretKey = generateSecretKey();
const limited = { secretKey, settings: { loginsPerMinute: 4 } };
const one = await makeWorld(limited);
const two = await makeWorld({ ...limited, databaseUrl: one.databaseUrl });
await one.import(SMALL_FLEET);
const token = await bearer(one.api);
const { db } = one.ctx;

const nodes = [one, two, one, two, one, two];
const tryOn = (world: World, username: string, password: string) =>
  world.api.inject({
    method: 'POST',
    url: '/api/m2m/v1/session/login',
    headers: { authorization: `Bearer ${token}` },
    payload: { username, password },
  });
const statusesOf = async (call: (world: World) => Promise<{ readonly statusCode: number }>) => {
  const statuses: number[] = [];
  for (const world of nodes) statuses.push((await call(world)).statusCode);
  return statuses;
};

describe('the limits of two processes together', () => {
  // proves operating/shared-login-limits
  it('allow a name of an address as many logins as one process does, and tell what is left', async () => {
    const answers = [];
    for (const world of nodes) answers.push(await tryOn(world, USER.username, USER.password));
    assert.deepEqual(
      answers.map(({ statusCode, headers }) => [
        statusCode,
        /r=(\d+)/.exec(String(headers['ratelimit']))?.[1],
      ]),
      [
        [200, '3'],
        [200, '2'],
        [200, '1'],
        [200, '0'],
        [429, '0'],
        [429, '0'],
      ],
    );
    assert.ok(Number(answers.at(-1)!.headers['retry-after']) > 0);
  });

  // proves operating/shared-login-limits
  it('count the wrong secrets of a client', async () => {
    const guess = ({ api }: World) =>
      api.inject({
        method: 'POST',
        url: '/api/ts/v1/oauth2/token',
        headers: {
          authorization: basic({ ...CLIENT, clientSecret: 'a-wrong-secret' }),
          'content-type': 'application/x-www-form-urlencoded',
        },
        payload: 'grant_type=client_credentials',
      });
    assert.deepEqual(await statusesOf(guess), [401, 401, 401, 401, 429, 429]);
  });

  // proves operating/shared-login-limits
  it('count the attempts to sign in to the console', async () => {
    const signIn = (world: World) => trySignIn(world, { username: 'nobody', password: 'wrong-password' });
    const statuses = await statusesOf(signIn);
    assert.deepEqual(statuses.slice(4), [429, 429]);
    assert.ok(!statuses.slice(0, 4).includes(429), statuses.join());
  });

  // proves sessions/lock
  it('lock a name after five wrong passwords, wherever they were tried', async () => {
    const limit = { secretKey, settings: { loginsPerMinute: 0 } };
    const worlds = [
      await makeWorld({ ...limit, databaseUrl: one.databaseUrl }),
      await makeWorld({ ...limit, databaseUrl: one.databaseUrl }),
    ] as const;
    const errors: string[] = [];
    for (let n = 0; n < 5; n++)
      errors.push((await tryOn(worlds[n % 2]!, 'guessed', 'wrong-password')).json().errorCode);
    assert.equal(new Set(errors.slice(0, 4)).size, 1);
    assert.notEqual(errors[4], errors[0]);
    for (const world of worlds)
      assert.equal((await tryOn(world, 'guessed', 'wrong-password')).json().errorCode, errors[4]);
  });
});

describe('a flood of names', () => {
  it('leaves the count of an honest caller as it was, and leaves few rows behind', async () => {
    const limiter = loginLimiter(1);
    assert.equal((await limiter.take(db, 'honest')).allowed, true);
    const own = await db.value<string>(sql`select key from login_allowance order by full_at desc limit 1`);
    for (let n = 0; n < 50; n++) {
      await limiter.take(db, `made up ${n}`);
      // The minute of the made-up name is over.
      await db.exec(sql`update login_allowance set full_at = 'epoch' where key <> ${own}`);
    }
    assert.equal((await limiter.peek(db, 'honest')).allowed, false);
    const left = await db.value<number>(sql`select count(*)::int as count from login_allowance`);
    assert.ok(left < 20, `${left} rows`);
  });
});
