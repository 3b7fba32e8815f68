import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '../../src/platform/db/sql.ts';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';

const scene = await openConsole({ LINEKEEPER_CONSOLE_CONFIRM_LINES: '2' });
const at = (page: string) => `/accounts/${ACCOUNT}/${page}`;
const HOSTILE = '=HYPERLINK("x")<img src=x onerror=alert(1)>';

const table = (page: Page) => page.getByRole('table', { name: 'Devices', exact: true });
const box = (page: Page, name: string) =>
  table(page).getByRole('checkbox', { name: `Select ${name}`, exact: true });
const dialog = (page: Page) => page.getByRole('dialog').last();
const search = (page: Page, text: string) => page.getByLabel('Search devices').fill(text);
/** The names of the first three lines in the table. */
const listed = (page: Page): Promise<string[]> =>
  table(page)
    .getByRole('checkbox')
    .evaluateAll((all) =>
      (all as { ariaLabel: string }[]).slice(1, 4).map(({ ariaLabel }) => ariaLabel.slice('Select '.length)),
    );
const countRequests = async (operation: string): Promise<number> =>
  (
    await scene!.world.ctx.db.one<{ n: number }>(
      sql`select count(*)::int as n from carrier_request where operation = ${operation}`,
    )
  ).n;

describe('lines', () => {
  inBrowser(
    scene,
    'are selected with Shift, suspended after their number was typed, and followed to their callbacks',
    async ({ open, shoot, world }) => {
      const page = await open(at('devices?search=Truck&state=active'), 'user');
      await table(page).getByRole('link', { name: 'Truck 101', exact: true }).waitFor();
      const names = await listed(page);
      await box(page, names[0]!).click();
      await box(page, names[2]!).click({ modifiers: ['Shift'] });
      await page.getByText('3 selected').waitFor();
      await shoot(page, 'devices-selected');
      await page.getByRole('button', { name: 'Suspend', exact: true }).click();
      await dialog(page).getByText(`Suspend 3 lines of account ${ACCOUNT} until`).waitFor();
      const send = dialog(page).getByRole('button', { name: 'Suspend 3 lines' });
      assert.equal(await send.isDisabled(), true);
      await dialog(page).getByLabel('Type 3 to continue').fill('2');
      assert.equal(await send.isDisabled(), true);
      await dialog(page).getByLabel('Type 3 to continue').fill('3');
      await shoot(page, 'lines-suspend');
      await send.click();
      await dialog(page).getByText('3 lines sent.').waitFor();
      await world.engine.settle();
      await dialog(page).getByText('3 of 3 settled: 3 done, 0 refused').waitFor();
      const lines = dialog(page).getByRole('table', { name: 'Lines' });
      await lines.getByText('Delivered').nth(2).waitFor();
      await shoot(page, 'lines-followed');
      await dialog(page).getByRole('button', { name: 'Done' }).click();
      await page.getByText('Suspend: 3 lines sent.').waitFor();
    },
  );

  inBrowser(scene, 'are selected and suspended by keyboard alone', async ({ open, world }) => {
    const page = await open(at('devices?search=Dash&state=active'), 'user');
    await table(page).getByRole('checkbox').nth(1).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Suspend', exact: true }).focus();
    await page.keyboard.press('Enter');
    await dialog(page).getByText('Suspend 2 lines of account').waitFor();
    await dialog(page).getByRole('button', { name: 'Suspend 2 lines' }).focus();
    await page.keyboard.press('Enter');
    await dialog(page).getByText('2 lines sent.').waitFor();
    await world.engine.settle();
    await dialog(page).getByText('2 done, 0 refused').waitFor();
  });

  inBrowser(
    scene,
    'that are refused say why and are tried again, by keyboard alone',
    async ({ open, world }) => {
      const page = await open(at('devices?search=Truck&state=active'), 'user');
      await table(page).getByRole('checkbox').nth(1).focus();
      await page.keyboard.press('Space');
      await page.keyboard.press('Shift+ArrowDown');
      await page.getByText('2 selected').waitFor();
      await page.getByRole('button', { name: 'Suspend', exact: true }).focus();
      await page.keyboard.press('Enter');
      await dialog(page).getByText('Suspend 2 lines of account').waitFor();
      const names = await listed(page);
      // Another user is faster.
      await world.ctx.db.exec(sql`
        update device set state = 'suspend'
        where account_name = ${ACCOUNT} and record->>'name' = any(${names.slice(0, 2)}::text[])`);
      await dialog(page).getByRole('button', { name: 'Suspend 2 lines' }).focus();
      await page.keyboard.press('Enter');
      await dialog(page).getByText('2 lines sent.').waitFor();
      await world.engine.settle();
      await dialog(page).getByText('Device is already suspended').first().waitFor();
      await dialog(page).getByRole('button', { name: 'Retry the failed lines' }).focus();
      await page.keyboard.press('Enter');
      await dialog(page).getByRole('button', { name: 'Suspend 2 lines' }).waitFor();
    },
  );

  inBrowser(
    scene,
    'are sent once when the answer was lost and they are sent again',
    async ({ open, world }) => {
      const page = await open(at('devices?search=Truck&state=active'), 'user');
      await table(page).getByRole('checkbox').nth(1).click();
      const before = await countRequests('suspend');
      let lost = 0;
      await page.route('**/devices/actions/suspend', async (route) => {
        if (lost++ > 0) return route.continue();
        await route.fetch();
        return route.abort();
      });
      await page.getByRole('button', { name: 'Suspend', exact: true }).click();
      await dialog(page).getByRole('button', { name: 'Suspend 1 line' }).click();
      await dialog(page).getByText('The service may or may not have received 1 line.').waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('Suspend: 1 line not all sent.').waitFor();
      await page.getByRole('button', { name: 'Show' }).click();
      await dialog(page).getByRole('button', { name: 'Send again' }).click();
      await dialog(page).getByText('1 line sent.').waitFor();
      assert.equal(await countRequests('suspend'), before + 1);
      await world.engine.settle();
    },
  );

  inBrowser(scene, 'that match a filter are counted, selected all, and labelled', async ({ open }) => {
    const page = await open(at('devices?search=Dash'), 'user');
    const counted = page.getByText(/^[\d,]+ devices match$/);
    const [count] = /^[\d,]+/.exec((await counted.textContent())!)!;
    assert.ok(Number(count) > 2);
    await page.getByRole('button', { name: 'Select all matches' }).click();
    await page.getByText(`${count} selected`).waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: 'Label', exact: true }).click();
    await dialog(page).getByLabel('Label', { exact: true }).fill('Depot');
    await dialog(page).getByLabel('Value').fill(HOSTILE);
    await dialog(page).getByText(`Label ${count} lines of account ${ACCOUNT}: Depot = ${HOSTILE}.`).waitFor();
    await dialog(page)
      .getByRole('button', { name: `Label ${count} lines` })
      .click();
    await dialog(page).getByText(`${count} lines were changed`).waitFor();
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await search(page, '');
    await page.getByLabel('Label', { exact: true }).fill('Depot');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText(`${count} devices match`).waitFor();
  });

  inBrowser(
    scene,
    'change plan, are located, excluded and allowed again, get a consent, and are deactivated from their page',
    async ({ open, world }) => {
      const page = await open(at('devices?search=Truck&state=active'), 'user');
      await table(page)
        .getByRole('link', { name: /^Truck/ })
        .first()
        .click();
      await page.getByRole('heading', { name: /^Truck/ }).waitFor();
      const choose = async (name: string) => {
        const shown = page.getByRole('button', { name, exact: true });
        if ((await shown.count()) === 0) await page.getByRole('button', { name: 'More actions' }).click();
        await shown.click();
      };
      const finish = async (name: string) => {
        await dialog(page)
          .getByRole('button', { name: `${name} 1 line` })
          .click();
        await dialog(page).getByText('1 line sent.').waitFor();
        await world.engine.settle();
      };
      const done = () => dialog(page).getByRole('button', { name: 'Done' }).click();
      await choose('Locate');
      await finish('Locate');
      await dialog(page).getByText('1 line was located.').waitFor();
      await done();
      await page.getByRole('table', { name: 'Fixes' }).waitFor();
      for (const name of ['Exclude from location', 'Allow location again', 'Set consent']) {
        await choose(name);
        await finish(name);
        await dialog(page).getByText('1 line: done.').waitFor();
        await done();
      }
      await choose('Change plan');
      await dialog(page).getByLabel('Plan').selectOption({ index: 1 });
      await finish('Change plan');
      await dialog(page).getByText('1 of 1 settled').waitFor();
      await done();
      await choose('Rename');
      await dialog(page).getByLabel('Name').fill(HOSTILE);
      await dialog(page).getByRole('button', { name: 'Rename' }).click();
      await page.getByRole('heading', { name: HOSTILE }).waitFor();
      await choose('Deactivate');
      await finish('Deactivate');
      await dialog(page).getByText('1 done, 0 refused').waitFor();
      await done();
      await page.getByText('Deactivated', { exact: true }).waitFor();
      await choose('Activate');
      await dialog(page).getByLabel('Plan').selectOption({ index: 1 });
      await dialog(page).getByLabel('ZIP code').fill('12345');
      await finish('Activate');
      await dialog(page).getByText('1 of 1 settled').waitFor();
    },
  );

  inBrowser(
    scene,
    'offer nothing that would be refused to an operator who may only read',
    async ({ openAlone, world }) => {
      const { key } = (await world.operator('POST', '/keys', { name: 'reader', scopes: ['read'] })).json();
      const page = await openAlone(at('devices'));
      await page.getByRole('tab', { name: 'Operator' }).click();
      await page.getByLabel('Operator key').fill(key);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await table(page).getByRole('link').first().waitFor();
      assert.equal(await page.getByRole('checkbox').count(), 0);
      assert.equal(await page.getByRole('button', { name: 'Select all matches' }).count(), 0);
      await table(page).getByRole('link').first().click();
      await page.getByRole('table', { name: 'History' }).getByText('Imported').first().waitFor();
      for (const name of ['Suspend', 'Locate', 'More actions'])
        assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name);
      await page.close();
    },
  );
});

