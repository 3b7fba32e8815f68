import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { httpListener, makeHttp, post, tcpListener } from './listener.ts';

const failed = (error: string) => ({ status: null, error });
/** A port that was just free. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
const quick = { limits: { connectMs: 500, attemptMs: 600 } };

describe('attempts without an answer', () => {
  // proves callbacks/time-outs
  it('a listener that accepts and never answers is given up in time', async (t) => {
    const closed = Promise.withResolvers<void>();
    const { url } = await tcpListener(t, (socket) => socket.on('close', () => closed.resolve()).resume());
    const { status, error, latencyMs } = await makeHttp(t, quick).send(post(url));
    assert.deepEqual({ status, error }, failed('no answer in 0.6 s'));
    assert.ok(latencyMs >= 599 && latencyMs < 4_000, String(latencyMs));
    await closed.promise;
  });

  it('an interrupted attempt leaves no connection behind', async (t) => {
    const listener = await tcpListener(t, (socket) => socket.resume());
    const http = makeHttp(t, quick);
    await Promise.all(Array.from({ length: 10 }, () => http.send(post(listener.url))));
    while (listener.open() > 0) await new Promise(setImmediate);
    assert.equal(listener.connections(), 10);
  });

  it('a name server that does not answer is given up within the time to connect, and does not delay others', async (t) => {
    const listener = await httpListener(t, (_request, response) => response.end());
    const resolve = (name: string) =>
      name === 'alive.test' ? Promise.resolve(['127.0.0.1']) : new Promise<string[]>(() => {});
    // The limit for the one that answers is long enough for a busy machine.
    const limits = { connectMs: 2_000, attemptMs: 30_000 };
    const http = makeHttp(t, { limits, resolve });
    const dead = Array.from({ length: 50 }, (_, n) => http.send(post(`http://dead${n}.test:9000/`)));
    assert.equal((await http.send(post(`http://alive.test:${listener.port}/`))).status, 200);
    for (const { error } of await Promise.all(dead)) assert.equal(error, 'could not connect in 2 s');
  });

  it('a port without a listener is a refused connection, by address and by name', async (t) => {
    const port = await freePort();
    const http = makeHttp(t);
    for (const host of ['127.0.0.1', 'localhost']) {
      const { status, error } = await http.send(post(`http://${host}:${port}/`));
      assert.deepEqual({ status, error }, failed('connection refused'), host);
    }
  });

  it('each error of a listener has its reason', async (t) => {
    const doings: [string, (socket: Socket) => void][] = [
      ['connection reset', (socket) => socket.end()],
      ['connection reset', (socket) => socket.resetAndDestroy()],
      ['protocol error', (socket) => socket.write('SSH-2.0-OpenSSH\r\n')],
      [
        'protocol error',
        (socket) =>
          socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
      ],
      ['protocol error', (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)],
    ];
    const http = makeHttp(t);
    for (const [reason, doing] of doings) {
      const { url } = await tcpListener(t, (socket) => socket.once('data', () => doing(socket)));
      const { status, error } = await http.send(post(url));
      assert.deepEqual({ status, error }, failed(reason), String(doing));
    }
  });

  it('a POST whose connection breaks is not written a second time', async (t) => {
    let posts = 0;
    const listener = await tcpListener(t, (socket) => {
      socket.on('data', () => {
        posts++;
        if (posts % 2 === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
        else socket.destroy();
      });
    });
    const http = makeHttp(t);
    assert.equal((await http.send(post(listener.url))).status, 200);
    assert.equal((await http.send(post(listener.url))).error, 'connection reset');
    assert.equal((await http.send(post(listener.url))).status, 200);
    assert.equal(posts, 3);
  });

  it('a signal ends the attempt in progress and prevents one that has not started', async (t) => {
    const arrived = Promise.withResolvers<void>();
    const silent = await httpListener(t, () => arrived.resolve());
    const answer = Promise.withResolvers<readonly string[]>();
    const http = makeHttp(t, { resolve: () => answer.promise });
    let requests = 0;
    const late = await httpListener(t, (_request, response) => {
      requests++;
      response.end();
    });
    const stop = new AbortController();
    const sent = [silent.url, `http://slow.test:${late.port}/`].map((url) =>
      http.send(post(url), { signal: stop.signal }),
    );
    await arrived.promise;
    stop.abort();
    for (const { status, error } of await Promise.all(sent))
      assert.deepEqual({ status, error }, failed('stopped'));
    answer.resolve(['127.0.0.1']);
    assert.equal((await http.send(post(late.url), { signal: stop.signal })).error, 'stopped');
    assert.equal((await http.send(post(late.url))).status, 200);
    assert.equal(requests, 1);
  });

  it('closing ends everything at once, and nothing is sent afterwards', async (t) => {
    const arrived = Promise.withResolvers<void>();
    const silent = await httpListener(t, () => arrived.resolve());
    const http = makeHttp(t, { resolve: () => new Promise(() => {}) });
    const sent = [http.send(post(silent.url)), http.send(post('http://never.test:9000/'))];
    await arrived.promise;
    await http.close();
    for (const { error } of await Promise.all(sent)) assert.equal(error, 'stopped');
    assert.equal((await http.send(post(silent.url))).error, 'stopped');
    assert.equal(silent.connections(), 1);
  });
});
