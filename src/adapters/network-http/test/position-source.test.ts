import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, describe, it } from 'node:test';
import { createSigner } from '../../../features/callbacks/index.ts';
import { SourceRefused, type Target } from '../../../features/locations/index.ts';
import { createHttpPositions } from '../position-source.ts';

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBvcGVyYXRvcg==';
let answer: { status: number; body: string } | 'never';
let last: { headers: Record<string, unknown>; body: string };
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (some: string) => {
    body += some;
  });
  request.on('end', () => {
    last = { headers: request.headers, body };
    if (answer !== 'never') response.writeHead(answer.status).end(answer.body);
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as { port: number };
const source = createHttpPositions({
  name: 'own',
  url: `http://127.0.0.1:${port}/locate`,
  secret: SECRET,
  userAgent: 'Linekeeper/test',
  timeoutMs: 10_000,
});
after(async () => {
  await source.close();
  server.closeAllConnections();
  server.close();
});

const unnamed = { ecpdId: '1', accountName: '0000123456-00001', meid: null, esn: null, mdn: null };
const targets = ['a', 'b', 'c'].map(
  (deviceId) =>
    ({ ...unnamed, deviceId, imei: `99001390783557${deviceId}`, msisdn: null }) as unknown as Target,
);
const locate = (how: typeof answer, signal = new AbortController().signal) => {
  answer = how;
  return source.locate(targets, { accuracy: 'coarse', timeLimitMs: 5_000, signal });
};
const saying = (body: unknown, status = 200) => locate({ status, body: JSON.stringify(body) });

describe('positions over HTTP', () => {
  it('are requested with every identifier of a device, signed like callbacks', async () => {
    await saying({ positions: [] });
    const { devices, ...rest } = JSON.parse(last.body) as { devices: unknown[] };
    assert.deepEqual(rest, { accountName: unnamed.accountName, accuracy: 'coarse', timeLimitMs: 5_000 });
    assert.deepEqual(devices[0], { deviceId: 'a', imei: targets[0]!.imei });
    const id = String(last.headers['webhook-id']);
    const timestamp = Number(last.headers['webhook-timestamp']);
    assert.equal(last.headers['webhook-signature'], createSigner([SECRET]).sign(id, timestamp, last.body));
  });

  it('are positions and errors of the requested devices only', async () => {
    const at = '2026-11-17T12:00:00.000Z';
    const found = await saying({
      positions: [
        { deviceId: 'a', latitude: 30.27, longitude: -97.74, radius: 300, at },
        { deviceId: 'b', error: 'ABSENT SUBSCRIBER', info: 'off' },
        { deviceId: 'c', latitude: 'north', longitude: 1, radius: 1, at },
        { deviceId: 'z', latitude: 1, longitude: 1, radius: 1, at },
        null,
      ],
    });
    assert.deepEqual(
      found,
      new Map<string, unknown>([
        ['a', { fix: { latitude: 30.27, longitude: -97.74, radiusM: 300, at: new Date(at) } }],
        ['b', { failure: { type: 'ABSENT SUBSCRIBER', info: 'off' } }],
      ]),
    );
  });

  it('are refused by 4xx, and count as not reached after any other answer', async () => {
    await assert.rejects(saying({ reason: 'no contract' }, 403), new SourceRefused('no contract'));
    for (const [status, body] of [
      [429, '{}'],
      [500, '{}'],
      [302, '{}'],
      [200, '['],
      [200, 'null'],
      [200, '{"positions":7}'],
    ] as const)
      await assert.rejects(
        locate({ status, body }),
        (error) => !(error instanceof SourceRefused),
        `${status} ${body}`,
      );
    await assert.rejects(locate('never', AbortSignal.timeout(50)), /does not answer|cannot be reached/);
  });
});
