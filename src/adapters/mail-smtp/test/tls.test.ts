import assert from 'node:assert/strict';
import { before, describe, it, type TestContext } from 'node:test';
import { openMailServer } from '../../../../test/support/mail-server.ts';
import { makeAuthority, makeCertificate, type Pair } from '../../callback-http/test/certificates.ts';
import { createMailSmtp } from '../index.ts';

const message = { notificationId: 'n', to: ['a@x.example'], subject: 's', text: 't' };
let ca: Pair;
let pair: Pair;
before(async () => {
  ca = await makeAuthority();
  pair = await makeCertificate({ ca });
});

const makeSmtp = (t: TestContext, url: string, trusted = ca.cert) => {
  const smtp = createMailSmtp({ url, from: 'alerts@linekeeper.example', ca: trusted });
  t.after(smtp.close);
  return smtp;
};
/** Accepts one user. */
const onAuth: NonNullable<Parameters<typeof openMailServer>[0]>['onAuth'] = (auth, _session, done) =>
  auth.username === 'me@x' && auth.password === 'p:w/d'
    ? done(null, { user: 'me' })
    : done(Object.assign(new Error('5.7.8 no'), { responseCode: 535 }));

describe('over STARTTLS', () => {
  it('mail is sent encrypted to a server that offers it', async (t) => {
    const server = await openMailServer({ ...pair });
    assert.deepEqual(await makeSmtp(t, `smtp://localhost:${server.port}`).send(message), [{ kind: 'sent' }]);
    assert.equal(server.heard[0]?.secure, true);
  });

  it('nothing is sent to a server whose certificate is not trusted or is for another name', async (t) => {
    const server = await openMailServer({ ...pair });
    const other = await makeAuthority();
    const [untrusted] = await makeSmtp(t, `smtp://localhost:${server.port}`, other.cert).send(message);
    const [misnamed] = await makeSmtp(t, `smtp://127.0.0.1:${server.port}`).send(message);
    for (const outcome of [untrusted, misnamed]) assert.equal(outcome?.kind, 'deferred');
    assert.deepEqual(server.asked, []);
  });

  it('is required with requireTLS=true, and always with credentials', async (t) => {
    const server = await openMailServer();
    for (const url of [
      `smtp://127.0.0.1:${server.port}?requireTLS=true`,
      `smtp://me%40x:secret@127.0.0.1:${server.port}`,
    ])
      assert.equal((await makeSmtp(t, url).send(message))[0]?.kind, 'deferred');
    assert.deepEqual(server.asked, []);
  });

  it('credentials in the address are used to log in', async (t) => {
    const server = await openMailServer({ ...pair, onAuth });
    const smtp = makeSmtp(t, `smtp://me%40x:p%3Aw%2Fd@localhost:${server.port}`);
    assert.deepEqual(await smtp.send(message), [{ kind: 'sent' }]);
    assert.equal(server.heard[0]?.user, 'me');
  });

  it('refused credentials defer the mail: the operator can correct them, and the recipient is not at fault', async (t) => {
    const server = await openMailServer({ ...pair, onAuth });
    const [outcome] = await makeSmtp(t, `smtp://me%40x:wrong@localhost:${server.port}`).send(message);
    assert.ok(outcome?.kind === 'deferred' && outcome.serverDown);
    assert.match(outcome.reason, /^the mail server refused the login: 535/);
    assert.doesNotMatch(outcome.reason, /wrong/);
  });
});

describe('over TLS from the start', () => {
  it('mail is sent to an smtps address', async (t) => {
    const server = await openMailServer({ ...pair, secure: true });
    assert.deepEqual(await makeSmtp(t, `smtps://localhost:${server.port}`).send(message), [{ kind: 'sent' }]);
    assert.equal(server.heard[0]?.secure, true);
  });
});
