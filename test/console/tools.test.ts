import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';

/** More than a page of any list has. */
const MANY = 1_200;
const scene = await openConsole();
const at = (page: string) => `/accounts/${ACCOUNT}/${page}`;

async function save(page: Page): Promise<readonly string[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
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
