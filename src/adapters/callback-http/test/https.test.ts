import assert from 'node:assert/strict';
import { before, describe, it, type TestContext } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { makeAuthority, makeCertificate, type Pair } from './certificates.ts';
import { httpsListener, makeHttp, post, tcpListener } from './listener.ts';

let ca: Pair;
before(async () => {
  ca = await makeAuthority();
});

async function sendTo(t: TestContext, pair: Pair, host = 'localhost') {
  let requests = 0;
  const listener = await httpsListener(t, pair, (_request, response) => {
    requests++;
    response.end('ok');
  });
  const http = makeHttp(t, { ca: ca.cert });
  const { status, error } = await http.send(post(`https://${host}:${listener.port}/`));
  return { status, error, requests };
}
const refused = (error: string) => ({ status: null, error, requests: 0 });

describe('callbacks over https', () => {
  it('a trusted certificate for the name or the address is accepted', async (t) => {
    const accepted = { status: 200, error: null, requests: 1 };
    assert.deepEqual(await sendTo(t, await makeCertificate({ ca })), accepted);
    assert.deepEqual(await sendTo(t, await makeCertificate({ ca }), 'localhost.'), accepted);
    const forAddress = await makeCertificate({ ca, host: '127.0.0.1' });
    assert.deepEqual(await sendTo(t, forAddress, '127.0.0.1'), accepted);
  });

  // proves 5/rule-4 callbacks/certificates
  it('an invalid certificate is refused with its reason, and nothing is sent', async (t) => {
    const stranger = await makeAuthority();
    for (const [wanted, host, reason] of [
      [{}, 'localhost', 'certificate is self-signed'],
      [{ ca, fromDay: -20 }, 'localhost', 'certificate has expired'],
      [{ ca, fromDay: 5 }, 'localhost', 'certificate is not valid yet'],
      [{ ca, host: 'other.example' }, 'localhost', 'certificate is for another host'],
      [{ ca }, '127.0.0.1', 'certificate is for another host'],
      [{ ca: stranger }, 'localhost', 'certificate is not trusted'],
    ] as const)
      assert.deepEqual(await sendTo(t, await makeCertificate(wanted), host), refused(reason), reason);
  });

  // proves 5/rule-4 callbacks/certificates
  it('every socket has its own TLS session, with the name of the host', async (t) => {
    const seen: unknown[] = [];
    const listener = await httpsListener(t, await makeCertificate({ ca }), ({ socket }, response) => {
      const tls = socket as TLSSocket & { servername: string };
      seen.push([tls.servername, tls.isSessionReused()]);
      response.setHeader('connection', 'close').end();
    });
    const http = makeHttp(t, { ca: ca.cert });
    for (let n = 0; n < 3; n++)
      assert.equal((await http.send(post(`https://localhost:${listener.port}/`))).status, 200);
    assert.deepEqual(seen, Array(3).fill(['localhost', false]));
    assert.equal(listener.connections(), 3);
  });

  it('a handshake that never ends ends within the time to connect', async (t) => {
    const { port } = await tcpListener(t, () => {});
    const http = makeHttp(t, { limits: { connectMs: 50 } });
    assert.equal((await http.send(post(`https://127.0.0.1:${port}/`))).error, 'could not connect in 0.05 s');
  });

  it('a listener that hangs up during the handshake, or does not speak TLS, has its reason', async (t) => {
    const http = makeHttp(t);
    const closing = await tcpListener(t, (socket) => socket.once('data', () => socket.destroy()));
    assert.equal((await http.send(post(`https://127.0.0.1:${closing.port}/`))).error, 'connection reset');
    const plain = await tcpListener(t, (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
    assert.equal((await http.send(post(`https://127.0.0.1:${plain.port}/`))).error, 'protocol error');
  });
});
