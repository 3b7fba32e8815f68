import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';
import { openSwitchboard } from './support/switchboard.ts';

const scene = await openConsole();
const NEW = '0000900001-00001';
const HOSTILE = 'Quarry & Sons <img src=x onerror="document.title=1">';
const row = (page: Page, accountName: string) =>
  page
    .getByRole('table', { name: 'Accounts of customers' })
    .getByRole('row')
    .filter({ hasText: accountName });
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

describe('the page of customers', () => {
  inBrowser(
    scene,
    'lets an operator make an account, change it, and delete it by typing its name',
    async ({ open, world, shoot }) => {
      const page = await open('/customers');
      await row(page, ACCOUNT).getByText('Larkmoor').waitFor();
      await shoot(page, 'customers');

      await page.getByRole('button', { name: 'New account' }).click();
      const making = dialog(page, 'New account');
      await making.getByLabel('Account', { exact: true }).fill(NEW);
      await making.getByLabel('Customer').fill('9900001');
      await making.getByLabel('Organization').fill(HOSTILE);
      await making.getByLabel('Time zone').fill('Nowhere/At all');
      await making.getByRole('button', { name: 'Create' }).click();
      await making.getByText('Nothing was saved: time zone is not a known time zone').waitFor();
      await shoot(page, 'customers-new');
      await making.getByLabel('Time zone').fill('America/Chicago');
      await making.getByRole('button', { name: 'Create' }).click();
      await row(page, NEW).getByText(HOSTILE).waitFor();
      assert.equal(await page.locator('img[src=x]').count(), 0);

      await page.getByRole('button', { name: `Edit ${NEW}` }).click();
      const editing = dialog(page, `Edit account ${NEW}`);
      await editing.getByLabel('Billing months begin on day').fill('15');
      await editing.getByRole('button', { name: 'Save' }).click();
      await row(page, NEW).getByText('day 15').waitFor();
      const made = (await world.operator('GET', `/accounts/${NEW}`)).json();
      assert.deepEqual(
        [made.ecpdId, made.organizationName, made.timeZone, made.billCycleDay],
        ['9900001', HOSTILE, 'America/Chicago', 15],
      );

      await page.getByRole('button', { name: `Delete ${NEW}` }).click();
      const deleting = dialog(page, `Delete account ${NEW}`);
      await deleting.getByText('No lines, with usage').waitFor();
      await deleting.getByText('No user loses an account').waitFor();
      const button = deleting.getByRole('button', { name: 'Delete permanently' });
      assert.equal(await button.isDisabled(), true);
      await deleting.getByLabel(`Type ${NEW} to confirm`).fill(NEW);
      await button.click();
      await row(page, NEW).waitFor({ state: 'detached' });
      assert.equal((await world.operator('GET', `/accounts/${NEW}`)).statusCode, 404);
    },
  );

  inBrowser(scene, 'says what goes with an account before it is deleted', async ({ open, world, shoot }) => {
    const page = await open(`/customers?search=${ACCOUNT}`);
    await page.getByRole('button', { name: `Delete ${ACCOUNT}` }).click();
    const deleting = dialog(page, `Delete account ${ACCOUNT}`);
    const devices = (await world.operator('GET', `/accounts/${ACCOUNT}/devices?limit=1000`)).json();
    const lines = devices.filter(({ kind }: { kind: string }) => kind !== 'sensor').length;
    await deleting.getByText(`${lines} lines, with usage, bills, requests, positions`).waitFor();
    await deleting.getByText(/^The access of .*demo-user.* to it$/).waitFor();
    await shoot(page, 'customers-delete');
    await deleting.getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await world.operator('GET', `/accounts/${ACCOUNT}`)).statusCode, 200);
  });

  inBrowser(scene, 'overwrites no account that has the name already', async ({ open, world }) => {
    const before = (await world.operator('GET', `/accounts/${ACCOUNT}`)).json();
    const page = await open('/customers');
    await page.getByRole('button', { name: 'New account' }).click();
    const making = dialog(page, 'New account');
    await making.getByLabel('Account', { exact: true }).fill(ACCOUNT);
    await making.getByLabel('Customer').fill(before.ecpdId);
    await making.getByLabel('Organization').fill('Somebody else');
    await making.getByRole('button', { name: 'Create' }).click();
    await making.getByText('An account with this name already exists.').waitFor();
    assert.deepEqual((await world.operator('GET', `/accounts/${ACCOUNT}`)).json(), before);
  });

  inBrowser(
    scene,
    'shows itself also after the account that was looked at last is deleted',
    async ({ open, world, url }) => {
      const gone = '0000900002-00001';
      const ecpdId = '9900002';
      await world.import({ profiles: [{ ecpdId }], accounts: [{ accountName: gone, ecpdId }] });
      const page = await open(`/accounts/${gone}/devices`);
      await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor();
      await page.goto(`${url}/customers?search=${gone}`);
      await page.getByRole('button', { name: `Delete ${gone}` }).click();
      const deleting = dialog(page, `Delete account ${gone}`);
      await deleting.getByLabel(`Type ${gone} to confirm`).fill(gone);
      await deleting.getByRole('button', { name: 'Delete permanently' }).click();
      await page.getByText('No account matches').waitFor();
      await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
    },
  );

  inBrowser(
    scene,
    'says what goes with a customer, deletes it by its name, and shows how far that is, also after it was closed',
    async ({ open, world, shoot }) => {
      const ecpdId = '9900003';
      const accounts = ['0000900003-00001', '0000900003-00002'].map((accountName) => ({
        accountName,
        ecpdId,
      }));
      await world.import({
        profiles: [{ ecpdId }],
        accounts,
        devices: [{ accountName: accounts[0]!.accountName, imei: '990000000900311' }],
      });
      const page = await open('/customers/all');
      const ask = () => page.getByRole('button', { name: `Delete customer ${ecpdId}` }).click();
      await ask();
      const deleting = dialog(page, `Delete customer ${ecpdId}`);
      await deleting.getByText('2 accounts', { exact: true }).waitFor();
      await deleting.getByText('1 device, with usage').waitFor();
      await shoot(page, 'customers-delete-all');
      const button = deleting.getByRole('button', { name: 'Delete permanently' });
      assert.equal(await button.isDisabled(), true);
      await deleting.getByLabel(`Type ${ecpdId} to confirm`).fill(ecpdId);
      await button.click();
      const going = dialog(page, `Customer ${ecpdId} is being deleted`);
      await going.getByText('2 accounts are left.').waitFor();
      await going.getByRole('button', { name: 'Close', exact: true }).last().click();
      await going.waitFor({ state: 'detached' });
      // Opening the dialog again shows the progress. In this test, jobs run only when `settle` is called.
      await ask();
      await going.getByText('2 accounts are left.').waitFor();
      await world.engine.settle();
      await page.getByText(`Customer ${ecpdId} deleted`).waitFor();
      await page
        .getByRole('table', { name: 'Customers' })
        .getByText(ecpdId, { exact: true })
        .waitFor({ state: 'detached' });
      assert.equal((await world.operator('GET', `/customers/${ecpdId}`)).statusCode, 404);
    },
  );

  inBrowser(
    scene,
    'sees the deletion of a customer to its end, also when the service is away meanwhile',
    async ({ open, world, url }) => {
      const ecpdId = '9900004';
      await world.import({
        profiles: [{ ecpdId }],
        accounts: [{ accountName: '0000900004-00001', ecpdId }],
      });
      const line = await openSwitchboard(url);
      const page = await open('/customers/all');
      await page.goto(`${line.url}/customers/all`);
      await page.getByRole('button', { name: `Delete customer ${ecpdId}` }).click();
      const deleting = dialog(page, `Delete customer ${ecpdId}`);
      await deleting.getByLabel(`Type ${ecpdId} to confirm`).fill(ecpdId);
      await deleting.getByRole('button', { name: 'Delete permanently' }).click();
      const going = dialog(page, `Customer ${ecpdId} is being deleted`);
      await going.getByText('1 account is left.').waitFor();
      await line.cut();
      await page.getByText('The service cannot be reached').waitFor();
      await going.getByText('1 account is left.').waitFor();
      await world.engine.settle();
      await line.join();
      await page.getByText(`Customer ${ecpdId} deleted`).waitFor();
      assert.equal((await world.operator('GET', `/customers/${ecpdId}`)).statusCode, 404);
    },
  );
});
