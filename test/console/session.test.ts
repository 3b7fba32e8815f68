import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { OPERATOR_KEY } from '../support/world.ts';
import { ACCOUNT, inBrowser, openConsole, USER } from './support/scene.ts';

const scene = await openConsole();
const FOREIGN = '0000800001-00001';

async function signInAsOperator(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Operator' }).click();
  await page.getByLabel('Operator key').fill(OPERATOR_KEY);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function signInAsUser(page: Page): Promise<void> {
  await page.getByLabel('Username').fill(USER.username);
  await page.getByLabel('Password').fill(USER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Signed in as/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
}

describe('a session', () => {
  inBrowser(
    scene,
    'leaves nothing of it to the next one at the same browser, however it ended',
    async ({ openAlone, url }) => {
      const page = await openAlone(`/accounts/${FOREIGN}/overview`);
      await signInAsOperator(page);
      await page.getByRole('button', { name: `Account ${FOREIGN}` }).waitFor();
      await signOut(page);
      await signInAsUser(page);
      await page.getByRole('button', { name: `Account ${ACCOUNT}` }).waitFor();
      await signOut(page);

      await page.getByLabel('Username').waitFor();
      await page.goto(`${url}/accounts/${FOREIGN}/callbacks`);
      await signInAsOperator(page);
      await page.getByRole('heading', { name: 'Callbacks' }).waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
      // As if from another tab: this one learns it from the end of its stream.
      await page.request.post(`${url}/api/console/v1/sign-out`, { headers: { 'x-requested-by': 'console' } });
      await page.getByLabel('Username').waitFor();
      assert.equal(await page.getByText(FOREIGN).count(), 0);
      await signInAsUser(page);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await page.getByRole('button', { name: `Account ${ACCOUNT}` }).waitFor();
      await page.close();
    },
  );

  inBrowser(scene, 'that could not be ended is not said to be', async ({ openAlone }) => {
    const page = await openAlone('/');
    await signInAsUser(page);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.route('**/sign-out', (route) => route.abort());
    await signOut(page);
    await page.getByText('You are still signed in.').waitFor();
    await page.unroute('**/sign-out');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Username').waitFor();
    await page.close();
  });
});
