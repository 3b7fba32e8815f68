import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import Fastify from 'fastify';
import { Webhook } from 'standardwebhooks';
import {
  type Callback,
  type CallbackOptions,
  callbackHandler,
  callbackMiddleware,
  callbackPlugin,
  verifyCallback,
} from '../callbacks.ts';

const SECRET = `whsec_${Buffer.from('a secret of some length, in bytes').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('another one, also of some length.').toString('base64')}`;
const ACCOUNT = '0000123456-00001';
const BODY = JSON.stringify({
  requestId: 'r',
  deviceResponse: { alertServiceResponse: { accountName: ACCOUNT } },
});

/** Signs as an independent implementation of Standard Webhooks does. */
function signed(body = BODY, { id = 'msg_1', at = new Date(), secret = SECRET } = {}) {
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}

describe('verifyCallback', () => {
  const verify = (
    headers: Record<string, string>,
    more: Partial<Parameters<typeof verifyCallback>[0]> = {},
  ) => verifyCallback({ headers, rawBody: BODY, secret: SECRET, accountNames: [ACCOUNT], ...more });
  const reasonOf = async (...[headers, more]: Parameters<typeof verify>) => {
    const verdict = await verify(headers, more);
    return verdict.valid ? undefined : verdict.reason;
  };

  it('takes what the service has signed, as text, as bytes and with the headers of a fetch', async () => {
    const headers = signed();
    const verdict = await verify(headers);
    assert.ok(verdict.valid);
    const { id, accountName, payload } = verdict.callback;
    assert.deepEqual([id, accountName, payload['requestId']], ['msg_1', ACCOUNT, 'r']);
    assert.equal(await reasonOf(headers, { rawBody: Buffer.from(BODY) }), undefined);
    assert.equal(await reasonOf(headers, { headers: new Headers(headers) }), undefined);
  });

  it('takes either of two secrets, on either side', async () => {
    const headers = signed();
    assert.equal(await reasonOf(headers, { secret: [OTHER, SECRET] }), undefined);
    const both = { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` };
    assert.equal(await reasonOf(both), undefined);
  });

  it('refuses another secret, another body, another id or another time', async () => {
    const headers = signed();
    assert.equal(await reasonOf(headers, { secret: OTHER }), 'signature');
    assert.equal(await reasonOf(headers, { rawBody: `${BODY} ` }), 'signature');
    assert.equal(await reasonOf({ ...headers, 'webhook-id': 'msg_2' }), 'signature');
    const later = String(Number(headers['webhook-timestamp']) + 1);
    assert.equal(await reasonOf({ ...headers, 'webhook-timestamp': later }), 'signature');
    assert.equal(await reasonOf({ ...headers, 'webhook-signature': 'v1,not base64!' }), 'signature');
  });

  it('refuses what is older or newer than the tolerance, which may be changed', async () => {
    const at = new Date('2026-01-01T00:00:00Z');
    const headers = signed(BODY, { at });
    const ages = [-301, -300, 0, 300, 301].map((age) =>
      reasonOf(headers, { now: at.getTime() + age * 1_000 }),
    );
    assert.deepEqual(await Promise.all(ages), ['stale', undefined, undefined, undefined, 'stale']);
    const now = at.getTime() + 301_000;
    assert.equal(await reasonOf(headers, { now, toleranceSeconds: 400 }), undefined);
    assert.equal(await reasonOf({ ...headers, 'webhook-timestamp': 'now' }), 'stale');
  });

  it('refuses what is not signed at all, is no object or is about another account', async () => {
    assert.equal(await reasonOf({ 'webhook-id': 'msg_1' }), 'unsigned');
    assert.equal(await reasonOf(signed('[]'), { rawBody: '[]' }), 'body');
    assert.equal(await reasonOf(signed(), { accountNames: ['0000999999-00009'] }), 'account');
    assert.equal(await reasonOf(signed(), { accountNames: undefined }), undefined);
  });

  it('refuses to work with what is no secret', async () => {
    await assert.rejects(verify(signed(), { secret: 'whsec_' }), TypeError);
    await assert.rejects(verify(signed(), { secret: SECRET.slice(1) }), TypeError);
  });
});

/** The three entry points, each on a real port, with the same handler. */
const WAYS = {
  'plain Node': (options: CallbackOptions) => serve(callbackHandler(options)),
  'an Express middleware': (options: CallbackOptions) => {
    const handle = callbackMiddleware(options);
    return serve((request, response) => handle(request, response, () => response.writeHead(599).end()));
  },
  Fastify: async (options: CallbackOptions) => {
    const app = Fastify();
    await app.register(callbackPlugin(options), { prefix: '/callbacks' });
    after(() => app.close());
    return `${await app.listen({ port: 0, host: '127.0.0.1' })}/callbacks`;
  },
};

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`;
}

for (const [name, open] of Object.entries(WAYS)) {
  describe(`callbacks by ${name}`, () => {
    const heard: Callback[] = [];
    let fails = false;
    const options = {
      secret: SECRET,
      accountNames: [ACCOUNT],
      rememberedMax: 2,
      bodyBytesMax: 1_000,
      onCallback: async (callback: Callback) => {
        await new Promise((resolve) => setImmediate(resolve));
        if (fails) throw new Error('not now');
        heard.push(callback);
      },
    };
    const opened = open(options);
    const post = async (headers: Record<string, string>, body = BODY) =>
      (await fetch(await opened, { method: 'POST', headers, body })).status;
    const idsHeard = () => heard.splice(0).map(({ id }) => id);

    it('are heard once, also when they come twice at a time', async () => {
      const headers = signed();
      const all = await Promise.all([post(headers), post(headers), post(headers)]);
      assert.deepEqual([all, await post(headers), idsHeard()], [[200, 200, 200], 200, ['msg_1']]);
    });

    it('are answered with the reason for which they are not taken', async () => {
      assert.equal(await post({ 'content-type': 'application/json' }), 401);
      assert.equal(await post(signed(BODY, { secret: OTHER })), 401);
      assert.equal(await post(signed('"text"'), '"text"'), 400);
      const foreign = JSON.stringify({ accountName: '0000999999-00009' });
      assert.equal(await post(signed(foreign), foreign), 403);
      const long = JSON.stringify({ text: 'x'.repeat(2_000) });
      assert.equal(await post(signed(long), long), 413);
      assert.deepEqual(idsHeard(), []);
    });

    it('come again when they could not be worked on, and then are heard', async () => {
      const headers = signed(BODY, { id: 'again' });
      fails = true;
      assert.equal(await post(headers), 500);
      fails = false;
      assert.deepEqual([await post(headers), idsHeard()], [200, ['again']]);
    });

    it('are remembered as many as asked for, the oldest forgotten first', async () => {
      for (const id of ['a', 'b', 'c', 'b', 'a']) await post(signed(BODY, { id }));
      assert.deepEqual(idsHeard(), ['a', 'b', 'c', 'a']);
    });
  });
}

describe('callbacks beside parsers of other routes', () => {
  it('leave Fastify its own for routes that are not theirs', async () => {
    const app = Fastify();
    app.post('/beside', async ({ body }) => ({ got: body }));
    await app.register(callbackPlugin({ secret: SECRET, onCallback: () => {} }), { prefix: '/callbacks' });
    const answer = await app.inject({ method: 'POST', url: '/beside', payload: { a: 1 } });
    assert.deepEqual(answer.json(), { got: { a: 1 } });
  });

  it('take the bytes that Express kept, and say so where it kept none', async () => {
    const handle = callbackMiddleware({ secret: SECRET, onCallback: () => {} });
    const ask = async (kept: { body?: unknown; rawBody?: unknown }) => {
      const url = await serve((request, response) =>
        handle(Object.assign(request, kept), response, (error) => response.end(String(error))),
      );
      return (await fetch(url, { method: 'POST', headers: signed(), body: BODY })).text();
    };
    assert.match(await ask({ body: Buffer.from(BODY) }), /done/);
    assert.match(await ask({ body: {}, rawBody: BODY }), /repeated/);
    assert.match(await ask({ body: JSON.parse(BODY) }), /before express\.json/);
  });
});
