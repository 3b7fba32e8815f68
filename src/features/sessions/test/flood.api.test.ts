import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import { basic, bearer, CLIENT, SMALL_FLEET, USER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';

/** Answered within 5 s is what is promised; the rest is for a machine that does much else. */
const SOON_MS = 9_000;

const dispatcher = new Agent({ connections: 200 });
after(() => dispatcher.close());

async function openScene(passwordCost: number) {
  const world = await makeWorld({ settings: { passwordCost, loginsPerMinute: 0 } });
  await world.import(SMALL_FLEET);
  const token = await bearer(world.api);
  const url = await world.api.listen({ port: 0, host: '127.0.0.1' });

  async function post(path: string, headers: Record<string, string>, body: string) {
    const startedMs = performance.now();
    const answer = await fetch(`${url}/api${path}`, { method: 'POST', headers, body, dispatcher });
    await answer.text();
    const ms = performance.now() - startedMs;
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), ms };
  }
  return {
    world,
    askToken: (clientId: string, clientSecret: string) => {
      const authorization = basic({ clientId, clientSecret });
      return post('/ts/v1/oauth2/token', { authorization }, 'grant_type=client_credentials');
    },
    logIn: () => post('/m2m/v1/session/login', { authorization: `Bearer ${token}` }, JSON.stringify(USER)),
    signIn: () => post('/console/v1/sign-in', { 'x-requested-by': 'console' }, JSON.stringify(USER)),
  };
}

/** Sixty senders that try again as soon as they are refused, all from the address of everybody else. */
async function during<T>(tryWrong: (n: number) => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  let isOver = false;
  let tries = 0;
  const flood = Array.from({ length: 60 }, async () => {
    while (!isOver) {
      await tryWrong(tries++);
      await sleep(20);
    }
  });
  await sleep(500);
  const result = await work();
  isOver = true;
  await Promise.all(flood);
  return result;
}

const quick = await openScene(14);

describe('under a flood of wrong secrets from the same address', () => {
  it('each honest login is answered soon, or told when to come back', async () => {
    // A check takes half a second or more: a queue that is bounded by a number alone takes far too long.
    const { askToken, logIn, signIn } = await openScene(17);
    const honest = await during(
      (n) => askToken(`nobody-${n}`, 'wrong'),
      () =>
        Promise.all(Array.from({ length: 6 }, (_, n) => sleep(n * 300).then(n % 2 === 0 ? logIn : signIn))),
    );
    for (const { status, retryAfter, ms } of honest) {
      assert.ok(ms < SOON_MS, `${status} after ${ms} ms`);
      assert.ok(status === 200 || (status === 503 && Number(retryAfter) > 0), `${status} ${retryAfter}`);
    }
  });

  it('a login is let in while somebody guesses the secret of one client', async () => {
    const { askToken, logIn } = quick;
    const honest = await during(() => askToken(CLIENT.clientId, 'wrong'), logIn);
    assert.equal(honest.status, 200);
  });

  it('a client whose secret was proven before gets its token', async () => {
    const { askToken } = quick;
    const honest = await during(
      (n) => askToken(`nobody-${n}`, 'wrong'),
      () => askToken(CLIENT.clientId, CLIENT.clientSecret),
    );
    assert.equal(honest.status, 200);
  });
});

it('a login does not wait until all users of an import are hashed', async () => {
  const { world, logIn } = quick;
  const users = Array.from({ length: 40 }, (_, n) => ({ username: `new-${n}`, password: `password-${n}` }));
  const startedMs = performance.now();
  const imported = world.import({ users }).then(() => performance.now() - startedMs);
  await sleep(200);
  const { status, ms } = await logIn();
  assert.equal(status, 200);
  assert.ok(ms < (await imported) / 2, `${ms} ms beside an import of ${await imported} ms`);
});
