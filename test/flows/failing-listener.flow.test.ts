import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { postCallbacks } from '../../src/features/callbacks/index.ts';
import { ACCOUNT, asUser, SMALL_FLEET } from '../support/fleet.ts';
import { type Listener, openListener } from '../support/listener.ts';
import { makeWorld } from '../support/world.ts';

const ECPD = '9000001';
const CONTACT = 'ops@acme.example';

async function makeScene(answer: Listener['answer'], contactEmail: string | undefined = CONTACT) {
  const world = await makeWorld();
  await world.import(SMALL_FLEET);
  if (contactEmail !== '')
    await world.import({
      accounts: [{ accountName: ACCOUNT, ecpdId: ECPD, timeZone: 'America/Chicago', contactEmail }],
    });
  await world.engine.addRecurring();
  const listener = await openListener(answer);
  const register = async (name: string, url = listener.url) => {
    // Sessions expire while the clock moves.
    const { call } = await asUser(world);
    assert.equal((await call('POST', `/m2m/v1/callbacks/${ACCOUNT}`, { name, url })).statusCode, 200);
  };
  await register('AlertService');
  const post = (serviceName: 'AlertService' | 'StateService' = 'AlertService') =>
    postCallbacks(world.ctx, ECPD, [{ accountName: ACCOUNT, serviceName, requestId: 'r', payload: {} }]);
  const advance = async (duration: string) =>
    assert.equal((await world.operator('POST', '/clock', { advance: duration })).statusCode, 200);
  const mails = async (): Promise<{ to: string[]; subject: string; text: string }[]> =>
    (await world.operator('GET', '/mail')).json();
  return { ...world, listener, register, post, advance, mails };
}

describe('a listener that fails', () => {
  it('for an hour causes a mail to the contact of its account with what, where, since when and why', async () => {
    const { post, advance, mails, delivery } = await makeScene(500);
    await post();
    await delivery.settle();
    await advance('PT59M');
    assert.deepEqual(await mails(), []);
    await post();
    await advance('PT6M');
    const [{ to, subject, text } = assert.fail('no mail')] = await mails();
    assert.deepEqual(to, [CONTACT]);
    assert.equal(subject, `Callbacks of AlertService for account ${ACCOUNT} are failing`);
    assert.match(text, /^Listener: +127\.0\.0\.1:\d+$/m);
    // Midnight UTC in the account's time zone.
    assert.match(text, /^Failing since: +4 Jan 2026, 18:00:00 (CST|GMT-6)$/m);
    assert.match(text, /^Result: +answered 500$/m);
    assert.match(text, /^Messages waiting: +1$/m);
    assert.doesNotMatch(text, /hook/);
  });

  it('causes one mail however long it fails, and another if it fails again after it worked', async () => {
    const { post, advance, mails, listener } = await makeScene('never');
    listener.answer = 404;
    await post();
    await advance('PT3H');
    await post();
    await advance('PT3H');
    assert.equal((await mails()).length, 1);
    listener.answer = 200;
    await post();
    await advance('PT10M');
    listener.answer = 404;
    await post();
    await advance('PT30M');
    assert.equal((await mails()).length, 1);
    await advance('PT1H');
    assert.equal((await mails()).length, 2);
  });

  it('causes no second mail when the first is deleted', async () => {
    const { post, advance, mails } = await makeScene(500);
    await post();
    await advance('PT2H');
    assert.equal((await mails()).length, 1);
    await advance('P31D');
    assert.deepEqual(await mails(), []);
    await post();
    await advance('P1D');
    assert.deepEqual(await mails(), []);
  });

  it('causes no mail about a working listener of the same account, nor if it was replaced since', async () => {
    const { post, advance, mails, listener, register } = await makeScene(500);
    const good = await openListener();
    await register('StateService', good.url);
    await post();
    await post('StateService');
    await advance('PT30M');
    await register('AlertService');
    listener.answer = 200;
    await advance('PT2H');
    assert.deepEqual(await mails(), []);
  });

  it('causes no mail if the account has no contact, or while it is paused', async () => {
    const without = await makeScene(500, '');
    await without.post();
    await without.advance('PT2H');
    assert.deepEqual(await without.mails(), []);
    const paused = await makeScene(500);
    await paused.post();
    await paused.advance('PT10M');
    const body = { accountName: ACCOUNT, serviceName: 'AlertService' };
    assert.equal((await paused.operator('POST', '/callbacks/pause', body)).statusCode, 200);
    await paused.advance('PT2H');
    assert.deepEqual(await paused.mails(), []);
  });
});
