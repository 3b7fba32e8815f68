import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ACCOUNT, inBrowser, openMainConsole, USER } from './support/scene.ts';

const scene = await openMainConsole();

describe('the console', () => {
  inBrowser(
    scene,
    'lets a user sign in, refuses a wrong password aloud, and opens the home account',
    async ({ openAlone, shoot }) => {
      const page = await openAlone('/');
      await page.getByLabel('Username').fill(USER.username);
      await page.getByLabel('Password').fill('wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').getByText('Wrong username or password').waitFor();
      await shoot(page, 'sign-in');
      await page.getByLabel('Password').fill(USER.password);
      await page.getByLabel('Password').press('Enter');
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      assert.equal(new URL(page.url()).pathname, `/accounts/${ACCOUNT}/overview`);
      await page.getByRole('button', { name: /Signed in as/ }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('Username').waitFor();
      await page.close();
    },
  );

  inBrowser(
    scene,
    'shows usage against allowance, and leads to another account of the list',
    async ({ open, shoot }) => {
      const page = await open(`/accounts/${ACCOUNT}/overview`);
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      await page
        .getByText(/% of .* GB/)
        .first()
        .waitFor();
      await page.getByRole('table', { name: 'Usage of the accounts' }).getByText('Pellmere Water').waitFor();
      await page.locator('canvas').first().waitFor();
      await shoot(page, 'overview');
      await page.getByRole('link', { name: '0000800001-00001' }).click();
      await page.getByRole('button', { name: 'Account 0000800001-00001' }).waitFor();
      assert.deepEqual(errors, []);
    },
  );

  inBrowser(scene, 'shows a user only the own accounts', async ({ open }) => {
    const page = await open('/', 'user');
    const table = page.getByRole('table', { name: 'Usage of the accounts' });
    await table.getByText('Larkmoor Depots').waitFor();
    assert.equal(await table.getByText('Pellmere Water').count(), 0);
  });
});
