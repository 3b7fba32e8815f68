import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { httpListener, makeHttp, post, tcpListener } from './listener.ts';

const quick = { limits: { attemptMs: 600 } };

/** The outcome of an attempt for each status: the status alone says whether the listener accepted the message. */
const expected = (error: string, answer: string) => [
  { status: 200, error: null, answer, isCut: true },
  { status: 202, error: null, answer, isCut: true },
  { status: 301, error, answer, isCut: true },
  { status: 503, error, answer, isCut: true },
];

describe('an answer with an incomplete body', () => {
  it('is given up in time, with its status and the received part', async (t) => {
    let code = 0;
    const { url } = await httpListener(
      t,
      (_request, response) => void response.writeHead(code).write('some'),
    );
    const http = makeHttp(t, quick);
    for (const { status, ...rest } of expected('no answer in 0.6 s', 'some')) {
      code = status;
      const { latencyMs: _, answerHeaders: __, ...outcome } = await http.send(post(url));
      assert.deepEqual(outcome, { status, ...rest });
    }
  });

  it('that arrives too slowly is also given up in time, and its connection closed', async (t) => {
    const closed = Promise.withResolvers<void>();
    const { url } = await httpListener(t, (_request, response) => {
      const timer = setInterval(() => response.write('.'), 10);
      response.on('close', () => {
        clearInterval(timer);
        closed.resolve();
      });
    });
    const { status, error, answer } = await makeHttp(t, quick).send(post(url));
    assert.deepEqual({ status, error }, { status: 200, error: null });
    assert.match(answer, /^\.+$/);
    await closed.promise;
  });

  it('because the connection breaks has its status and the received part', async (t) => {
    let code = 0;
    const { url } = await tcpListener(t, (socket) => {
      socket.once('data', () => {
        socket.write(`HTTP/1.1 ${code} Word\r\ncontent-length: 9\r\n\r\nab`);
        setTimeout(() => socket.resetAndDestroy(), 50);
      });
    });
    const http = makeHttp(t);
    for (const { status, ...rest } of expected('connection reset', 'ab')) {
      code = status;
      const { latencyMs: _, answerHeaders: __, ...outcome } = await http.send(post(url));
      assert.deepEqual(outcome, { status, ...rest });
    }
  });

  it('because it stops being HTTP has its status', async (t) => {
    let code = 0;
    const { url } = await tcpListener(t, (socket) => {
      socket.once('data', () =>
        socket.write(`HTTP/1.1 ${code} Word\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`),
      );
    });
    const http = makeHttp(t);
    for (const { status, ...rest } of expected('protocol error', '')) {
      code = status;
      const { latencyMs: _, answerHeaders: __, ...outcome } = await http.send(post(url));
      assert.deepEqual(outcome, { status, ...rest });
    }
  });
});
