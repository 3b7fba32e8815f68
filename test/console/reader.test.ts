import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { ACCOUNT, type ConsoleScene, inBrowser, openConsole, settled } from './support/scene.ts';

const scene = await openConsole();
const OF_CONSOLE = [
  '/operation',
  '/audit',
  '/customers',
  '/access/users',
  '/access/applications',
  '/access/keys',
  '/plans/catalogue',
  '/plans/groups',
  '/network',
  '/work',
];
const OF_ACCOUNT = [
  'overview',
  'devices',
  'map',
  'location-reports',
  'triggers',
  'triggers/usage',
  'triggers/firings',
  'approvals',
  'first-steps',
  'records',
  'alerts',
  'callbacks',
  'billing',
  'managed-accounts',
];
/** Prefixes of links in lists: the test also opens the first address with each prefix. */
const LEADS = ['devices/', 'location-reports/', 'triggers/price-plan/', 'triggers/usage/', 'records/device/'];
/** The first words of buttons that change something, directly or in the dialog that they open. */
const CHANGES =
  /^((acknowledge|activate|add|allow|approve|cancel (activation|report)|change|check|choose .* of|create|deactivate|delete|disable|edit|empty|enable|end|exclude|label|locate|more actions|move|new|pause|register|reject|remove|rename|repair|replace|report on|re-?send|reset|restore|resume|save|select|send|set|suspend|take back|test|try (the|[a-z.-]+ again)|unlock)\b|\d+ (minutes?|hours?|days?|weeks?|months?)$)/i;

/** The names of everything that can be pressed or filled in. */
const offered = (page: Page): Promise<string[]> =>
  page
    .locator(
      'main :is(button:not(.sort-head), input[type=checkbox]), dialog :is(button, input[type=checkbox])',
    )
    .evaluateAll((all) =>
      (all as { ariaLabel: string | null; textContent: string | null }[]).map(
        ({ ariaLabel, textContent }) => ariaLabel ?? textContent ?? '',
      ),
    );

async function visit(its: ConsoleScene, path: string, refused: string[]): Promise<Page> {
  const page = await its.openAs(['read'], path);
  page.on('response', (answer) => {
    if (answer.status() === 403) refused.push(`${path}: ${answer.request().method()} ${answer.url()}`);
  });
  await page.reload();
  await settled(page);
  return page;
}

describe('an operator who may only read', () => {
  inBrowser(scene, 'is offered nothing on any page that would be refused', async (its) => {
    const user = await its.open(`/accounts/${ACCOUNT}/location-reports`, 'user');
    await user.getByRole('button', { name: 'New report' }).click();
    await user.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await user.getByRole('heading', { name: 'Location report', exact: true }).waitFor();
    await user.close();

    const [refused, wrong]: [string[], string[]] = [[], []];
    const paths = [...OF_CONSOLE, ...OF_ACCOUNT.map((name) => `/accounts/${ACCOUNT}/${name}`)];
    for (const path of paths) {
      const page = await visit(its, path, refused);
      wrong.push(
        ...(await offered(page)).filter((name) => CHANGES.test(name)).map((name) => `${path}: ${name}`),
      );
      const links = await page
        .locator('main a')
        .evaluateAll((all) => (all as { pathname: string }[]).map(({ pathname }) => pathname));
      const isNew = (one: string) => !paths.includes(one);
      for (const lead of LEADS.map((one) => `/accounts/${ACCOUNT}/${one}`))
        paths.push(...links.filter((one) => one.startsWith(lead) && isNew(one)).slice(0, 1));
      const row = page.locator('main button.row-link').first();
      if ((await row.count()) > 0) {
        await row.click();
        await page.getByRole('dialog').waitFor();
        wrong.push(
          ...(await offered(page))
            .filter((name) => CHANGES.test(name))
            .map((name) => `${path}, dialog: ${name}`),
        );
      }
      await page.close();
    }
    for (const lead of LEADS)
      assert.ok(
        paths.some((path) => path.startsWith(`/accounts/${ACCOUNT}/${lead}`)),
        `nothing led to ${lead}`,
      );
    assert.deepEqual([wrong, refused], [[], []]);
  });
});
