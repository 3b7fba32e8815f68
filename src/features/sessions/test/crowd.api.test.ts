import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLIENT } from '../../../../test/support/fleet.ts';
import { during, openCrowdScene } from './crowd.ts';

const { world, askToken, logIn } = await openCrowdScene(13);

/** Of sixty senders that try all the time. */
const FEW = 20;

describe('while many wrong secrets come from the same address', () => {
  it('a login succeeds before the remaining guesses at one client are checked', async () => {
    const { result, answeredDuring } = await during(() => askToken(CLIENT.clientId, 'wrong'), logIn);
    assert.equal(result.status, 200);
    assert.ok(answeredDuring < FEW, `${answeredDuring} guesses were checked first`);
  });

  it('a client whose secret was verified before gets its token before other secrets are checked', async () => {
    const { result, answeredDuring } = await during(
      (n) => askToken(`nobody-${n}`, 'wrong'),
      () => askToken(CLIENT.clientId, CLIENT.clientSecret),
    );
    assert.equal(result.status, 200);
    assert.ok(answeredDuring < FEW, `${answeredDuring} were checked first`);
  });
});

it('logins do not wait until all users of an import are hashed', async () => {
  const users = Array.from({ length: 40 }, (_, n) => ({ username: `new-${n}`, password: `password-${n}` }));
  let isImported = false;
  const importing = world.import({ users }).then(() => {
    isImported = true;
  });
  await sleep(50);
  for (let n = 0; n < 3; n++) assert.equal((await logIn()).status, 200);
  assert.equal(isImported, false);
  await importing;
});
