import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { ACCOUNT, asUser, basic, CLIENT, SMALL_FLEET } from '../support/fleet.ts';
import { makeWorld, type World } from '../support/world.ts';

const secretKey = generateSecretKey();
const one = await makeWorld({ secretKey });
const two = await makeWorld({ secretKey, databaseUrl: one.databaseUrl });
await one.import(SMALL_FLEET);

const readOn = async ({ api }: World, headers: Record<string, string>) =>
  (await api.inject({ url: `/api/m2m/v1/plans/${ACCOUNT}`, headers })).statusCode;

/** The service promises a second; a busy machine may take longer. */
async function becomes(status: number, ask: () => Promise<number>): Promise<void> {
  const until = performance.now() + 10_000;
  let last = await ask();
  while (last !== status && performance.now() < until) {
    await sleep(20);
    last = await ask();
  }
  assert.equal(last, status);
}

describe('two processes on one database', () => {
  // proves sessions/storage
  it('both accept a token and a session that one of them issued', async () => {
    const { headers } = await asUser(one);
    assert.deepEqual([await readOn(one, headers), await readOn(two, headers)], [200, 200]);
  });

  const endings: Record<string, (user: Awaited<ReturnType<typeof asUser>>) => Promise<unknown>> = {
    'a logout': ({ call }) => call('POST', '/m2m/v1/session/logout'),
    'a disabled user': () => one.operator('POST', '/users/ws-user/disable'),
    'a revoked token': ({ token }) =>
      one.api.inject({
        method: 'POST',
        url: '/api/ts/v1/oauth2/revoke',
        headers: { authorization: basic(CLIENT) },
        payload: `token=${token}`,
      }),
    'an account taken away': () => one.import({ users: [{ username: 'ws-user', accounts: [] }] }),
    'a deleted account': () => one.operator('DELETE', `/accounts/${ACCOUNT}`),
  };
  const statuses: Record<string, number> = { 'a revoked token': 401, 'an account taken away': 401 };
  for (const [name, end] of Object.entries(endings)) {
    it(`see ${name} soon`, async () => {
      await one.import(SMALL_FLEET);
      await one.operator('POST', '/users/ws-user/enable');
      const user = await asUser(one);
      assert.equal(await readOn(two, user.headers), 200);
      await end(user);
      await becomes(statuses[name] ?? 400, () => readOn(two, user.headers));
    });
  }

  it('do not treat a session as expired that was used at the other one', async () => {
    await one.import(SMALL_FLEET);
    const { headers } = await asUser(one);
    await readOn(two, headers);
    two.pass(19 * 60_000);
    assert.equal(await readOn(two, headers), 200);
    // The second process writes its uses with the next half-minute flush; here the test does it.
    await two.ctx.db.exec(sql`update session set last_used_at = ${two.ctx.now()} where ended_at is null`);
    one.pass(19 * 60_000 + 19 * 60_000);
    assert.equal(await readOn(one, headers), 200);
  });
});

it('a process that cannot receive notifications trusts the database, not its memory', async () => {
  await one.import(SMALL_FLEET);
  const fresh = await makeWorld({ secretKey, databaseUrl: one.databaseUrl });
  fresh.clock.holdAt(one.clock.now());
  const { headers, call } = await asUser(one);
  assert.equal(await readOn(fresh, headers), 200);
  // Cuts every listening connection: until they are back nothing may be answered from memory.
  await one.ctx.db.exec(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'linekeeper-listen'`);
  await call('POST', '/m2m/v1/session/logout');
  await becomes(400, () => readOn(fresh, headers));
});
