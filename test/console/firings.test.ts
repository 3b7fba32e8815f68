import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe } from 'node:test';
import { sql } from '../../src/platform/db/sql.ts';
import { beyond, makeTriggers } from './support/acting-triggers.ts';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';

const hostile = (what: string) => `${what} <img src=x onerror=alert(1)>`;
const scene = await openConsole();
const at = (page: string) => `/accounts/${ACCOUNT}/${page}`;

describe('the firings of a period', () => {
  inBrowser(
    scene,
    'name trigger and device as text and lead to both, with level, before, after and record, also in the file',
    async ({ open, shoot, url, world }) => {
      const page = await open(at('triggers'), 'user');
      const { create, use } = makeTriggers(scene!);
      const triggerId = await create(page, hostile('Beyond 30 MB'), beyond(30));
      const { deviceId, recordId } = await use(ACCOUNT, 40 * 1024 ** 2);
      await world.ctx.db.exec(sql`
        update device set record = record || ${JSON.stringify({ name: hostile('Truck') })}::jsonb
        where device_id = ${deviceId}::uuid`);
      await page.getByRole('link', { name: 'All firings' }).click();
      const table = page.getByRole('table', { name: 'Firings of the period' });
      const row = table.getByRole('row').filter({ hasText: hostile('Beyond 30 MB') });
      await row.getByText(hostile('Truck')).waitFor();
      const titles = await table.getByRole('columnheader').allInnerTexts();
      const cell = (title: string) =>
        row
          .getByRole('cell')
          .nth(titles.findIndex((one) => one.startsWith(title)))
          .innerText();
      assert.equal(await cell('Level'), '30 MB');
      assert.equal(await cell('Crossed by'), `record ${recordId}`);
      const [before, after] = [await cell('Before'), await cell('After')].map(Number.parseFloat);
      assert.ok(before! < 30 && after! > 30, `${before} to ${after}`);
      await shoot(page, 'firings-named');

      await page.getByRole('button', { name: 'Export CSV' }).focus();
      const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
      const csv = (await readFile(await download.path(), 'utf8')).split('\r\n');
      assert.equal(csv[0], 'Fired,Trigger,For,Level,Before,After,Crossed by,Cycle');
      const told = csv.find((line) => line.includes(hostile('Beyond 30 MB')));
      assert.ok(told?.includes(hostile('Truck')) && told.includes(`record ${recordId}`), told);

      await row.getByRole('link', { name: hostile('Truck') }).click();
      await page.waitForURL(new RegExp(`/devices/${deviceId}`));
      await page.getByLabel('Kind of event').selectOption('firing');
      const history = page.getByRole('table', { name: 'History' });
      await history.getByText(`by ${hostile('Beyond 30 MB')}, record ${recordId}`).waitFor();
      await page.goto(`${url}${at('triggers/firings')}`);
      await row.getByRole('link', { name: hostile('Beyond 30 MB') }).focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(`/price-plan/${triggerId}`));
      await page.getByRole('heading', { name: hostile('Beyond 30 MB'), level: 1 }).waitFor();
      await page.goto(`${url}${at('overview')}`);
      await page
        .getByRole('link', { name: hostile('Beyond 30 MB') })
        .first()
        .waitFor();
      assert.equal(await page.locator('img[src=x]').count(), 0);
    },
  );

  inBrowser(scene, 'say that a trigger was deleted, and lead nowhere then', async ({ open, url }) => {
    const page = await open(at('triggers'), 'user');
    const { create, use } = makeTriggers(scene!);
    const triggerId = await create(page, 'Soon gone', beyond(100));
    await use(ACCOUNT, 200 * 1024 ** 2);
    await page.goto(`${url}${at(`triggers/price-plan/${triggerId}`)}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Triggers', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'All firings' }).click();
    await page.getByText('Soon gone (deleted)').waitFor();
    assert.equal(await page.getByRole('link', { name: /^Soon gone/ }).count(), 0);
  });
});
