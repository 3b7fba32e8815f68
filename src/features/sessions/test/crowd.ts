import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import { basic, bearer, SMALL_FLEET, USER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
}

/** A service with many concurrent login attempts from one address. */
export async function openCrowdScene(passwordCost: number) {
  const dispatcher = new Agent({ connections: 200 });
  after(() => dispatcher.close());
  const world = await makeWorld({ settings: { passwordCost, loginsPerMinute: 0 } });
  await world.import(SMALL_FLEET);
  const token = await bearer(world.api);
  const url = await world.api.listen({ port: 0, host: '127.0.0.1' });

  async function post(path: string, headers: Record<string, string>, body: string): Promise<Answer> {
    const answer = await fetch(`${url}/api${path}`, { method: 'POST', headers, body, dispatcher });
    await answer.text();
    return { status: answer.status, retryAfter: answer.headers.get('retry-after') };
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

const SENDERS = 60;

/** The results of the work and of sixty senders that keep trying wrong secrets during it. */
export async function during<T>(tryWrong: (n: number) => Promise<Answer>, work: () => Promise<T>) {
  let isOver = false;
  let tries = 0;
  const answered: Answer[] = [];
  const flood = Array.from({ length: SENDERS }, async () => {
    while (!isOver) {
      answered.push(await tryWrong(tries++));
      await sleep(20);
    }
  });
  // The first are answered; the others wait.
  while (answered.length < 2) await sleep(5);
  const before = answered.length;
  const result = await work();
  const answeredDuring = answered.length - before;
  isOver = true;
  await Promise.all(flood);
  return { result, answeredDuring, answered };
}
