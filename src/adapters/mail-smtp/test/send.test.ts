import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type MailServer, openMailServer } from '../../../../test/support/mail-server.ts';
import { createMailSmtp, type MailSmtpOptions } from '../index.ts';

const ID = '6f1c1f0e-0d9e-4b57-9c3f-0a4f6a1f2b11';
const message = (...to: string[]) => ({
  notificationId: ID,
  to,
  subject: 'A subject',
  text: 'Line 1\nLine 2\n',
});

function makeSmtp(t: TestContext, { url }: Pick<MailServer, 'url'>, more: Partial<MailSmtpOptions> = {}) {
  const smtp = createMailSmtp({ url, from: 'alerts@linekeeper.example', ...more });
  t.after(smtp.close);
  return smtp;
}

describe('a mail', () => {
  it('has its Message-ID, its sender and recipients, and is marked as automatic', async (t) => {
    const server = await openMailServer();
    const outcomes = await makeSmtp(t, server).send(message('a@x.example', 'b@x.example'));
    assert.deepEqual(outcomes, [{ kind: 'sent' }, { kind: 'sent' }]);
    const [{ from, to, headers, text } = assert.fail('nothing arrived')] = server.heard;
    assert.deepEqual([from, to], ['alerts@linekeeper.example', ['a@x.example', 'b@x.example']]);
    assert.equal(headers.get('message-id'), `<${ID}@linekeeper.example>`);
    assert.equal(headers.get('auto-submitted'), 'auto-generated');
    assert.equal(headers.get('from'), 'Linekeeper <alerts@linekeeper.example>');
    assert.equal(headers.get('to'), 'a@x.example, b@x.example');
    assert.equal(headers.get('subject'), 'A subject');
    // One part for programs that show text, and one for those that show HTML.
    assert.match(text, /text\/plain.*\r\n\r\nLine 1\r\nLine 2\r\n.*text\/html.*<p>Line 1<br>/s);
  });

  it('keeps text of every language', async (t) => {
    const server = await openMailServer();
    await makeSmtp(t, server).send({ ...message('a@x.example'), subject: 'Größe 5 €', text: 'Größe\n' });
    const [{ headers, text } = assert.fail('nothing arrived')] = server.heard;
    assert.match(headers.get('subject')!, /^=\?UTF-8\?/);
    assert.match(text, /Gr=C3=B6=C3=9Fe/);
  });

  it('to many recipients does not show their addresses', async (t) => {
    const server = await openMailServer();
    const to = Array.from({ length: 100 }, (_, n) => `n${n}@x.example`);
    const outcomes = await makeSmtp(t, server).send(message(...to));
    assert.ok(outcomes.length === 100 && outcomes.every(({ kind }) => kind === 'sent'));
    const [{ to: envelope, headers } = assert.fail('nothing arrived')] = server.heard;
    assert.deepEqual(envelope, to);
    assert.match(headers.get('to')!, /^"?undisclosed-recipients"?:;$/);
  });

  it('in large numbers uses a few connections that are kept', async (t) => {
    const server = await openMailServer();
    const smtp = makeSmtp(t, server);
    for (let n = 0; n < 4; n++)
      await Promise.all(Array.from({ length: 5 }, () => smtp.send(message('a@x.example'))));
    assert.equal(server.heard.length, 20);
    assert.ok(new Set(server.heard.map(({ connection }) => connection)).size <= 5);
  });
});

describe('recipients of one mail', () => {
  it('are accepted, deferred and refused individually', async (t) => {
    const server = await openMailServer();
    const outcomes = await makeSmtp(t, server).send(
      message('a@x.example', 'defer@x.example', 'reject@x.example'),
    );
    assert.deepEqual(outcomes, [
      { kind: 'sent' },
      { kind: 'deferred', reason: '450 4.2.0 greylisted, come back', serverDown: false },
      { kind: 'failed', reason: '550 5.1.1 <reject@x.example> no such mailbox' },
    ]);
    assert.deepEqual(server.heard[0]?.to, ['a@x.example']);
  });

  it('keep their outcome and their spelling whatever characters and letter case they have', async (t) => {
    const server = await openMailServer();
    const odd = "o'neil/{x}|~`+a.B@x.example";
    const outcomes = await makeSmtp(t, server).send(message('reject.Me@X.Example', odd, 'Defer@X.EXAMPLE'));
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['failed', 'sent', 'sent'],
    );
    assert.deepEqual(server.heard[0]?.to, [odd, 'Defer@x.example']);
  });

  it('are handled individually even if the server accepts none of them', async (t) => {
    const server = await openMailServer();
    const outcomes = await makeSmtp(t, server).send(message('reject@x.example', 'defer@x.example'));
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['failed', 'deferred'],
    );
    assert.equal(server.heard.length, 0);
  });

  for (const [code, kind] of [
    [451, 'deferred'],
    [554, 'failed'],
  ] as const) {
    it(`have all ${kind} when the server answers ${code} to the message itself`, async (t) => {
      const server = await openMailServer();
      server.message = code;
      const smtp = makeSmtp(t, server);
      const outcomes = await smtp.send(message('a@x.example', 'b@x.example'));
      assert.deepEqual(
        outcomes.map((outcome) => outcome.kind),
        [kind, kind],
      );
      server.message = 'take';
      assert.deepEqual(await smtp.send(message('a@x.example')), [{ kind: 'sent' }]);
    });
  }
});
