import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ANSWER_KEPT_BYTES } from '../../../features/callbacks/index.ts';
import { httpListener, makeHttp, post, tcpListener } from './listener.ts';

describe('the kept part of an answer', () => {
  // proves callbacks/time-outs
  it('an answer of up to 8 KiB is kept completely, and a longer one up to 8 KiB', async (t) => {
    let size = 0;
    const listener = await httpListener(t, (_request, response) => response.end('x'.repeat(size)));
    const http = makeHttp(t);
    for (size of [0, 1, ANSWER_KEPT_BYTES, ANSWER_KEPT_BYTES + 1, 5_000_000]) {
      const { status, answer } = await http.send(post(listener.url));
      assert.deepEqual([status, answer.length], [200, Math.min(size, ANSWER_KEPT_BYTES)]);
    }
  });

  it('an endless answer is broken off after 8 KiB', async (t) => {
    const closed = Promise.withResolvers<void>();
    const listener = await httpListener(t, (_request, response) => {
      const more = () =>
        void (response.write('y'.repeat(1_000)) ? setImmediate(more) : response.once('drain', more));
      response.on('close', closed.resolve);
      more();
    });
    const { status, answer, latencyMs } = await makeHttp(t).send(post(listener.url));
    assert.deepEqual([status, answer], [200, 'y'.repeat(ANSWER_KEPT_BYTES)]);
    assert.ok(latencyMs < 5_000);
    await closed.promise;
  });

  it('a compressed answer is kept unchanged and not inflated', async (t) => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const listener = await httpListener(t, (_request, response) =>
      response.setHeader('content-encoding', 'gzip').end(bomb),
    );
    const { status, answer } = await makeHttp(t).send(post(listener.url));
    assert.equal(status, 200);
    assert.ok(answer.length <= ANSWER_KEPT_BYTES);
    assert.ok(answer.startsWith('\u001f\ufffd'));
  });

  it('bytes that are not text are replaced, NUL is left out, and no character is cut in two', async (t) => {
    let answer = Buffer.alloc(0);
    const listener = await httpListener(t, (_request, response) => response.end(answer));
    const http = makeHttp(t);
    answer = Buffer.from([0x61, 0, 0xff, 0x62, 0]);
    assert.equal((await http.send(post(listener.url))).answer, 'a\ufffdb');
    answer = Buffer.from(`a${'€'.repeat(4_000)}`);
    assert.equal((await http.send(post(listener.url))).answer, `a${'€'.repeat(2_730)}`);
  });

  it('an answer in many pieces, and interim answers before it, make one text', async (t) => {
    const { url } = await tcpListener(t, (socket) => {
      socket.once('data', async () => {
        const head =
          'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 201 Created\r\ncontent-length: 6\r\n\r\n';
        for (const piece of [head.slice(0, 20), head.slice(20), 'a', 'bc', 'def']) {
          socket.write(piece);
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      });
    });
    const { status, answer } = await makeHttp(t).send(post(url));
    assert.deepEqual([status, answer], [201, 'abcdef']);
  });

  it('an answer that lasts until the connection closes is complete', async (t) => {
    const { url } = await tcpListener(t, (socket) => {
      socket.once('data', () => socket.end('HTTP/1.0 200 OK\r\n\r\nold'));
    });
    const { status, answer } = await makeHttp(t).send(post(url));
    assert.deepEqual([status, answer], [200, 'old']);
  });
});
