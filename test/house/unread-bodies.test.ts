import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { BODY_MAX_BYTES } from '../../src/platform/http/json-body.ts';
import { ACCOUNT, asUser, basic, CLIENT, SMALL_FLEET } from '../support/fleet.ts';
import { chunked, head, RawConnection } from '../support/raw-connection.ts';
import { listRoutes } from '../support/routes.ts';
import { makeWorld, OPERATOR_KEY } from '../support/world.ts';

const world = await makeWorld();
const { api } = world;
await world.import(SMALL_FLEET);
const { headers: ofUser } = await asUser(world);
await api.listen({ port: 0, host: '127.0.0.1' });
const { port } = api.server.address() as { port: number };

const OPERATOR = { authorization: `Bearer ${OPERATOR_KEY}` };
const MIB = 1024 * 1024;
const blanks = (bytes: number) => Buffer.alloc(bytes, ' ');
const GET_CLOCK = head('GET', '/api/operator/v1/clock', OPERATOR);

const open: RawConnection[] = [];
after(() => {
  for (const one of open) one.close();
});
function connection(): RawConnection {
  const made = new RawConnection(port);
  open.push(made);
  return made;
}

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body: readonly (string | Buffer)[];
  readonly isChunked?: boolean;
}

function bytesOf({ method = 'POST', path, headers = OPERATOR, body, isChunked = false }: Sent) {
  const length = body.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  const framing: Record<string, string> = isChunked
    ? { 'transfer-encoding': 'chunked' }
    : { 'content-length': String(length) };
  return [head(method, path, { ...headers, ...framing }), ...(isChunked ? chunked(...body) : body)];
}

/** Sends everything, including the next request, before it reads anything. */
async function refusedAndNext(sent: Sent) {
  const one = connection();
  await one.send(...bytesOf(sent), GET_CLOCK);
  const refused = await one.read();
  const next = await one.read();
  one.close();
  return { refused, next };
}

const unknownMember = JSON.stringify({
  accountName: ACCOUNT,
  imei: '990000000000011',
  unknown: 'member of it',
});
const manyDevices = `{"devices":[${`${unknownMember},`.repeat(200_000)}${unknownMember}]}`;
const record = JSON.stringify({
  id: 'a',
  kind: 'imei',
  device: '990000000000011',
  at: '2026-01-04T00:00:00Z',
  bytes: 1,
});

// proves requests/refused-uploads
describe('a body that is refused before its end', () => {
  const operator = '/api/operator/v1';
  for (const [status, what, sent] of [
    [
      422,
      'an import with an unknown member in each device',
      { path: `${operator}/import`, body: [manyDevices] },
    ],
    [
      422,
      'an import that breaks off in its list',
      { path: `${operator}/import`, body: ['{"devices":[}', blanks(20 * MIB)] },
    ],
    [
      422,
      'an import that is not valid gzip',
      { path: `${operator}/import`, body: [Buffer.from([0x1f, 0x8b, 9, 9]), blanks(2 * MIB)] },
    ],
    [
      422,
      'an import in gzip that is refused at its beginning',
      { path: `${operator}/import`, body: [gzipSync(`{"devices":[}`), blanks(2 * MIB)] },
    ],
    [
      422,
      'a feed that ends its array near the start',
      { path: `${operator}/usage`, body: [`[${record}] x`, blanks(2 * MIB)] },
    ],
    [
      422,
      'a feed that is not valid gzip',
      { path: `${operator}/readings`, body: [Buffer.from([0x1f, 0x8b, 9, 9]), blanks(2 * MIB)] },
    ],
    [
      415,
      'a feed in an encoding that is not read',
      {
        path: `${operator}/positions`,
        headers: { ...OPERATOR, 'content-encoding': 'br' },
        body: [blanks(2 * MIB)],
      },
    ],
    [413, 'a document that is too large', { path: `${operator}/events`, body: [blanks(BODY_MAX_BYTES + 1)] }],
    [
      413,
      'a document with a forgotten end',
      { path: `${operator}/events`, body: [blanks(BODY_MAX_BYTES), blanks(MIB)], isChunked: true },
    ],
    [401, 'a feed of nobody', { path: `${operator}/usage`, headers: {}, body: [blanks(2 * MIB)] }],
    [404, 'a body for nothing', { path: '/api/nothing', body: [blanks(2 * MIB)] }],
    [404, 'a body for a path that cannot be decoded', { path: '/api/%ff', body: [blanks(2 * MIB)] }],
    [
      405,
      'a body for a method that is not there',
      { method: 'PATCH', path: `${operator}/usage`, body: [blanks(2 * MIB)] },
    ],
    [400, 'a body that is no JSON', { path: `${operator}/events`, body: ['{'] }],
  ] as const satisfies readonly (readonly [number, string, Sent])[]) {
    it(`${status}: ${what} leaves its connection to the next request`, async () => {
      const { refused, next } = await refusedAndNext(sent);
      assert.equal(refused.status, status, refused.body);
      assert.equal(next.status, 200, next.body);
    });

    it(`${status}: ${what} is answered where the sender wants the connection to end`, async () => {
      const one = connection();
      const headers = { ...('headers' in sent ? sent.headers : OPERATOR), connection: 'close' };
      await one.send(...bytesOf({ ...sent, headers }));
      const refused = await one.read();
      assert.deepEqual([refused.status, refused.headers['connection']], [status, 'close']);
      assert.equal(await one.ended(), undefined);
    });
  }

  it('200: the body that nobody reads of a GET leaves its connection to the next request', async () => {
    const { refused, next } = await refusedAndNext({
      method: 'GET',
      path: `${operator}/clock`,
      body: [blanks(2 * MIB)],
    });
    assert.deepEqual([refused.status, next.status], [200, 200]);
  });

  it('422: is answered beyond what is dropped, and then the connection ends in order', async () => {
    const one = connection();
    await one.send(
      ...bytesOf({ path: `${operator}/import`, body: ['{"devices":[}', blanks(40 * MIB), blanks(40 * MIB)] }),
    );
    const refused = await one.read();
    assert.deepEqual([refused.status, refused.headers['connection']], [422, 'close']);
    assert.equal(await one.ended(), undefined);
  });

  it('400: what is no HTTP is answered, however much follows it', async () => {
    const one = connection();
    await one.send('nonsense\r\n\r\n', blanks(2 * MIB));
    assert.equal((await one.read()).status, 400);
    assert.equal(await one.ended(), undefined);
  });
});

