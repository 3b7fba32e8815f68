import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLog } from '../../../platform/telemetry/log.ts';
import { addressRules } from '../address-rules.ts';
import { createConnector } from '../connector.ts';
import { reasonOf } from '../reasons.ts';
import { rememberAnswers } from '../resolve-host.ts';
import { httpListener, makeHttp, post, tcpListener } from './listener.ts';

/** Ports of the interface, so that only the address can be refused. */
const LISTED_PORTS = Array.from({ length: 21 }, (_, n) => 28_200 + n);

/** Hosts that mean this machine or its networks, in every spelling that a URL can have. */
// biome-ignore format: one list, read as a whole
const LITERALS = [
  '127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '127.255.255.254', '0x7f.1', '0x7f000001', '0X7F.0.0.1',
  '2130706433', '0177.0.0.1', '017700000001', '0177.1', '00000177.0.0.1', '127.0.0.0x1', '%31%32%37.0.0.1',
  '127%2E0.0.1', '１２７．０．０．１', '①②⑦.⓪.⓪.①', '127。0。0。1', '0', '0.0.0.0', '0x0', '00', '0.1.2.3',
  '[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:7f00:1]',
  '[::127.0.0.1]', '[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::127.0.0.1]',
  '[2002:7f00:1::]', '[2002:a9fe:a9fe::1]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]', '10.0.0.1', '10.1',
  '167772161', '012.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '0xc0a80001', '192.168.257',
  '[::ffff:192.168.0.1]', '[fc00::1]', '[fd00:ec2::254]', '169.254.169.254', '0xa9fea9fe', '2852039166',
  '0251.0376.0251.0376', '[fe80::1]', '[::ffff:169.254.169.254]', '100.64.0.1', '198.18.0.1', '192.0.2.1',
  '224.0.0.1', '[ff02::1]', '240.0.0.1', '255.255.255.255', '4294967295', '[2001:db8::1]', '[fec0::1]',
  'localhost', 'LOCALHOST', 'localhost.', 'a.b.localhost', 'ｌｏｃａｌｈｏｓｔ',
];

