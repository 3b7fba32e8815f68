import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';

const scene = await openConsole();
const BUDGET_BYTES = 300_000;

describe('the console', () => {
  for (const [name, shown] of [
    ['overview', 'text=Active lines'],
    ['devices', 'tbody tr.data-row a'],
  ] as const)
    inBrowser(
      scene,
      `needs at most 300 KB of script, packed, before its page ${name} shows data`,
      async (its) => {
        const page = await its.open('/favicon.svg', 'user');
        const scripts = new Map<string, Promise<Buffer>>();
        page.on('response', (answer) => {
          if (answer.request().resourceType() === 'script') scripts.set(answer.url(), answer.body());
        });
        await page.goto(`${its.url}/accounts/${ACCOUNT}/${name}`);
        await page.locator(shown).first().waitFor();
        const sizes = await Promise.all(
          [...scripts].map(async ([url, body]) => ({
            url,
            bytes: gzipSync(await body, { level: 9 }).length,
          })),
        );
        const sum = sizes.reduce((all, { bytes }) => all + bytes, 0);
        assert.ok(sizes.length > 3, 'the scripts of the page are counted');
        assert.ok(sum <= BUDGET_BYTES, `${sum} bytes: ${JSON.stringify(sizes)}`);
        for (const { url } of sizes) assert.doesNotMatch(url, /maplibre|pmtiles/);
      },
    );
});
