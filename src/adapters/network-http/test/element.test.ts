import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import { after, describe, it } from 'node:test';
import { createSigner } from '../../../features/callbacks/index.ts';
import type { LineOrder } from '../../../features/network/index.ts';
import { createHttpElement } from '../index.ts';

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBvcGVyYXRvcg==';
interface Seen {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
const seen: Seen[] = [];
let answer: (path: string) => { status: number; body?: string } | 'never' = () => ({ status: 200 });
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (some: Buffer) => {
    body += some.toString();
  });
  request.on('end', () => {
    seen.push({ path: request.url ?? '', headers: request.headers, body });
    const given = answer(request.url ?? '');
    if (given !== 'never') response.writeHead(given.status).end(given.body ?? '');
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as { port: number };
const settings = {
  ...{ name: 'bss', url: `http://127.0.0.1:${port}/lines`, secret: SECRET, userAgent: 'Linekeeper/test' },
};
const element = createHttpElement({ ...settings, timeoutMs: 60_000 });
const impatient = createHttpElement({ ...settings, timeoutMs: 300 });
after(async () => {
  await element.close();
  await impatient.close();
  server.closeAllConnections();
  server.close();
});

const order: LineOrder = {
  orderId: '6f1d2b3c-0000-4000-8000-000000000001',
  sequence: 1_795_000_000_001,
  accountName: '0000123456-00001',
  imsi: '311480000000001',
  wanted: 'active',
  plan: 'P-5MB',
};
const carry = async (how: typeof answer | Exclude<ReturnType<typeof answer>, 'never'>, by = element) => {
  answer = typeof how === 'function' ? how : () => how;
  return (await by.carryOut([order], new AbortController().signal))[0];
};

describe('an element over HTTP', () => {
  it('gets the order with its idempotency key, signed like callbacks', async () => {
    assert.deepEqual(await carry({ status: 200 }), { outcome: 'done' });
    const { headers, body, path } = seen.at(-1)!;
    assert.equal(path, '/lines');
    assert.deepEqual(JSON.parse(body), order);
    assert.equal(headers['idempotency-key'], order.orderId);
    const timestamp = Number(headers['webhook-timestamp']);
    assert.equal(headers['webhook-signature'], createSigner([SECRET]).sign(order.orderId, timestamp, body));
  });

  it('confirms later with 202, refuses with 4xx and its reason, and gets the order again after any other answer', async () => {
    assert.deepEqual(await carry({ status: 202 }), { outcome: 'later' });
    assert.deepEqual(await carry({ status: 409, body: '{"reason":"SIM is stolen"}' }), {
      outcome: 'refused',
      reason: 'SIM is stolen',
    });
    for (const status of [408, 425, 429, 500, 503, 302])
      assert.equal((await carry({ status, body: 'busy' }))?.outcome, 'failed', String(status));
    assert.deepEqual(await carry(() => 'never', impatient), { outcome: 'failed', reason: 'does not answer' });
  });

  it('reports the states of lines, and none for lines with an invalid state', async () => {
    answer = () => ({ status: 200, body: '{"states":["active","gone","odd"]}' });
    const lines = ['1', '2', '3', '4'].map((imsi) => ({ imsi }));
    const { signal } = new AbortController();
    assert.deepEqual(await element.read?.(lines, signal), [
      { state: 'active' },
      { state: 'gone' },
      undefined,
      undefined,
    ]);
    assert.equal(seen.at(-1)?.path, '/lines/states');
    for (const body of ['[', 'null', '{"states":7}'])
      for (const status of [200, 404]) {
        answer = () => ({ status, body });
        assert.deepEqual(await element.read?.(lines, signal), [undefined, undefined, undefined, undefined]);
      }
  });

  it('reports what the system holds of a line, as far as that is text', async () => {
    const states = [
      { state: 'active', msisdn: '15551230001', imei: null, plan: 'P-5MB' },
      { state: 'suspended', msisdn: 7, iccid: 'nul \u0000', plan: '', more: 1 },
      { state: 'odd', msisdn: '15551230001' },
      null,
    ];
    answer = () => ({ status: 200, body: JSON.stringify({ states }) });
    const lines = ['1', '2', '3', '4'].map((imsi) => ({ imsi }));
    assert.deepEqual(await element.read?.(lines, new AbortController().signal), [
      { state: 'active', msisdn: '15551230001', imei: null, plan: 'P-5MB' },
      { state: 'suspended' },
      undefined,
      undefined,
    ]);
  });
});
