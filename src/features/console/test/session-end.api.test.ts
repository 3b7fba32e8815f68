import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, SMALL_FLEET, STRANGER_USER, USER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { signIn } from './scene.ts';

const world = await makeWorld();
await world.import(SMALL_FLEET);
const { username, password } = USER;

describe('a session ends', () => {
  const ends = async (act: () => Promise<unknown>, body: object = { username, password }) => {
    const browser = await signIn(world, body);
    assert.equal((await browser.get('/session')).statusCode, 200);
    await act();
    const answer = await browser.get('/session');
    assert.equal(answer.statusCode, 401, answer.body);
    return answer.json().code;
  };

  it('401: at sign-out, for this browser only', async () => {
    const [one, other] = [await signIn(world), await signIn(world)];
    assert.equal((await one.send('POST', '/sign-out')).statusCode, 200);
    assert.equal((await one.get('/session')).json().code, 'session_invalid');
    assert.equal((await other.get('/session')).statusCode, 200);
  });

  it('401: half an hour of real time after its last use, and twelve hours after it began', async () => {
    for (const [column, age] of [
      ['last_used_at', '31 minutes'],
      ['created_at', '12 hours 1 minute'],
    ] as const) {
      const code = await ends(() =>
        world.ctx.db.exec(
          column === 'created_at'
            ? sql`update console_session set created_at = created_at - ${age}::interval`
            : sql`update console_session set last_used_at = last_used_at - ${age}::interval`,
        ),
      );
      assert.equal(code, 'session_expired');
    }
  });

  it('is not prolonged by what a page reads while nobody is there, wherever it reads it', async () => {
    const lastUse = async (path: string, headers: Record<string, string>) => {
      const browser = await signIn(world);
      await world.ctx.db.exec(sql`
        update console_session set last_used_at = last_used_at - interval '20 minutes' where operator_key_hash is not null`);
      assert.equal((await browser.call('GET', path, undefined, headers)).statusCode, 200);
      const { age } = await world.ctx.db.one<{ age: number }>(sql`
        select extract(epoch from created_at - last_used_at)::int as age from console_session
        where operator_key_hash is not null order by created_at desc limit 1`);
      return age;
    };
    for (const path of ['/console/v1/session', `/m2m/v1/plans/${ACCOUNT}`, '/operator/v1/accounts']) {
      assert.equal(await lastUse(path, { 'x-unattended': 'true' }), 20 * 60);
      assert.ok((await lastUse(path, {})) <= 0);
    }
  });

  it('401: when its user is disabled', async () => {
    await ends(() => world.operator('POST', `/users/${username}/disable`));
    await world.operator('POST', `/users/${username}/enable`);
  });

  it('401: when the password is another one', async () => {
    await ends(() => world.operator('POST', `/users/${STRANGER_USER.username}/password`), STRANGER_USER);
    await world.import(SMALL_FLEET);
  });

  it('401: when the operator key is deleted', async () => {
    const { key } = (await world.operator('POST', '/keys', { name: 'guest', scopes: ['read'] })).json();
    await ends(() => world.operator('DELETE', '/keys/guest'), { operatorKey: key });
  });

  it('200: not when the clock of the sandbox is moved, because sessions run on real time', async () => {
    const browser = await signIn(world);
    world.pass(365 * 24 * 3_600_000);
    assert.equal((await browser.get('/session')).statusCode, 200);
  });
});
