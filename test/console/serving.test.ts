import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { makeWorld } from '../support/world.ts';

const { api } = await makeWorld();
const NAVIGATION = { accept: 'text/html,application/xhtml+xml', 'sec-fetch-mode': 'navigate' };
const get = (url: string, headers: Record<string, string> = {}) => api.inject({ url, headers });
const html = (await get('/', NAVIGATION)).body;
const assets = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
const BUDGET_BYTES = 300_000;

describe('the page', () => {
  for (const path of ['/', '/accounts/0000123456-00001/devices', '/nothing/of/the/kind'])
    it(`200: is answered to a browser that goes to ${path}, allows nothing from elsewhere and no frame`, async () => {
      const answer = await get(path, NAVIGATION);
      assert.equal(answer.statusCode, 200);
      assert.match(String(answer.headers['content-type']), /^text\/html/);
      const policy = String(answer.headers['content-security-policy']);
      assert.match(policy, /default-src 'none'/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.doesNotMatch(policy, /unsafe|\*|https?:/);
      assert.equal(answer.headers['x-content-type-options'], 'nosniff');
      assert.equal(answer.headers['cache-control'], 'no-cache');
    });

  it('200: knows the path of the interface, and has neither script nor style inside it', async () => {
    assert.match(html, /name="linekeeper-base" content="\/api"/);
    assert.doesNotMatch(html, /<style|style=|<script(?![^>]*\bsrc=)/);
    const { api: other } = await makeWorld({ env: { LINEKEEPER_BASE_PATH: '/carrier' } });
    assert.match((await other.inject({ url: '/', headers: NAVIGATION })).body, /content="\/carrier"/);
  });

  it('404: calls of programs keep the answer of the gateway, wherever they go', async () => {
    for (const [path, headers] of [
      ['/nothing', {}],
      ['/nothing', { accept: 'application/json' }],
      ['/nothing', { ...NAVIGATION, 'sec-fetch-mode': 'cors' }],
      ['/api/nothing', NAVIGATION],
      ['/api/m2m/v1/nothing', NAVIGATION],
      ['/assets/nothing.js', NAVIGATION],
      ['/assets/..%2f..%2fpackage.json', NAVIGATION],
    ] as const) {
      const answer = await get(path, headers);
      assert.deepEqual([path, answer.statusCode, answer.json().fault.code], [path, 404, '900906']);
    }
    const posted = await api.inject({ method: 'POST', url: '/devices', headers: NAVIGATION });
    assert.equal(posted.statusCode, 404);
  });

  it('200: the API reference is where it was, as closed as the page beside it', async () => {
    const answer = await get('/docs', NAVIGATION);
    assert.equal(answer.statusCode, 200);
    assert.match(answer.body, /swagger/i);
    const head = await api.inject({ method: 'HEAD', url: '/docs' });
    assert.deepEqual([head.statusCode, head.body], [200, '']);
    const guards = Object.keys((await get('/', NAVIGATION)).headers).filter((name) =>
      /^(x-|content-security|referrer|cross-origin|permissions)/.test(name),
    );
    for (const path of [
      '/docs',
      '/docs/static/swagger-initializer.js',
      '/docs/static/swagger-ui.css',
      '/docs/json',
    ]) {
      const { headers } = await get(path);
      assert.deepEqual(
        guards.filter((name) => !(name in headers)),
        [],
        path,
      );
      assert.equal(headers['x-frame-options'], 'DENY');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.match(
        String(headers['content-security-policy']),
        /default-src 'none'; script-src 'self';.* frame-ancestors 'none'/,
      );
    }
  });
});

describe('the map', () => {
  const folder = mkdtempSync(join(tmpdir(), 'linekeeper-map-'));
  after(() => rmSync(folder, { recursive: true }));

  it('200: with a style of another origin lets the page ask that origin for data, and no other for anything', async () => {
    const LINEKEEPER_MAP_STYLE = 'https://tiles.example.com/styles/streets.json?key="1"&x';
    const { api: other } = await makeWorld({ env: { LINEKEEPER_MAP_STYLE } });
    const answer = await other.inject({ url: '/', headers: NAVIGATION });
    const policy = String(answer.headers['content-security-policy']);
    assert.deepEqual(policy.match(/https:\S+/g), ['https://tiles.example.com', 'https://tiles.example.com;']);
    assert.match(policy, /script-src 'self'; worker-src 'self'; style-src 'self';/);
    assert.match(answer.body, /content="https:\/\/tiles\.example\.com[^"]*key=&quot;1&quot;&amp;x"/);
  });

  it('206: with a file of streets has the parts of it that a browser asks for', async () => {
    const file = join(folder, 'streets.pmtiles');
    writeFileSync(file, `PMTiles\u0003${'0123456789'.repeat(10)}`);
    const { api: other } = await makeWorld({ env: { LINEKEEPER_MAP_STYLE: file } });
    const page = await other.inject({ url: '/', headers: NAVIGATION });
    assert.match(page.body, /name="linekeeper-map" content="\/map\/streets\.pmtiles"/);
    assert.doesNotMatch(String(page.headers['content-security-policy']), /https?:/);
    const part = await other.inject({ url: '/map/streets.pmtiles', headers: { range: 'bytes=8-12' } });
    assert.deepEqual([part.statusCode, part.body], [206, '01234']);
  });

  it('is refused at the start where it is neither an address nor a file of tiles', async () => {
    const wrong = join(folder, 'wrong.pmtiles');
    writeFileSync(wrong, 'something else');
    const told =
      /LINEKEEPER_MAP_STYLE must be the http or https address of a MapLibre style, or the name of a PMTiles file/;
    for (const LINEKEEPER_MAP_STYLE of ['streets', join(folder, 'absent.pmtiles'), wrong])
      await assert.rejects(makeWorld({ env: { LINEKEEPER_MAP_STYLE } }), told);
  });

  it('comes with the console as one file of at most 5 MB, of which browsers ask for parts', async () => {
    const name = readdirSync('clients/console/dist/assets').find((file) => file.endsWith('.pmtiles'));
    assert.ok(statSync(`clients/console/dist/assets/${name}`).size <= 5_000_000);
    const part = await api.inject({ url: `/assets/${name}`, headers: { range: 'bytes=0-6' } });
    assert.deepEqual([part.statusCode, part.body], [206, 'PMTiles']);
  });

  it('is loaded only when it is opened', () => {
    for (const path of assets) assert.doesNotMatch(path, /maplibre|pmtiles/);
  });
});

describe('its files', () => {
  it('200: are kept for ever by the browser, and come packed when it can unpack them', async () => {
    assert.ok(assets.length >= 2);
    for (const path of assets) {
      const plain = await get(path);
      assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
      // A file that fits into one packet gains nothing from compression.
      if (plain.rawPayload.length < 1_000) continue;
      for (const encoding of ['br', 'gzip']) {
        const packed = await get(path, { 'accept-encoding': encoding });
        assert.equal(packed.headers['content-encoding'], encoding);
        assert.ok(packed.rawPayload.length < plain.rawPayload.length);
      }
      assert.equal(
        (await get(path, { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding'],
        undefined,
      );
    }
  });

  it('304: are not sent again to a browser that has them, and HEAD has what GET would have but the file', async () => {
    const path = assets.find((name) => name.endsWith('.js'))!;
    const packed = { 'accept-encoding': 'gzip' };
    const { headers } = await get(path, packed);
    assert.match(String(headers['content-type']), /^(text|application)\/javascript; charset=utf-8$/);
    assert.equal(headers.vary, 'accept-encoding');
    const again = await get(path, { ...packed, 'if-none-match': String(headers.etag) });
    assert.deepEqual([again.statusCode, again.body], [304, '']);
    const head = await api.inject({ method: 'HEAD', url: path, headers: packed });
    assert.deepEqual(
      [head.statusCode, head.body, head.headers['content-length'], head.headers['content-encoding']],
      [200, '', headers['content-length'], 'gzip'],
    );
  });

  it('404: have no other names: neither packed ones nor what else was built', async () => {
    for (const path of [
      `${assets[0]}.br`,
      '/built-from',
      '/assets/',
      '/assets/.',
      '/assets/%2e%2e/built-from',
    ])
      assert.deepEqual([path, (await get(path)).statusCode], [path, 404]);
  });

  it(`that a browser needs before the first page are less than ${BUDGET_BYTES} bytes, packed`, () => {
    const bytes = [html, ...assets.map((path) => readFileSync(`clients/console/dist${path}`))]
      .map((file) => gzipSync(file, { level: 9 }).length)
      .reduce((sum, size) => sum + size, 0);
    assert.ok(bytes < BUDGET_BYTES, `${bytes} bytes`);
  });
});
