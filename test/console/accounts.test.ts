import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe } from 'node:test';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';

const scene = await openConsole();
const at = (page: string, account = ACCOUNT) => `/accounts/${account}/${page}`;
const DEPOTS = '0000700001-00003';

describe('location reports', () => {
  inBrowser(
    scene,
    'are made in a form, cancelled while queued, followed to their end, and downloaded',
    async ({ open, shoot, world }) => {
      const page = await open(at('location-reports'), 'user');
      const create = async () => {
        await page.getByRole('button', { name: 'New report' }).click();
        await page.getByLabel('Positions').selectOption('2');
        await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
        await page.getByRole('heading', { name: 'Location report', exact: true }).waitFor();
      };
      await create();
      await page.getByRole('button', { name: 'Cancel report' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel report' }).click();
      await page.getByText('Cancelled', { exact: true }).waitFor();
      await page.getByRole('link', { name: '← All reports' }).click();
      await create();
      await page.getByText('Queued', { exact: true }).waitFor();
      await world.engine.settle();
      await page.getByText('Completed', { exact: true }).waitFor();
      await page.getByText(/, 0 waiting/).waitFor();
      await shoot(page, 'location-report');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download whole report' }).click(),
      ]);
      const csv = await readFile(await download.path(), 'utf8');
      assert.match(csv, /^number,deviceId,latitude,longitude,radiusMetres,time,error,reason\r\n/);
      assert.ok(csv.split('\r\n').length > 50);
      assert.match(csv, /\d+\.\d+,-\d+\.\d+,\d+,2026-01-0\dT\d\d:\d\d:\d\dZ,,\r\n/);
      await page.getByRole('link', { name: '← All reports' }).click();
      const table = page.getByRole('table', { name: 'Location reports' });
      await table.getByText('100 %').waitFor();
      await shoot(page, 'location-reports');
    },
  );

  inBrowser(scene, 'are made, looked at and left to a device by keyboard alone', async ({ open, world }) => {
    const page = await open(at('location-reports'), 'user');
    await page.getByRole('button', { name: 'New report' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Location report', exact: true }).waitFor();
    await world.engine.settle();
    await page.getByText('Completed', { exact: true }).waitFor();
    const row = page.getByRole('table', { name: 'Devices of the report' }).getByRole('link').first();
    const href = (await row.getAttribute('href'))!;
    await row.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === href);
  });

  inBrowser(scene, 'of named devices are refused in words where one is unknown', async ({ open }) => {
    const page = await open(at('location-reports'), 'user');
    await page.getByRole('button', { name: 'New report' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Devices', { exact: true }).selectOption('some');
    await dialog.getByLabel('IMEI, MEID or ESN').fill('990000000000999');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByRole('alert').waitFor();
  });
});

describe('billing', () => {
  inBrowser(scene, 'shows a month by rating group or APN and country', async ({ open, shoot, world }) => {
    const usage = ['USA', 'CAN', 'MEX'].map((countryCode, n) => ({
      id: `billed-${n}`,
      kind: 'imei',
      at: new Date(world.ctx.now().getTime() - 3_600_000),
      bytes: (n + 1) * 40_000_000,
      countryCode,
      ratingGroup: n === 2 ? '200' : '100',
      apn: n === 2 ? 'roaming.iot' : 'fleet.iot',
      chargeAmount: (n + 1) * 12.5,
    }));
    const { devices } = (await (
      await open(at('devices'))
    ).request
      .get(`${scene!.url}/api/console/v1/accounts/${ACCOUNT}/devices?limit=1`)
      .then((answer) => answer.json())) as { devices: { ids: { kind: string; id: string }[] }[] };
    const device = devices[0]!.ids.find(({ kind }) => kind === 'imei')!.id;
    const lines = usage.map((record) => JSON.stringify({ ...record, device })).join('\n');
    assert.deepEqual((await world.operator('POST', '/usage', lines)).json().rejected, []);
    const page = await open(at('billing'), 'user');
    const table = page.getByRole('table', { name: 'Bill', exact: true });
    await table.getByText('75.00').or(table.getByText('37.50')).first().waitFor();
    await table.getByText('CAN').waitFor();
    await page.waitForTimeout(300);
    await shoot(page, 'billing');
    await page.getByLabel('Billing month').selectOption({ index: 5 });
    await page.getByText('No usage in this month').waitFor();
  });
});

describe('managed accounts', () => {
  inBrowser(scene, 'are added by the primary and activated by themselves', async ({ open, shoot }) => {
    const own = await open(at('managed-accounts', DEPOTS));
    await own.getByRole('button', { name: 'Activate' }).click();
    await own.getByRole('button', { name: 'Cancel activation' }).click();
    await own.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click();
    await own.getByRole('button', { name: 'Cancel activation' }).waitFor();
    const page = await open(at('managed-accounts'), 'user');
    await page.getByText('2 activated, 0 added').waitFor();
    await page.getByRole('table', { name: 'Statement' }).waitFor();
    await shoot(page, 'managed-accounts');
    await page.getByRole('button', { name: 'Add accounts' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('SKU').fill('SVC-LOC-COARSE-CellID-Aggr');
    await dialog.getByLabel('Accounts').fill(`${DEPOTS}\n0000700001-00099`);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('Invalid account name').waitFor();
    await dialog.getByText('Acct Already activated').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
  });

  inBrowser(scene, 'are taken back by the primary as long as they have not agreed', async ({ open }) => {
    const own = await open(at('managed-accounts', DEPOTS));
    await own.getByRole('button', { name: 'Cancel activation' }).click();
    await own.getByRole('dialog').getByRole('button', { name: 'Cancel activation' }).click();
    await own.getByText('Billed separately.').waitFor();
    const page = await open(at('managed-accounts'), 'user');
    await page.getByRole('button', { name: 'Add accounts' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('SKU').fill('SVC-LOC-COARSE-CellID-Aggr');
    await dialog.getByLabel('Accounts').fill(DEPOTS);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('1 activated, 1 added').waitFor();
    await page.getByRole('button', { name: `Withdraw ${DEPOTS}` }).click();
    await page.getByText('1 activated, 0 added').waitFor();
  });
});
