import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { basic } from '../support/fleet.ts';
import { ACCOUNT, type ConsoleScene, inBrowser, openConsole } from './support/scene.ts';

const scene = await openConsole();
const rowOf = (page: Page, table: string, name: string): Locator =>
  page.getByRole('table', { name: table, exact: true }).getByRole('row').filter({ hasText: name });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

/** Reads the secret that a dialog shows once, then closes the dialog. */
async function takeSecret(shown: Locator): Promise<string> {
  const secret = (await shown.locator('pre').textContent())!;
  await shown.getByRole('button', { name: 'Done' }).click();
  return secret;
}
const tokenStatus = async ({ world }: ConsoleScene, clientId: string, clientSecret: string) =>
  (
    await world.api.inject({
      method: 'POST',
      url: '/api/ts/v1/oauth2/token',
      headers: {
        authorization: basic({ clientId, clientSecret }),
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: 'grant_type=client_credentials',
    })
  ).statusCode;
const signInStatus = async ({ world }: ConsoleScene, body: object) =>
  (
    await world.api.inject({
      method: 'POST',
      url: '/api/console/v1/sign-in',
      headers: { 'x-requested-by': 'console', 'sec-fetch-site': 'same-origin' },
      payload: body,
    })
  ).statusCode;

describe('the page of access', () => {
  inBrowser(
    scene,
    'makes an application whose secret is shown once, gives it another, and disables it',
    async (its) => {
      const page = await its.open('/access/applications');
      await page.getByRole('button', { name: 'New application' }).click();
      const making = dialog(page, 'New application');
      await making.getByLabel('Name').fill('meter-app');
      await making.getByRole('button', { name: 'Create' }).click();
      const shown = dialog(page, 'The secret of meter-app');
      await its.shoot(page, 'access-secret');
      const first = await takeSecret(shown);
      assert.equal(await tokenStatus(its, 'meter-app', first), 200);
      await shown.waitFor({ state: 'detached' });
      assert.equal(await page.getByText(first).count(), 0);

      await page.getByRole('button', { name: 'New secret of meter-app' }).click();
      const asking = dialog(page, 'New secret for meter-app?');
      await asking.getByLabel(/has leaked/).check();
      await asking.getByRole('button', { name: 'Create a new secret' }).click();
      const second = await takeSecret(dialog(page, 'The secret of meter-app'));
      assert.equal(await tokenStatus(its, 'meter-app', first), 401);
      assert.equal(await tokenStatus(its, 'meter-app', second), 200);

      await page.getByRole('button', { name: 'Disable meter-app' }).click();
      await dialog(page, 'Disable meter-app?').getByRole('button', { name: 'Disable' }).click();
      await rowOf(page, 'Applications', 'meter-app').getByText('Disabled', { exact: true }).waitFor();
      assert.equal(await tokenStatus(its, 'meter-app', second), 401);
      await page.getByRole('button', { name: 'Enable meter-app' }).click();
      await rowOf(page, 'Applications', 'meter-app').getByText('May request tokens').waitFor();
      assert.equal(await tokenStatus(its, 'meter-app', second), 200);
      await its.shoot(page, 'access-applications');
    },
  );

  inBrowser(scene, 'makes a user who can sign in, gives accounts, and disables it', async (its) => {
    const username = 'newcomer <img src=x onerror="document.title=1">';
    const page = await its.open('/access');
    await page.getByRole('button', { name: 'New user' }).click();
    const making = dialog(page, 'New user');
    await making.getByLabel('Name').fill(username);
    await making.getByLabel('Accounts').fill('9-9-9');
    await making.getByRole('button', { name: 'Create' }).click();
    await making.getByRole('alert').filter({ hasText: 'Nothing was saved' }).waitFor();
    await making.getByLabel('Accounts').fill(ACCOUNT);
    await making.getByRole('button', { name: 'Create' }).click();
    const password = await takeSecret(dialog(page, `${username} may sign in`));
    assert.equal(await signInStatus(its, { username, password }), 200);
    const row = rowOf(page, 'Users', username);
    await row.getByText(ACCOUNT).waitFor();
    await its.shoot(page, 'access-users');

    await row.getByRole('button', { name: username }).click();
    await dialog(page, `User ${username}`).getByRole('button', { name: 'New password' }).click();
    await dialog(page, `New password for ${username}?`)
      .getByRole('button', { name: 'Create a new password' })
      .click();
    const other = await takeSecret(dialog(page, `The new password of ${username}`));
    assert.equal(await signInStatus(its, { username, password: other }), 200);

    await row.getByRole('button', { name: username }).click();
    await dialog(page, `User ${username}`).getByRole('button', { name: 'Disable' }).click();
    await dialog(page, `Disable ${username}?`).getByRole('button', { name: 'Disable' }).click();
    await row.getByText('Disabled', { exact: true }).waitFor();
    assert.notEqual(await signInStatus(its, { username, password: other }), 200);
    assert.equal(await page.locator('img[src=x]').count(), 0);
  });

  inBrowser(scene, 'leaves a user and an application alone whose name is taken', async (its) => {
    const page = await its.open('/access');
    await page.getByRole('button', { name: 'New user' }).click();
    const making = dialog(page, 'New user');
    await making.getByLabel('Name').fill('demo-user');
    await making.getByRole('button', { name: 'Create' }).click();
    await making.getByText('A user with this name already exists.').waitFor();
    const [user] = (await its.world.operator('GET', '/users?search=demo-user')).json();
    assert.ok(user.accounts.length > 0);
    await its.open('/', 'user');
  });

  inBrowser(scene, 'makes an operator key with scopes, and ends it', async (its) => {
    const page = await its.open('/access/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    const making = dialog(page, 'New operator key');
    await making.getByLabel('Name').fill('billing-system');
    await making.getByLabel(/^Feed:/).check();
    await making.getByRole('button', { name: 'Create' }).click();
    const key = await takeSecret(dialog(page, 'The operator key billing-system'));
    const call = async (path: string) =>
      (await its.world.operator('GET', path, undefined, { authorization: `Bearer ${key}` })).statusCode;
    assert.deepEqual([await call('/accounts'), await call('/keys')], [200, 403]);
    const row = rowOf(page, 'Operator keys', 'billing-system');
    await row.getByText('read, feed').waitFor();
    await its.shoot(page, 'access-keys');
    await row.getByRole('button', { name: 'Delete billing-system' }).click();
    await dialog(page, 'Delete the key billing-system?').getByRole('button', { name: 'Delete key' }).click();
    await row.waitFor({ state: 'detached' });
    assert.equal(await call('/accounts'), 401);
  });

  inBrowser(scene, 'shows operator keys to nobody who may not make them', async (its) => {
    const page = await its.openAs(['read', 'users', 'fleet'], '/access/keys');
    await page.getByRole('tab', { name: 'Users' }).waitFor();
    assert.equal(await page.getByRole('tab', { name: 'Operator keys' }).count(), 0);
    await page.getByRole('button', { name: 'New user' }).waitFor();
  });
});
