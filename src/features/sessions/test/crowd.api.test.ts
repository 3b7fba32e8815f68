import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
  const users = Array.from({ length: 120 }, (_, n) => ({ username: `new-${n}`, password: `password-${n}` }));
  let isImported = false;
  const importing = world.import({ users }).then(() => {
    isImported = true;
  });
  let answered = 0;
  for (; !isImported; answered++) assert.equal((await logIn()).status, 200);
  await importing;
  // One that waited for all of them would be one of a few, before and after.
  assert.ok(answered > FEW, `only ${answered} logins were answered`);
});
