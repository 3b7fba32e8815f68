import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';

const scene = await openConsole({}, { simulator: true, snapshots: true, scenarios: 'kept' });
const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
const OF_ACCOUNT = [
  'overview',
  'devices',
  'map',
  'location-reports',
  'first-steps',
  'triggers',
  'triggers/usage',
  'triggers/firings',
  'records',
  'alerts',
  'callbacks',
  'billing',
  'managed-accounts',
];
const OF_CONSOLE = [
  '/operation',
  '/audit',
  '/customers',
  '/customers/all',
  '/access/users',
  '/access/applications',
  '/access/keys',
  '/plans/catalogue',
  '/plans/groups',
  '/network',
  '/work',
  '/sandbox/simulator',
  '/sandbox/scenarios',
  '/sandbox/inbox',
  '/sandbox/requests',
  '/sandbox/snapshots',
  '/sandbox/failures',
  '/nowhere',
];

const DIALOGS = [
  ['/customers', 'New account'],
  ['/access/users', 'New user'],
  ['/access/applications', 'New application'],
  ['/access/keys', 'New key'],
  ['/plans/catalogue', 'New plan'],
  ['/plans/groups', 'New group'],
  ['/customers', 'Delete 0000800001-00001'],
  ['/customers/all', 'Delete customer 8000001'],
  ['/sandbox/scenarios', 'Play your own'],
  ['/sandbox/scenarios', 'Record a scenario'],
] as const;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/** Violations of the WCAG 2.2 A and AA rules, and of good practice, on the page in its current state. */
async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const found = (await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
  )) as Violation[];
  return found.flatMap(({ id, nodes }) =>
    nodes
      .slice(0, 3)
      .map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary ?? ''}`),
  );
}

const settle = async (page: Page) => {
  await page.getByRole('heading', { level: 1 }).or(page.getByText('Page not found')).first().waitFor();
  await page.waitForLoadState('networkidle').catch(() => {});
};

describe('every page', () => {
  for (const colorScheme of ['light', 'dark'] as const)
    inBrowser(
      scene,
      `has nothing that keeps anybody out, in ${colorScheme} colours`,
      async ({ open, url }) => {
        const page = await open('/');
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const wrong: string[] = [];
        for (const path of [...OF_ACCOUNT.map((name) => `/accounts/${ACCOUNT}/${name}`), ...OF_CONSOLE]) {
          await page.goto(`${url}${path}`);
          await settle(page);
          wrong.push(...(await violationsOf(page)).map((one) => `${path} ${one}`));
        }
        assert.deepEqual(wrong, []);
      },
    );

  inBrowser(scene, 'has a sign-in that anybody can use', async ({ openAlone }) => {
    const page = await openAlone('/');
    await page.getByLabel('Username').waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.close();
  });

  inBrowser(scene, 'has dialogs that anybody can use', async ({ open, url }) => {
    const page = await open('/sandbox/failures');
    await page.getByRole('button', { name: 'New rule' }).click();
    await page.getByLabel('Which calls').waitFor();
    assert.deepEqual(await violationsOf(page), []);
    for (const [path, button] of DIALOGS) {
      await page.goto(`${url}${path}`);
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
      assert.deepEqual(await violationsOf(page), [], button);
    }
    await page.goto(`${url}/accounts/${ACCOUNT}/overview`);
    await settle(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Find a page/ }).waitFor();
    assert.deepEqual(await violationsOf(page), []);
  });
});