describe('the page of a device', () => {
  inBrowser(
    scene,
    'tells where it is, what it used and may use, what watches it, its consent, and what happened to it by whom, as text',
    async ({ open, shoot, world }) => {
      const page = await open(at('devices?search=Truck&state=active'), 'user');
      await table(page)
        .getByRole('link', { name: /^Truck/ })
        .nth(3)
        .click();
      await page.getByText(/of .* used, /).waitFor();
      await page.getByText('Now:').waitFor();
      const history = page.getByRole('table', { name: 'History' });
      await history.getByText('Imported').first().waitFor();
      await page.getByRole('button', { name: 'Suspend', exact: true }).focus();
      await page.keyboard.press('Enter');
      await dialog(page).getByRole('button', { name: 'Suspend 1 line' }).focus();
      await page.keyboard.press('Enter');
      await dialog(page).getByText('1 line sent.').waitFor();
      await world.engine.settle();
      await dialog(page).getByText('1 done, 0 refused').waitFor();
      await page.keyboard.press('Escape');
      await history.getByText('Suspension requested').waitFor();
      await history.getByText(/by demo-user, done/).waitFor();
      await history.getByText(/lineState: active → suspended/).waitFor();
      await page.getByLabel('Kind of event').selectOption('request');
      await history.getByText('Imported').waitFor({ state: 'detached' });
      await shoot(page, 'device');
    },
  );
});

