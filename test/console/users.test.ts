import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { feedPositions, placedOf } from './support/map.ts';
import { ACCOUNT, inBrowser, openConsole, settled } from './support/scene.ts';

const scene = await openConsole();
const PARTNER = { username: 'partner-user', password: 'partner-user-password' };
const [FIRST, SECOND] = ['0000800001-00001', '0000800002-00001'];
const table = (page: Page) => page.getByRole('table', { name: 'Devices', exact: true });
/** The names of the first lines in the table. */
const names = async (page: Page): Promise<string[]> =>
  (await table(page).locator('tbody .row-link').allTextContents()).slice(0, 5);
const label = async (page: Page) => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: 'Label', exact: true }).click();
};
const hostile = (field: string) => `${field} <img src=x onerror="document.title=1">`;

describe('a user with two accounts', () => {
  inBrowser(scene, 'goes from one to the other, and what was selected stays behind', async (its) => {
    const page = await its.openAs(PARTNER, `/accounts/${FIRST}/devices`);
    await table(page).getByRole('checkbox').nth(1).click();
    await page.getByText('1 selected').waitFor();
    await label(page);
    await page.getByRole('dialog').getByText(`Label 1 line of account ${FIRST}`).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('button', { name: new RegExp(SECOND) }).click();
    await page.getByRole('button', { name: `Account ${SECOND}` }).waitFor();
    await page.getByText(/devices? match/).waitFor();
    await table(page).getByRole('checkbox').nth(1).click();
    await page.getByText('1 selected').waitFor();
    await label(page);
    await page.getByRole('dialog').getByText(`Label 1 line of account ${SECOND}`).waitFor();
  });

  inBrowser(scene, 'sees nothing of a third one, also by its address', async (its) => {
    const page = await its.openAs(PARTNER, `/accounts/${ACCOUNT}/devices`);
    await page.getByRole('main').getByText('You have no access to this account').waitFor();
    assert.equal(await page.getByText('Truck 101').count(), 0);
  });
});

