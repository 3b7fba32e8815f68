import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, describe } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { joinNodes } from '../../src/platform/health/nodes.ts';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';

/** More than one page of any list. */
const MANY = 1_200;
const scene = await openConsole();
const at = (page: string) => `/accounts/${ACCOUNT}/${page}`;

/** The frame around the table with this name. */
const around = (page: Page, table: string): Locator =>
  page.locator('.tool-table', { has: page.getByRole('table', { name: table, exact: true }) });

async function save(page: Page, within: Page | Locator = page): Promise<readonly string[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    within.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  return readFileSync(await download.path(), 'utf8')
    .split('\r\n')
    .slice(0, -1);
}

describe('the tools of a table', () => {
  inBrowser(scene, 'count, filter, choose columns and write a file of what is filtered', async (its) => {
    const page = await its.open(at('triggers?kind=usage'), 'user');
    const table = page.getByRole('table', { name: /triggers$/ });
    await table.getByRole('link').first().waitFor();
    const all = await table.getByRole('link').count();
    await page.getByText(new RegExp(`^${all} (entry|entries)$`)).waitFor();
    const [first = ''] = await table.getByRole('link').allTextContents();
    await page.getByRole('searchbox', { name: /^Filter/ }).fill(first);
    await page.getByText(new RegExp(`^\\d+ of ${all} entries$|^${all} (entry|entries)$`)).waitFor();
    const found = await table.getByRole('link').count();
    const lines = await save(page);
    assert.equal(lines.length, found + 1);
    assert.match(lines[0]!, /^Name,/);
    assert.ok(lines[1]!.includes(first), lines[1]);
    await page.getByRole('button', { name: 'Choose columns' }).click();
    const [hidden = ''] = lines[0]!.split(',').slice(1);
    await page.getByRole('checkbox', { name: hidden, exact: true }).uncheck();
    await table.getByRole('columnheader', { name: hidden }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    assert.ok(!(await save(page))[0]!.split(',').includes(hidden));
    await page.reload();
    await table.getByRole('link').first().waitFor();
    assert.equal(await table.getByRole('columnheader', { name: hidden }).count(), 0);
    await its.shoot(page, 'table-tools');
  });

  inBrowser(scene, 'write all of a list that goes on, not only what was read', async (its) => {
    const devices = Array.from({ length: MANY }, (_, n) => ({
      accountName: ACCOUNT,
      imei: String(990_000_400_000_000 + n),
      servicePlan: 'LK-PAYG-5MB',
    }));
    await its.world.import({ devices });
    const page = await its.open(at('records/device'), 'user');
    await page.getByText(/^The first \d+ entries$/).waitFor();
    const lines = await save(page);
    assert.match(lines[0]!, /^Name,Description,Model,Serial,Changed$/);
    assert.ok(lines.length > MANY, `${lines.length} lines`);
    assert.equal(new Set(lines).size, lines.length);
  });
});

/** Tables that only operators see, none of them empty. */
const OF_OPERATORS = [
  ['/customers', 'Accounts of customers'],
  ['/customers/all', 'Customers'],
  ['/access/users', 'Users'],
  ['/access/applications', 'Applications'],
  ['/access/keys', 'Operator keys'],
  ['/plans/catalogue', 'Plans'],
  ['/plans/groups', 'Rate plan groups'],
  ['/work', 'Jobs'],
  ['/work', 'Processes'],
] as const;
const IN_ORDER = new Intl.Collator('en', { numeric: true });

describe('the tools of the tables of operators', () => {
  inBrowser(scene, 'sort, count, filter, and write what is filtered, in each of them', async (its) => {
    const { ctx, health } = its.world;
    const node = await joinNodes(ctx.db, { nodeId: randomUUID(), role: 'all', log: ctx.log, health });
    after(() => node.stop());
    await its.world.operator('POST', '/keys', { name: 'billing-system', scopes: ['read'] });
    await its.world.operator('POST', '/network/check', {});
    const page = await its.open('/customers');
    for (const [path, name] of OF_OPERATORS) {
      await page.goto(`${its.url}${path}`);
      const tools = around(page, name);
      const counted = tools.locator('.count');
      await counted.getByText(/^\d+ (entry|entries)$/).waitFor();
      const first = tools.locator('tbody .data-row .data-cell:first-child');
      await first.first().waitFor();
      await tools.getByRole('columnheader').first().getByRole('button').click();
      await tools.locator('th[aria-sort=ascending]').waitFor();
      const texts = await first.allInnerTexts();
      assert.deepEqual(texts, texts.toSorted(IN_ORDER.compare), name);

      const filter = tools.getByRole('searchbox', { name: `Filter ${name}` });
      await filter.fill('no-such-words-anywhere');
      await counted.getByText(/^0 of \d+ (entry|entries)$/).waitFor();
      await tools.getByText('No entry matches the filter').waitFor();
      await filter.fill(texts.at(-1)!);
      await tools.getByText('No entry matches the filter').waitFor({ state: 'detached' });
      const found = Number(/^\d+/.exec(await counted.innerText())![0]);
      const lines = await save(page, tools);
      assert.equal(lines.length, found + 1, name);
      assert.ok(found > 0 && lines.slice(1).every((line) => line.includes(texts.at(-1)!)), lines.join('\n'));
      await tools.getByRole('button', { name: 'Choose columns' }).click();
      const title = lines[0]!.split(',').at(-1)!;
      await page.getByRole('checkbox', { name: title, exact: true }).uncheck();
      await tools.getByRole('columnheader', { name: title }).waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
    }
  });

  inBrowser(scene, 'are not there while a table is empty', async (its) => {
    const page = await its.open('/network');
    for (const [name, said] of [
      ['Feeds from the network', 'No feeds from the network'],
      ['Differences', 'Nothing differs'],
    ] as const) {
      const tools = around(page, name);
      await tools.getByText(said).waitFor();
      await tools.getByText('0 entries').waitFor();
      assert.equal(await tools.getByRole('searchbox').count(), 0, name);
      assert.equal(await tools.locator('.selection-bar').getByRole('button').count(), 0, name);
    }
  });
});