describe('every route that takes a body', async () => {
  const credentials = {
    operator: OPERATOR,
    'client-credentials': { authorization: basic(CLIENT) },
  } as Record<string, Record<string, string>>;
  const routes = (await listRoutes()).filter(({ method }) =>
    ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method),
  );
  const pathOf = (url: string) => `/api${url.replace(/:[A-Za-z]+/g, 'x')}`;
  assert.ok(routes.length > 50);

  it('answers what it refuses to strangers, and then the next request on the same connection', async () => {
    const one = connection();
    for (const { method, url } of routes) {
      await one.send(...bytesOf({ method, path: pathOf(url), headers: {}, body: [blanks(MIB)] }), GET_CLOCK);
      const refused = await one.read();
      assert.ok(refused.status >= 400 && refused.status < 500, `${method} ${url}: ${refused.status}`);
      assert.equal((await one.read()).status, 200, `${method} ${url}`);
    }
    one.close();
  });

  it('answers what is no body for it, and then the next request on the same connection', async () => {
    const one = connection();
    for (const { method, url, config } of routes) {
      const headers = credentials[config?.access?.kind ?? ''] ?? ofUser;
      const sent = { method, path: pathOf(url), headers, isChunked: true };
      await one.send(...bytesOf({ ...sent, body: ['{"devices":[}', blanks(MIB / 4)] }), GET_CLOCK);
      const refused = await one.read();
      assert.ok(refused.status < 500, `${method} ${url}: ${refused.status} ${refused.body}`);
      assert.equal((await one.read()).status, 200, `${method} ${url}`);
    }
    one.close();
  });

  it('answers a body that is too large for it, and then the next request on the same connection', async () => {
    const one = connection();
    // Forms have a separate limit, which their parser enforces.
    const small = routes.filter(({ bodyLimit = MIB, url }) => bodyLimit < MIB || url.startsWith('/ts/v1'));
    assert.ok(small.length > 3);
    for (const { method, url, config } of small) {
      const headers = credentials[config?.access?.kind ?? ''] ?? ofUser;
      await one.send(...bytesOf({ method, path: pathOf(url), headers, body: [blanks(2 * MIB)] }), GET_CLOCK);
      const refused = await one.read();
      assert.ok([401, 403, 404, 413].includes(refused.status), `${method} ${url}: ${refused.status}`);
      assert.equal((await one.read()).status, 200, `${method} ${url}`);
    }
    one.close();
  });
});
