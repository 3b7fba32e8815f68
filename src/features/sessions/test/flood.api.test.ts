import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { during, openCrowdScene } from './crowd.ts';

/** Checks are so slow that not all attempts can be checked within the time one of them waits. */
const DEAR = 17;

it('under a flood of wrong secrets, only calls that wait too long are refused, with a time to retry', async () => {
  const { askToken, logIn, signIn } = await openCrowdScene(DEAR);
  const { result: honest, answered } = await during(
    (n) => askToken(`nobody-${n}`, 'wrong'),
    () => Promise.all(Array.from({ length: 6 }, (_, n) => sleep(n * 300).then(n % 2 === 0 ? logIn : signIn))),
  );
  for (const { status, retryAfter } of honest)
    assert.ok(status === 200 || (status === 503 && Number(retryAfter) > 0), `${status} ${retryAfter}`);
  const statuses = new Set(answered.map(({ status }) => status));
  assert.deepEqual([...statuses].sort(), [401, 503]);
});