describe('the list of devices', () => {
  inBrowser(
    scene,
    'is exported as it is filtered, with the chosen columns and no formula in it, by keyboard too',
    async ({ open, world }) => {
      const page = await open(at('devices?search=Dash'), 'user');
      await page.getByText(/devices match$/).waitFor();
      await page.getByRole('button', { name: 'Choose columns' }).click();
      await page.getByLabel('Number', { exact: true }).uncheck();
      await page.getByLabel('Labels', { exact: true }).check();
      await page.keyboard.press('Escape');
      await page.reload();
      await table(page).getByRole('columnheader', { name: 'Labels' }).waitFor();
      assert.equal(await table(page).getByRole('columnheader', { name: 'Number' }).count(), 0);
      const first = (await table(page).getByRole('link', { name: /^Dash/ }).first().getAttribute('href'))!;
      await world.ctx.db.exec(sql`
        update device set record = record || ${JSON.stringify({ name: `Dash ${HOSTILE}` })}::jsonb,
          labels = '[]' where device_id = ${first.split('/').at(-1)}::uuid`);
      await page.getByRole('button', { name: 'Export CSV' }).focus();
      const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
      const csv = await readFile(await download.path(), 'utf8');
      const rows = csv.trim().split('\r\n');
      assert.equal(rows[0], 'deviceId,name,state,imei,network,plan,labels,used,added');
      assert.ok(rows.length > 3 && rows.slice(1).every((row) => row.includes('Dash')));
      assert.ok(rows.some((row) => row.includes('"Dash =HYPERLINK(""x"")')));
      assert.doesNotMatch(csv, /(^|,)"?[=+@]/m);
      const before = await listed(page);
      await page.getByRole('button', { name: 'Newest first' }).focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(/order=newest/);
      await table(page).locator('tr[aria-rowindex="2"]').filter({ hasNotText: before[0]! }).waitFor();
      await page.getByRole('button', { name: 'Oldest first' }).waitFor();
    },
  );
});
