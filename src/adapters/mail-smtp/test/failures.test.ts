import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { openMailServer } from '../../../../test/support/mail-server.ts';
import { createMailSmtp, type MailSmtpOptions } from '../index.ts';

const message = { notificationId: 'n', to: ['a@x.example'], subject: 's', text: 't' };
const LIMITS = { connectMs: 300, silenceMs: 300, messageMs: 600 };
/** For servers that answer, however busy the machine is. */
const PATIENT: Partial<MailSmtpOptions> = { limits: {} };

function makeSmtp(t: TestContext, url: string, more: Partial<MailSmtpOptions> = {}) {
  const smtp = createMailSmtp({ url, from: 'alerts@linekeeper.example', limits: LIMITS, ...more });
  t.after(smtp.close);
  return smtp;
}

/** A server with arbitrary answers. */
async function openSocketServer(t: TestContext, onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return `smtp://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

const later = (reason: string) => [{ kind: 'deferred', reason, serverDown: true }];

describe('a mail is deferred with the reason', () => {
  it('if no server listens, and sent once one does', async (t) => {
    const first = await openMailServer();
    const smtp = makeSmtp(t, first.url, PATIENT);
    await first.close();
    assert.deepEqual(await smtp.send(message), later('the mail server cannot be reached'));
    const second = await openMailServer({ port: first.port });
    assert.deepEqual(await smtp.send(message), [{ kind: 'sent' }]);
    assert.equal(second.heard.length, 1);
  });

  it('when the server never greets', async (t) => {
    const smtp = makeSmtp(t, await openSocketServer(t, () => {}));
    assert.deepEqual(await smtp.send(message), later('the mail server does not answer'));
  });

  it('when it greets with 421 or hangs up', async (t) => {
    const closing = makeSmtp(t, await openSocketServer(t, (socket) => socket.end('421 4.3.2 closing\r\n')));
    const [outcome] = await closing.send(message);
    assert.equal(outcome?.kind, 'deferred');
    let connections = 0;
    const hangingUp = await openSocketServer(t, (socket) => {
      connections++;
      socket.end();
    });
    assert.equal((await makeSmtp(t, hangingUp).send(message))[0]?.kind, 'deferred');
    // The caller, who counts attempts, decides about the next one.
    assert.equal(connections, 1);
  });

  it('when it stops answering after the message, and when it never stops sending', async (t) => {
    const server = await openMailServer();
    server.message = 'hang';
    assert.deepEqual(await makeSmtp(t, server.url).send(message), later('the mail server does not answer'));
    const trickling = await openSocketServer(t, (socket) => {
      const timer = setInterval(() => socket.write('220-more\r\n'), 50);
      socket.on('close', () => clearInterval(timer));
    });
    const smtp = makeSmtp(t, trickling, { limits: { ...LIMITS, connectMs: 10_000 } });
    assert.deepEqual(await smtp.send(message), later('the mail server does not answer'));
  });

  it('when it ends the connection after accepting the message, which is not automatically sent again', async (t) => {
    const server = await openMailServer();
    server.message = 'drop after';
    const [outcome] = await makeSmtp(t, server.url, PATIENT).send(message);
    assert.equal(outcome?.kind, 'deferred');
    assert.equal(server.heard.length, 1);
  });

  it('when the name does not resolve', async (t) => {
    const [outcome] = await makeSmtp(t, 'smtp://mail.invalid').send(message);
    assert.deepEqual([outcome?.kind, outcome !== undefined && 'serverDown' in outcome], ['deferred', true]);
  });
});
