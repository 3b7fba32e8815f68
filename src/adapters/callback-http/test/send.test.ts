import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { bodyOf, httpListener, makeHttp, post } from './listener.ts';

describe('sending a callback', () => {
  it('method, path, headers and body arrive exactly, and nothing asks for compression', async (t) => {
    let seen: IncomingMessage | undefined;
    let body = '';
    const listener = await httpListener(t, async (request, response) => {
      seen = request;
      body = await bodyOf(request);
      response.statusCode = 202;
      response.end('thank you ✓');
    });
    const headers = {
      'content-type': 'application/json',
      'webhook-id': 'msg_1',
      'User-Agent': 'Linekeeper/1',
    };
    const sent = { url: `${listener.url}/a%20b?x=1&y=%C3%A4#part`, body: '{"name":"Zoë ☃"}', headers };
    const { latencyMs, ...outcome } = await makeHttp(t).send(sent);
    assert.deepEqual(outcome, { status: 202, error: null, answer: 'thank you ✓', isCut: false });
    assert.ok(latencyMs > 0 && latencyMs < 5_000);
    assert.deepEqual([seen?.method, seen?.url, body], ['POST', '/hook/a%20b?x=1&y=%C3%A4', sent.body]);
    assert.deepEqual(seen?.headers, {
      host: `127.0.0.1:${listener.port}`,
      connection: 'keep-alive',
      'content-type': 'application/json',
      'webhook-id': 'msg_1',
      'user-agent': 'Linekeeper/1',
      'content-length': String(Buffer.byteLength(sent.body)),
    });
  });

  it('a signature made over the body is still valid when it arrives', async (t) => {
    const webhook = new Webhook('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    const listener = await httpListener(t, async (request, response) => {
      webhook.verify(await bodyOf(request), request.headers as Record<string, string>);
      response.end('verified');
    });
    const [body, now] = ['{"a":"ü"}', new Date()];
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': webhook.sign('msg_1', now, body),
    };
    assert.equal((await makeHttp(t).send({ url: listener.url, body, headers })).answer, 'verified');
  });

  // proves callbacks/acknowledgement
  it('any status is an answer, and a redirect is not followed', async (t) => {
    const elsewhere = await httpListener(t, (_request, response) => response.end());
    const listener = await httpListener(t, (request, response) => {
      response.writeHead(Number(request.url?.slice(1)), { location: elsewhere.url }).end();
    });
    const http = makeHttp(t);
    for (const status of [200, 204, 301, 302, 303, 307, 308, 400, 410, 500, 503])
      assert.equal((await http.send(post(`http://127.0.0.1:${listener.port}/${status}`))).status, status);
    assert.equal(elsewhere.connections(), 0);
  });

  it('connections are kept and reused, one POST at a time on each', async (t) => {
    let wanted = 1;
    const waiting = new Map<Socket, ServerResponse>();
    const listener = await httpListener(t, ({ socket }, response) => {
      assert.ok(!waiting.has(socket));
      waiting.set(socket, response);
      if (waiting.size < wanted) return;
      for (const each of waiting.values()) each.end();
      waiting.clear();
    });
    const http = makeHttp(t);
    for (let n = 0; n < 20; n++) assert.equal((await http.send(post(listener.url))).status, 200);
    assert.ok(listener.connections() <= 2, String(listener.connections()));
    wanted = 8;
    await Promise.all(Array.from({ length: 8 }, () => http.send(post(listener.url))));
    assert.ok(listener.connections() <= 10, String(listener.connections()));
  });

  it('a connection in constant use is replaced after its lifetime', async (t) => {
    const listener = await httpListener(t, (_request, response) => response.end());
    const http = makeHttp(t, { limits: { lifetimeMs: 40 } });
    const until = performance.now() + 10_000;
    while (listener.connections() < 6 && performance.now() < until)
      assert.equal((await http.send(post(listener.url))).status, 200);
    assert.equal(listener.connections(), 6);
  });

  it('a kept connection that the listener has closed does no harm: the POST is sent once, on a new one', async (t) => {
    let requests = 0;
    const listener = await httpListener(t, (_request, response) => {
      requests++;
      response.end();
    });
    const http = makeHttp(t);
    for (let n = 1; n <= 10; n++) {
      assert.equal((await http.send(post(listener.url))).status, 200);
      listener.hangUp();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.deepEqual([requests, listener.connections()], [10, 10]);
  });

  // proves callbacks/slow-listeners
  it('one listener that never answers does not delay another', async (t) => {
    const silent = await httpListener(t, () => {});
    const listener = await httpListener(t, (_request, response) => response.end());
    const http = makeHttp(t, { limits: { attemptMs: 3_000 } });
    const stuck = Array.from({ length: 300 }, () => http.send(post(silent.url)));
    // Its own time limit also runs while it waits for a connection.
    assert.equal((await http.send(post(listener.url))).status, 200);
    for (const { error } of await Promise.all(stuck)) assert.equal(error, 'no answer in 3 s');
  });

  it('a header that cannot be written is an outcome and not an exception', async (t) => {
    const listener = await httpListener(t, (_request, response) => response.end());
    const outcome = await makeHttp(t).send(post(listener.url, { headers: { 'x-a': 'b\r\nc: d' } }));
    assert.deepEqual([outcome.status, outcome.error], [null, 'protocol error']);
    assert.equal(listener.connections(), 0);
  });
});