/** Names with their DNS answers; 8.8.8.8 stands for any public address and is never reached. */
const ANSWERS: Record<string, readonly string[]> = {
  'loopback.test': ['127.0.0.1'],
  'loopback6.test': ['::1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'nat64.test': ['64:ff9b::7f00:1'],
  'sixtofour.test': ['2002:7f00:1::'],
  'unspecified.test': ['0.0.0.0'],
  'metadata.test': ['169.254.169.254'],
  'private.test': ['192.168.0.1'],
  'unique-local.test': ['fd00::1'],
  'mixed.test': ['8.8.8.8', '127.0.0.1'],
  'mixed6.test': ['2606:4700:4700::1111', '::1'],
  'private-last.test': ['8.8.8.8', '1.1.1.1', '10.0.0.1'],
  'zone.test': ['fe80::1%lo'],
  'garbage.test': ['0x7f.1'],
};
const resolve = async (name: string): Promise<readonly string[]> =>
  ANSWERS[name] ?? (/localhost\.?$/.test(name) ? ['127.0.0.1', '::1'] : []);

const NOT_LED = 'name does not lead to an allowed address';

describe('where callbacks may connect', () => {
  // proves callbacks/inside-names
  it('only the log distinguishes an internal name from one that does not exist', async (t) => {
    const lines: string[] = [];
    const log = createLog('debug', { write: (line) => void lines.push(line) });
    const http = makeHttp(t, { allow: [], resolve, log });
    for (const [host, exact] of [
      ['private.test', 'address is not allowed'],
      ['nowhere.test', 'name does not resolve'],
    ] as const) {
      assert.equal(await http.checkAddress(`https://${host}/`), NOT_LED);
      assert.equal((await http.send(post(`https://${host}/`))).error, NOT_LED);
      assert.deepEqual(
        lines.splice(0).map((line) => {
          const { level, host, reason } = JSON.parse(line);
          return { level, host, reason };
        }),
        ['info', 'debug'].map((level) => ({ level, host, reason: exact })),
      );
    }
  });

  // proves callbacks/allowed-addresses
  it('no spelling of a host and no DNS answer leads to a connection to a non-public address', async (t) => {
    const listener = await tcpListener(t, (socket) => socket.destroy(), LISTED_PORTS);
    const http = makeHttp(t, { allow: [], resolve });
    const hosts = [...LITERALS, ...Object.keys(ANSWERS)];
    assert.ok(hosts.length >= 60);
    for (const host of hosts)
      for (const place of [`http://${host}:${listener.port}`, `https://${host}:${listener.port}`]) {
        const { status, error } = await http.send(post(`${place}/hook`));
        assert.equal(status, null, place);
        assert.equal(error, host in ANSWERS ? NOT_LED : 'address is not allowed', place);
        assert.equal(await http.checkAddress(`${place}/hook`), error, place);
      }
    assert.equal(listener.connections(), 0);
    // Proof that the listener notices connections:
    await makeHttp(t).send(post(listener.url));
    assert.equal(listener.connections(), 1);
  });

  it('opening loopback opens nothing else', async (t) => {
    const http = makeHttp(t, { resolve });
    const hosts = ['10.0.0.1', '[fd00::1]', '169.254.169.254', '0.0.0.0', '[2002:7f00:1::]'];
    for (const host of hosts)
      assert.equal((await http.send(post(`http://${host}:9003/`))).error, 'address is not allowed', host);
    assert.equal((await http.send(post('http://private-last.test:9003/'))).error, NOT_LED);
  });

  // proves callbacks/allowed-addresses
  it('a name that changes to loopback after registration is refused without a connection', async (t) => {
    const listener = await tcpListener(t, (socket) => socket.destroy(), LISTED_PORTS);
    let answer = ['8.8.8.8'];
    const http = makeHttp(t, { allow: [], resolve: async () => answer });
    assert.equal(await http.checkAddress(`http://rebound.test:${listener.port}/`), undefined);
    answer = ['127.0.0.1'];
    assert.equal((await http.send(post(`http://rebound.test:${listener.port}/`))).error, NOT_LED);
    assert.equal(listener.connections(), 0);
  });

  it('connections go to the checked address: the name is resolved once per connection', async (t) => {
    const listener = await httpListener(t, (_request, response) => response.end());
    const answers = [['127.0.0.1'], ['8.8.8.8']];
    const http = makeHttp(t, { resolve: async () => answers.shift() ?? [] });
    assert.equal((await http.send(post(`http://once.test:${listener.port}/`))).status, 200);
    assert.equal(answers.length, 1);
  });

  // proves callbacks/allowed-addresses
  it('a socket whose peer is not allowed is closed before a byte is written', async (t) => {
    for (const isSecure of [false, true]) {
      let bytes = 0;
      const closed = Promise.withResolvers<void>();
      const listener = await tcpListener(t, (socket) =>
        socket.on('data', (chunk) => (bytes += chunk.length)).on('close', () => closed.resolve()),
      );
      const open = addressRules(['loopback']);
      const verdicts = [undefined, 'address is not allowed'] as const;
      let asked = 0;
      const connector = createConnector({
        rules: { ...open, refusal: () => verdicts[asked++] },
        resolve,
        logRefusal() {},
        connectMs: 1_000,
      });
      const to = { origin: listener.url, host: '127.0.0.1', port: listener.port, isSecure };
      const result = await new Promise((done) => connector.open(to, () => {}, done));
      assert.ok(result instanceof Error);
      assert.equal(reasonOf(result), 'address is not allowed');
      await closed.promise;
      assert.deepEqual([listener.connections(), bytes, asked], [1, 0, 2]);
    }
  });

  it('an address must be http or https, of at most 2,000 characters and without credentials', async (t) => {
    const http = makeHttp(t, { resolve });
    for (const [url, reason] of [
      ['ftp://127.0.0.1:9000/', 'address is not valid'],
      ['file:///etc/passwd', 'address is not valid'],
      ['undefined', 'address is not valid'],
      ['', 'address is not valid'],
      ['http://', 'address is not valid'],
      ['http://[fe80::1%25lo]:9000/', 'address is not valid'],
      ['http://user@127.0.0.1:9000/', 'address carries credentials'],
      ['http://:secret@127.0.0.1:9000/', 'address carries credentials'],
      [`http://127.0.0.1:9000/${'x'.repeat(2_000)}`, 'address is too long'],
      ['http://127.0.0.1:22/', 'port is not allowed'],
      ['http://8.8.8.8:8080/', 'port is not allowed'],
      ['http://nowhere.test:9000/', NOT_LED],
    ] as const) {
      assert.equal(await http.checkAddress(url), reason, url);
      assert.equal((await http.send(post(url))).error, reason, url);
    }
    assert.equal(await http.checkAddress(`http://127.0.0.1:9000/${'x'.repeat(1_900)}`), undefined);
    assert.equal(await http.checkAddress('https://8.8.8.8/hook'), undefined);
    assert.equal(await http.checkAddress('http://localhost:12345/hook'), undefined);
  });

  it('a port above 1024 needs a host whose every address is loopback', async (t) => {
    const http = makeHttp(t, { resolve });
    assert.equal(await http.checkAddress('http://loopback.test:8080/'), undefined);
    assert.equal(
      await makeHttp(t, { resolve: async () => ['8.8.8.8'] }).checkAddress('http://a.test:8080/'),
      'port is not allowed',
    );
  });

  it('a name is resolved once at a time, and the answer is used for a moment, with one slot per name', async () => {
    let asked = 0;
    const ask = rememberAnswers(async (name) => [`${name} ${++asked}`], 20);
    assert.deepEqual(await Promise.all([ask('a'), ask('a'), ask('b')]), [['a 1'], ['a 1'], ['b 2']]);
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.deepEqual(await ask('a'), ['a 3']);
  });
});
