import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '../../src/platform/db/sql.ts';
import { drawn, feedPositions, openMap, placedOf } from './support/map.ts';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';

const scene = await openConsole({ LINEKEEPER_CONSOLE_CONFIRM_LINES: '1' });
const trucks = placedOf(ACCOUNT).slice(0, 3);
if (scene !== undefined) await feedPositions(scene.world, trucks, 10);

const dialog = (page: Page) => page.getByRole('dialog').last();
const selectAll = async (page: Page) => {
  await drawn(page);
  await page.getByText('3 devices located, 3 in view').waitFor();
  await page.getByRole('button', { name: 'Select in view' }).click();
  await page.getByText('3 devices selected').waitFor();
};
const stateOf = async (imei: string): Promise<string> =>
  (await scene!.world.ctx.db.one<{ state: string }>(sql`select state from device where imei = ${imei}`))
    .state;

describe('devices that were selected on the map', () => {
  inBrowser(scene, 'are suspended as the lines that they are, counted and followed', async (its) => {
    const page = await openMap(its, ACCOUNT, 'user');
    const sent: { devices: object[] }[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/actions/suspend')) sent.push(request.postDataJSON());
    });
    await selectAll(page);
    await its.shoot(page, 'map-selected');
    await page.getByRole('button', { name: 'Suspend', exact: true }).click();
    await dialog(page).getByText(`Suspend 3 lines of account ${ACCOUNT} until`).waitFor();
    await dialog(page).getByLabel('Type 3 to continue').fill('3');
    await dialog(page).getByRole('button', { name: 'Suspend 3 lines' }).click();
    await dialog(page).getByText('3 lines sent.').waitFor();
    await its.world.engine.settle();
    await dialog(page).getByText('3 of 3 settled: 3 done, 0 refused').waitFor();
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    // The request has only the counted list, not the way in which it was selected.
    assert.deepEqual(Object.keys(sent[0]!).toSorted(), ['accountName', 'devices']);
    assert.equal(sent[0]!.devices.length, 3);
    assert.deepEqual(await Promise.all(trucks.map(({ imei }) => stateOf(imei))), Array(3).fill('suspend'));
    // The page now offers the actions for suspended lines.
    await page.getByRole('button', { name: 'Restore', exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Suspend', exact: true }).count(), 0);
    await page.getByText('Suspend: 3 lines sent.').waitFor();
  });

  inBrowser(scene, 'are restored and located by keyboard alone', async (its) => {
    const page = await openMap(its, ACCOUNT, 'user');
    await drawn(page);
    const press = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
    };
    await press('Select in view');
    await press('Restore');
    await dialog(page).getByRole('button', { name: 'Restore 3 lines' }).focus();
    await page.keyboard.press('Enter');
    await dialog(page).getByText('3 lines sent.').waitFor();
    await its.world.engine.settle();
    await dialog(page).getByText('3 of 3 settled: 3 done, 0 refused').waitFor();
    await page.keyboard.press('Escape');
    await press('Locate');
    await dialog(page).getByRole('button', { name: 'Locate 3 lines' }).focus();
    await page.keyboard.press('Enter');
    await dialog(page)
      .getByText(/\d lines? (was|were) located/)
      .waitFor();
  });

  inBrowser(scene, 'that have left the account since are said to be gone, and are not sent', async (its) => {
    const page = await openMap(its, ACCOUNT, 'user');
    await drawn(page);
    await page.getByText('3 devices located, 3 in view').waitFor();
    // Another user is faster, and the map still shows the line.
    await its.world.ctx.db.exec(sql`update device set kind = 'sensor' where imei = ${trucks[2]!.imei}`);
    await page.getByRole('button', { name: 'Select in view' }).click();
    await page.getByText('1 of them is no longer a line of this account.').waitFor();
    await page.getByRole('button', { name: 'Suspend', exact: true }).click();
    await dialog(page).getByText('Suspend 2 lines of account').waitFor();
  });

  inBrowser(scene, 'are selected by nobody who may only read', async (its) => {
    const page = await its.openAs(['read'], `/accounts/${ACCOUNT}/map`);
    const map = await drawn(page);
    await page.getByText(/devices located, \d in view/).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Select in view' }).count(), 0);
    const box = (await map.boundingBox())!;
    await page.keyboard.down('Shift');
    await page.mouse.move(box.x + 4, box.y + 4);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 4, box.y + box.height - 4, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    assert.equal(await page.getByText(/devices? selected/).count(), 0);
  });

  inBrowser(scene, 'are forgotten with the session', async (its) => {
    const page = await openMap(its, ACCOUNT, 'user');
    await drawn(page);
    await page.getByRole('button', { name: 'Select in view' }).click();
    await page.getByText(/devices selected/).waitFor();
    await page.getByRole('button', { name: 'Signed in as demo-user' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Username').fill('demo-user');
    await page.getByLabel('Password').fill('demo-user-password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Map', exact: true }).click();
    await page.getByText(/devices located/).waitFor();
    assert.equal(await page.getByText(/devices? selected/).count(), 0);
  });
});
