import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { getGlobalDispatcher, MockAgent, setGlobalDispatcher } from 'undici';
import { fetchOverHttp, isPlain } from '../http-fetch.ts';
import { real } from '../real-time.ts';

const LONG = 'x'.repeat(3 * 1024 * 1024);

/** Path by path, what a service may answer. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse, heard: string) => unknown>> = {
  '/echo': (response, heard) => response.setHeader('content-type', 'application/json').end(heard),
  '/nothing': (response) => response.writeHead(204).end(),
  '/same': (response) => response.writeHead(304, { etag: '"1"' }).end(),
  '/empty': (response) => response.end(),
  '/refusal': (response) => response.writeHead(422, { 'retry-after': '2' }).end('{"code":"no"}'),
  '/cookies': (response) => response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'] }).end('both'),
  '/long': (response) => response.setHeader('content-length', LONG.length).end(LONG),
  '/chunks': (response) => {
    response.write(LONG);
    setImmediate(() => response.end('end'));
  },
  '/half': (response) => {
    response.setHeader('content-length', 100).write('half');
    setImmediate(() => response.destroy());
  },
  '/never': () => {},
  '/begun': (response) => response.write('begun'),
};

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { method, headers, url = '' } = request;
  ANSWERS[url]!(response, JSON.stringify([method, headers['x-own'], headers['content-length'], body]));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => {
  server.close();
  server.closeAllConnections();
});
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const OF_CONNECTION = ['connection', 'date', 'keep-alive'];
async function shown(response: Response) {
  const { ok, status, statusText } = response;
  const headers = [...response.headers].filter(([name]) => !OF_CONNECTION.includes(name));
  return { ok, status, statusText, headers, body: response.body === null ? null : await response.text() };
}

const REQUESTS: readonly (readonly [string, RequestInit])[] = [
  ['/echo', {}],
  ['/echo', { method: 'POST', headers: { 'x-own': 'yes' }, body: 'ünïcode' }],
  ['/echo', { method: 'PUT', body: new Uint8Array([104, 105]) }],
  ['/echo', { method: 'DELETE' }],
  ...['/nothing', '/same', '/refusal', '/cookies', '/long', '/chunks'].map((path) => [path, {}] as const),
];

describe('a call to a sandbox', () => {
  for (const [path, init] of REQUESTS) {
    it(`gets what fetch gets: ${init.method ?? 'GET'} ${path}`, async () => {
      assert.ok(isPlain(`${base}${path}`, init));
      const [ours, theirs] = [
        await fetchOverHttp(`${base}${path}`, init),
        await fetch(`${base}${path}`, init),
      ];
      assert.deepEqual(await shown(ours), await shown(theirs));
    });
  }

  it('with an empty answer has no text', async () => {
    assert.equal(await (await fetchOverHttp(`${base}/empty`, {})).text(), '');
  });

  it('fails if the answer breaks off, or nobody listens', async () => {
    await assert.rejects(fetchOverHttp(`${base}/half`, {}), /aborted/);
    await assert.rejects(fetchOverHttp('http://127.0.0.1:1/', {}), { code: 'ECONNREFUSED' });
  });

  it('ends when its signal aborts, before the answer and within it', async () => {
    await assert.rejects(fetchOverHttp(`${base}/never`, { signal: AbortSignal.timeout(20) }), {
      name: 'AbortError',
    });
    const stop = new AbortController();
    const response = await fetchOverHttp(`${base}/begun`, { signal: stop.signal });
    const reading = response.text();
    stop.abort();
    await assert.rejects(reading);
  });

  it('works while the test answers all calls of its own program', async (t) => {
    const usual = getGlobalDispatcher();
    const pretended = new MockAgent();
    pretended.disableNetConnect();
    setGlobalDispatcher(pretended);
    t.after(() => setGlobalDispatcher(usual));
    t.mock.method(globalThis, 'fetch', async () => new Response('pretended'));
    assert.equal((await real.fetch(`${base}/refusal`, {})).status, 422);
  });

  it('takes other addresses and bodies to fetch', () => {
    assert.equal(isPlain('https://127.0.0.1/', {}), false);
    assert.equal(isPlain(base, { body: new Blob(['a']) }), false);
    assert.equal(isPlain(base, { headers: new Headers() }), false);
  });
});
