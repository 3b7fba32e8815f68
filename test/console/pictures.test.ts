import assert from 'node:assert/strict';
import { globSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { joinNodes } from '../../src/platform/health/nodes.ts';
import { drawn, feedPositions, placedOf } from './support/map.ts';
import { ACCOUNT, type ConsoleScene, inBrowser, openConsole, settled } from './support/scene.ts';

const FOLDER = 'docs/pictures';
const BYTES_MAX = 170_000;
const SIZE = { width: 1_280, height: 720 };
/** `npm run shots` writes the pictures; otherwise the test only opens the pages. */
const writes = process.env['WRITE_GENERATED'] !== undefined;

const OF_ACCOUNT = [
  'overview',
  'devices',
  'map',
  'location-reports',
  'first-steps',
  'triggers',
  'triggers/usage',
  'triggers/firings',
  'approvals',
  'records',
  'alerts',
  'callbacks',
  'billing',
  'managed-accounts',
];
const OF_CONSOLE = [
  'operation',
  'audit',
  'sandbox/simulator',
  'sandbox/scenarios',
  'sandbox/inbox',
  'sandbox/requests',
  'sandbox/snapshots',
  'sandbox/failures',
  'customers',
  'customers/all',
  'access/users',
  'access/applications',
  'access/keys',
  'plans/catalogue',
  'plans/groups',
  'network',
  'work',
];
const PAGES = [
  ...OF_ACCOUNT.map((name) => ({ name, path: `/accounts/${ACCOUNT}/${name}` })),
  ...OF_CONSOLE.map((name) => ({ name, path: `/${name}` })),
];

const scene = await openConsole({}, { simulator: true, snapshots: true, scenarios: 'kept' });

/** Gives every page some of the data that a running service would have, so that none is empty. */
async function live({ world }: ConsoleScene): Promise<void> {
  const { ctx, health } = world;
  const node = await joinNodes(ctx.db, {
    nodeId: '5b0c1f9e-6a0e-4c6f-9f0f-2d1a3c4e5f60',
    role: 'all',
    log: ctx.log,
    health,
  });
  after(() => node.stop());
  await feedPositions(world, placedOf(ACCOUNT), 5);
  for (const [name, scopes] of [
    ['billing-system', ['read', 'feed']],
    ['night-shift', ['read', 'callbacks', 'users']],
  ] as const)
    await world.operator('POST', '/keys', { name, scopes });
  const at = ctx.now();
  const unknown = { id: 'not-known', kind: 'imei', device: '990000000000094', at, bytes: 1 };
  await world.operator('POST', '/usage', [unknown]);
}

async function show(page: Page, path: string): Promise<void> {
  await page.goto(`${scene!.url}${path}`);
  await settled(page);
  if (writes) await page.waitForLoadState('networkidle').catch(() => {});
  if (path.endsWith('/map')) await drawn(page);
}

/** No event reports that the base map is drawn, so this waits until the picture stops changing. */
async function still(page: Page): Promise<void> {
  let same = 0;
  let before = await page.screenshot();
  for (let tries = 0; same < 3 && tries < 30; tries++) {
    await page.waitForTimeout(700);
    const now = await page.screenshot();
    same = now.equals(before) ? same + 1 : 0;
    before = now;
  }
}

describe('the pages of the console', () => {
  inBrowser(scene, 'show without an error, each in light and dark colours', async (its) => {
    if (writes) mkdirSync(FOLDER, { recursive: true });
    await live(its);
    const page = await its.open('/', 'operator', SIZE);
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(`${page.url()}: ${error}`));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const { name, path } of PAGES) {
        await show(page, path);
        const file = `${FOLDER}/${name.replaceAll('/', '-')}-${colorScheme}.png`;
        if (writes && name === 'map') await still(page);
        if (writes) await page.screenshot({ path: file });
      }
    }
    assert.deepEqual(errors, []);
  });
});

describe('the pictures of the console', () => {
  it('that pages of the documentation show are there, small, and no others are kept', () => {
    const shown = globSync(['*.md', 'docs/**/*.md']).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/pictures\/([\w.-]+\.png)/g)].map(([, name]) => name!),
    );
    const kept = readFileSync(`${FOLDER}/.gitignore`, 'utf8')
      .split('\n')
      .flatMap((line) => /^!(.+\.png)$/.exec(line)?.[1] ?? []);
    assert.deepEqual([...new Set(shown)].sort(), kept.sort());
    for (const name of kept) assert.ok(statSync(`${FOLDER}/${name}`).size <= BYTES_MAX, name);
  });
});
