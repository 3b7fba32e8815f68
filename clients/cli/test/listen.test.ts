import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { runCli, startCli } from './run-cli.ts';

const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`;
const SECRET = newSecret();
const BODY = {
  requestId: 'r-1',
  deviceResponse: { restoreResponse: { restored: true } },
  callbackCount: 2,
  maxCallbackThreshold: 4,
};

interface Listener {
  readonly url: string;
  interrupt(): void;
  /** The rest of its output lines, once it has ended. */
  ended(): Promise<{ readonly code: number; readonly lines: readonly string[] }>;
}

async function startListener(t: TestContext, ...args: string[]): Promise<Listener> {
  const { ended, interrupt, printed } = startCli(['listen', '--port', '0', ...args]);
  t.after(interrupt);
  const [first] = (await printed(/\n/)).split('\n');
  return {
    url: /http:[^\s";]+/.exec(first!)![0],
    interrupt,
    async ended() {
      const { code, out } = await ended;
      return { code, lines: out.trimEnd().split('\n').slice(1) };
    },
  };
}

function post(url: string, body: string = JSON.stringify(BODY), headers: Record<string, string> = {}) {
  return fetch(url, { method: 'POST', body, headers, signal: AbortSignal.timeout(20_000) });
}

function signed(secret: string, at = new Date(), body = JSON.stringify(BODY)): Record<string, string> {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': `${Math.floor(at.getTime() / 1_000)}`,
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  };
}

const callbacks = (lines: readonly string[]) =>
  lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'callback');

describe('linekeeper listen', { concurrency: 2 }, () => {
  it('prints each callback for a person and ends after --max', async (t) => {
    const listener = await startListener(t, '--max', '1');
    const { status } = await post(listener.url, JSON.stringify({ ...BODY, comment: 'a\u009bb' }));
    const { code, lines } = await listener.ended();
    assert.deepEqual([status, code], [200, 0]);
    assert.match(
      lines.join('\n'),
      /^\n\d{4}-\S+Z {2}CarrierService {2}request r-1 {2}attempt 2 of 4 {2}webhook-id none {2}signature not checked {2}answered 200\n\{\n {2}"requestId": "r-1",[\s\S]*"comment": "a\ufffdb"\n\}\n\n1 callback received\.$/,
    );
  });

  it('says of a callback without content that its service is not to be told from it', async (t) => {
    const listener = await startListener(t, '--max', '1');
    const { deviceResponse: _, ...empty } = BODY;
    await post(listener.url, JSON.stringify(empty));
    const { lines } = await listener.ended();
    assert.match(lines[1]!, /Z {2}unknown service {2}request r-1 {2}attempt 2 of 4 {2}/);
  });

  it('tells a good signature from a bad one', async (t) => {
    const [other, previous] = [newSecret(), newSecret()];
    const args = ['--json', '--max', '7', '--secret', SECRET, '--secret', previous];
    const { url, ended } = await startListener(t, ...args);
    const text = JSON.stringify(BODY);
    // Both signatures need the same time: in different seconds they would sign different content.
    const at = new Date();
    const both = `${signed(other, at)['webhook-signature']} ${signed(SECRET, at)['webhook-signature']}`;
    for (const headers of [
      signed(SECRET),
      signed(previous),
      { ...signed(SECRET, at), 'webhook-signature': both },
      signed(other),
      signed(SECRET, new Date(Date.now() - 301_000)),
      { ...signed(SECRET), 'webhook-id': 'msg_2' },
      {},
    ])
      await post(url, text, headers);
    const { lines } = await ended();
    const verdicts = callbacks(lines).map(({ signature }) => signature);
    assert.deepEqual(verdicts, ['valid', 'valid', 'valid', 'invalid', 'invalid', 'invalid', 'invalid']);
    const [first] = callbacks(lines);
    assert.deepEqual([first.webhookId, first.callbackCount, first.body], ['msg_1', 2, BODY]);
    assert.deepEqual(JSON.parse(lines.at(-1)!), { event: 'end', received: 7 });
  });

  it('fails as it is told: the first ones, or all', async (t) => {
    const [some, all] = await Promise.all([
      startListener(t, '--json', '--fail-first', '2', '--max', '3'),
      startListener(t, '--json', '--status', '503', '--delay', '300', '--max', '1'),
    ]);
    const statuses = [];
    for (let index = 0; index < 3; index++) statuses.push((await post(some.url)).status);
    assert.deepEqual(statuses, [500, 500, 200]);
    const start = performance.now();
    assert.equal((await post(all.url)).status, 503);
    assert.ok(performance.now() - start >= 290);
    assert.deepEqual([(await some.ended()).code, (await all.ended()).code], [0, 0]);
  });

  it('hangs as it is told, and Ctrl-C ends it with a count', async (t) => {
    const { url, interrupt, ended } = await startListener(t, '--hang');
    const given = fetch(url, { method: 'POST', body: 'no JSON', signal: AbortSignal.timeout(500) });
    await assert.rejects(given, { name: 'TimeoutError' });
    interrupt();
    const { code, lines } = await ended();
    assert.equal(code, 130);
    assert.match(lines.join('\n'), /unknown service .* not answered\nno JSON\n\n1 callback received\.$/);
  });

  it('takes only POST, only its path, and at most 1 MiB', async (t) => {
    const { url, ended, interrupt } = await startListener(t, '--json', '--path', '/in');
    const { origin } = new URL(url);
    const tooLong = 'x'.repeat(1024 * 1024 + 1);
    const answers = [
      await fetch(url),
      await post(`${origin}/inside`),
      await post(`${origin}/in/carrier?a=1`),
      await post(url, tooLong),
      await post(url, tooLong.slice(1)),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [405, 404, 200, 413, 200],
    );
    interrupt();
    const { lines } = await ended();
    assert.deepEqual(
      callbacks(lines).map(({ path }) => path),
      ['/in/carrier?a=1', '/in'],
    );
  });

  it('tells services apart by what they send', async (t) => {
    const cases = [
      [{ deviceResponse: { alertServiceResponse: {} } }, 'AlertService', undefined],
      [{ message: { reportType: 'CONSENT_RESPONSE', transactionID: 't' } }, 'consentEnableReport', 't'],
      [{ reportType: 'LOCATION_REPORT', transactionID: 't' }, 'DeviceLocation', 't'],
      [{ accountName: 'a', txid: 'x' }, 'Location', 'x'],
      [{ requestId: 'r', niddResponse: {} }, 'NiddService', 'r'],
      [{ requestId: 'r', deviceResponse: { somethingElse: {} } }, undefined, 'r'],
      [[1], undefined, undefined],
    ] as const;
    const { url, ended } = await startListener(t, '--json', '--max', `${cases.length}`);
    for (const [body] of cases) await post(url, JSON.stringify(body));
    const { lines } = await ended();
    assert.deepEqual(
      callbacks(lines).map(({ service, requestId }) => [service, requestId]),
      cases.map(([, service, requestId]) => [service, requestId]),
    );
  });

  it('ends with 2 when it cannot listen, and repeats no secret', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const all = await Promise.all(
      [
        ['--port', `${port}`],
        ['--port', '70000'],
        ['--status', '99'],
        ['--path', 'in'],
        ['--secret', 'whsec_not base64'],
      ].map((args) => runCli(['listen', ...args])),
    );
    taken.close();
    assert.deepEqual(
      all.map(({ code, out }) => [code, out]),
      all.map(() => [2, '']),
    );
    assert.match(all[0]!.err, /Cannot listen: .*EADDRINUSE/);
    assert.doesNotMatch(all.at(-1)!.err, /not base64/);
  });
});