describe('what a user with two accounts does in one of them', () => {
  const at = (page: string, account = FIRST) => `/accounts/${account}/${page}`;
  inBrowser(
    scene,
    'is a report, a trigger and a callback of that one, and none of the other',
    async (its) => {
      const page = await its.openAs(PARTNER, at('location-reports'));
      await page.getByRole('button', { name: 'New report' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
      await page.getByRole('heading', { name: 'Location report', exact: true }).waitFor();
      await its.world.engine.settle();
      await page.getByText('Completed', { exact: true }).waitFor();
      const reported = page.getByRole('table', { name: 'Devices of the report' });
      await reported.getByRole('link').first().waitFor();
      await page.goto(`${its.url}${at('location-reports', SECOND)}`);
      await page.getByText('No report in the last 30 days').waitFor();

      await page.goto(`${its.url}${at('triggers/usage')}`);
      await page.getByRole('button', { name: 'New trigger' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Only water');
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
      await page.getByRole('heading', { name: 'Only water', level: 1 }).waitFor();
      await page.goto(`${its.url}${at('triggers/usage', SECOND)}`);
      await settled(page);
      assert.equal(await page.getByRole('link', { name: 'Only water' }).count(), 0);

      await page.goto(`${its.url}${at('callbacks')}`);
      await page.getByRole('button', { name: 'Send a test event' }).click();
      await page.getByLabel('Event', { exact: true }).selectOption({ index: 0 });
      await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
      await page.getByRole('table', { name: 'Callbacks' }).getByText('Delivered').first().waitFor();
      await page.goto(`${its.url}${at('callbacks', SECOND)}`);
      await page.getByText('No listener is registered').waitFor();
      await settled(page);
      assert.equal(
        await page.getByRole('table', { name: 'Callbacks' }).locator('tbody .data-row').count(),
        0,
      );
    },
  );

  inBrowser(scene, 'is the page of a device and the map of that one, and none of the other', async (its) => {
    const devices = placedOf(FIRST);
    await feedPositions(its.world, devices, 1);
    const page = await its.openAs(PARTNER, at(`devices?search=${devices[0]!.imei}`));
    await table(page).locator('tbody .row-link').first().click();
    await page.getByRole('heading', { name: 'Identity' }).waitFor();
    const { pathname } = new URL(page.url());
    await page.goto(`${its.url}${pathname.replace(FIRST, SECOND)}`);
    await page.getByText('Not found').waitFor();

    await page.goto(`${its.url}${at('map')}`);
    await page.getByText(/^29 devices located, \d+ in view$/).waitFor();
    await page.getByRole('button', { name: 'Select in view' }).click();
    await page.getByText(/^\d+ devices selected/).waitFor();
    await page.goto(`${its.url}${at('map', SECOND)}`);
    await page.getByText('This account is not registered for device location').waitFor();
    assert.equal(await page.getByText(/devices selected/).count(), 0);
  });

  inBrowser(scene, 'is an alert of that one, and none of the other', async (its) => {
    const page = await its.openAs(PARTNER, at('records/device', SECOND));
    await page.getByRole('link', { name: 'Power meter 101' }).click();
    await page.getByRole('button', { name: 'New rule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('High load');
    await dialog.getByRole('tab', { name: 'JSON' }).click();
    await dialog.getByLabel('Rule chain').fill('{"field": "load", "operator": "gt", "value": 30}');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('as conditions').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await its.world.watcher.settle();
    const device = await page
      .locator('dt', { hasText: /^imei$/ })
      .locator('xpath=following-sibling::dd')
      .textContent();
    const reading = { kind: 'imei', device, at: its.world.ctx.now(), values: { load: 31 } };
    assert.equal((await its.world.operator('POST', '/readings', reading)).json().accepted, 1);
    await page.goto(`${its.url}${at('alerts', SECOND)}`);
    const raised = page.getByRole('table', { name: 'Smart alerts' }).getByRole('row');
    await raised.filter({ hasText: 'High load' }).getByText('load 31 (is above 30)').waitFor();
    await page.goto(`${its.url}${at('alerts')}`);
    await page.getByText('No rule has raised an alert').waitFor();
  });

  inBrowser(scene, 'is seen of what concerns both in each of them', async (its) => {
    const page = await its.openAs(PARTNER, at('triggers'));
    for (const account of [FIRST, SECOND]) {
      await page.goto(`${its.url}${at('triggers', account)}`);
      await settled(page);
      await page.locator('main .row-link').first().waitFor();
    }
    const named = page.getByRole('main').locator('.row-link').first();
    const name = await named.innerText();
    await named.click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    for (const account of [FIRST, SECOND]) await page.getByText(account).first().waitFor();
  });
});

describe('a list of lines', () => {
  inBrowser(scene, 'is sorted by the heads of its columns, by mouse and by keyboard', async (its) => {
    const page = await its.open(`/accounts/${ACCOUNT}/devices?search=Truck`, 'user');
    const head = (title: string) => table(page).getByRole('columnheader', { name: title, exact: true });
    const isSorted = (title: string, way: string) =>
      page.locator(`th[aria-sort=${way}]`, { hasText: title }).waitFor();
    const rowOf = (name: string) =>
      table(page).locator('tr[aria-rowindex="2"]').getByRole('link', { name, exact: true }).waitFor();
    await head('Name').getByRole('button').click();
    await page.waitForURL(/order=name/);
    await isSorted('Name', 'ascending');
    await rowOf('Truck 101');
    const up = await names(page);
    assert.deepEqual(up, up.toSorted());
    await head('Name').getByRole('button').click();
    await page.waitForURL(/order=-name/);
    await isSorted('Name', 'descending');
    await table(page).locator('tr[aria-rowindex="2"]').filter({ hasNotText: 'Truck 101' }).waitFor();
    const down = await names(page);
    assert.deepEqual(down, down.toSorted().toReversed());
    await its.shoot(page, 'devices-sorted');
    await head('Plan').getByRole('button').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/order=plan/);
    await isSorted('Plan', 'ascending');
  });
});

describe('the page of a device', () => {
  inBrowser(scene, 'shows whatever its owner wrote into it as the text that it is', async (its) => {
    const [device] = placedOf(ACCOUNT);
    const fields = ['name', 'description', 'manufacturer', 'productmodel', 'softwareversion'];
    const record = Object.fromEntries(fields.map((field) => [field, hostile(field)]));
    const labels = [{ name: hostile('label'), value: hostile('value') }];
    await its.world.import({ devices: [{ ...device, labels, record: { ...device!.record, ...record } }] });
    await feedPositions(its.world, [device!], 1);
    const page = await its.open(`/accounts/${ACCOUNT}/devices?search=${device!.imei}`, 'user');
    await table(page)
      .getByRole('link', { name: hostile('name') })
      .click();
    await page.getByRole('heading', { name: hostile('name'), level: 1 }).waitFor();
    for (const field of [...fields.slice(1), 'label', 'value'])
      await page.getByText(hostile(field), { exact: false }).first().waitFor();
    await page.getByRole('heading', { name: 'Identity' }).waitFor();
    await page.getByRole('button', { name: 'Suspend', exact: true }).click();
    await page.getByRole('dialog').getByText(hostile('name')).waitFor();
    assert.equal(await page.locator('img[src=x]').count(), 0);
    assert.doesNotMatch(await page.title(), /^1$/);
  });
});
