import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { ACCOUNT, inBrowser, openConsole, USER } from './support/scene.ts';
import { openSwitchboard } from './support/switchboard.ts';

const scene = await openConsole();
const at = (page: string) => `/accounts/${ACCOUNT}/${page}`;
const FOREIGN = '0000800001-00001';

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Username').fill(USER.username);
  await page.getByLabel('Password').fill(USER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe('the console', () => {
  inBrowser(
    scene,
    'says that the service is gone, and goes on by itself when it is back',
    async ({ open, url }) => {
      const service = await openSwitchboard(url);
      const page = await open('/', 'user');
      await page.goto(`${service.url}${at('billing')}`);
      await page.getByText('All countries').first().waitFor();
      await page.getByRole('link', { name: 'Device records' }).click();
      await page.getByRole('heading', { name: 'Device records' }).waitFor();
      await service.cut();
      await page.getByText(/^The service cannot be reached. You see the data as of .* UTC$/).waitFor();
      await page.getByText('The page continues').waitFor();
      // The page's file was never loaded, so the page can only appear when the service is back.
      await page.getByRole('link', { name: 'Smart alerts' }).click();
      await page.getByText('This page failed').waitFor();
      await service.join();
      // The page recovers without any click.
      await page.getByRole('heading', { name: 'Smart alerts' }).waitFor();
      await page.getByText(/^The service cannot be reached/).waitFor({ state: 'detached' });
      await page.getByText('Live', { exact: true }).waitFor();
    },
  );

  inBrowser(scene, 'comes up when the service does, without being asked', async ({ open }) => {
    const page = await open(at('overview'), 'user');
    await page.route('**/console/v1/**', (route) => route.abort());
    await page.reload();
    await page.getByText('The service cannot be reached.').waitFor();
    await page.unroute('**/console/v1/**');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  inBrowser(
    scene,
    'lets who was signed out sign in again, and go on at the same page',
    async ({ openAlone, url }) => {
      const page = await openAlone(at('billing?x=1'));
      await signIn(page);
      await page.getByRole('heading', { name: 'Billing' }).waitFor();
      await page.request.post(`${url}/api/console/v1/sign-out`, { headers: { 'x-requested-by': 'console' } });
      await page.getByText('Your session has ended. Sign in to continue where you left off.').waitFor();
      await signIn(page);
      await page.getByRole('heading', { name: 'Billing' }).waitFor();
      assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, at('billing?x=1'));
      await page.close();
    },
  );

  inBrowser(scene, 'says whose an account is not, and leads to an own one', async ({ open }) => {
    const page = await open(`/accounts/${FOREIGN}/billing`, 'user');
    await page.getByText('You have no access to this account').waitFor();
    await page.getByRole('link', { name: `Go to ${ACCOUNT}` }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto(`${scene!.url}/accounts/9-9/overview`);
    await page.getByText('You have no access to this account').waitFor();
  });

  inBrowser(
    scene,
    'has a way on from what is not there, and shows nobody a pattern',
    async ({ open, shoot }) => {
      const page = await open(at('devices/no-such-device'), 'user');
      await page.getByText('Not found').waitFor();
      assert.equal(await page.getByText('[0-9a-f]').count(), 0);
      await shoot(page, 'not-found');
      // The page's cards may get their responses first and briefly show the same link.
      await page.getByRole('link', { name: 'Go to the list' }).first().click();
      await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor();
      await page.goto(`${scene!.url}/nowhere`);
      await page.getByText('Page not found').waitFor();
      await page.getByRole('main').getByRole('link', { name: 'Go to the overview' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
    },
  );

  inBrowser(scene, 'leads through the first steps, and knows which are done', async ({ open, shoot }) => {
    const page = await open(at('first-steps'));
    await page.getByText(/^[1-4] of 4 done$/).waitFor();
    const step = (title: string) => page.getByRole('region', { name: title });
    await step('1. Register a listener').getByText('Done').waitFor();
    await step('4. Advance the clock').getByText('advance', { exact: false }).first().waitFor();
    await shoot(page, 'first-steps');
    await step('2. Locate a device').getByRole('link', { name: 'create a location report' }).click();
    await page.getByRole('heading', { name: 'Location reports' }).waitFor();
  });
});

const empty = await openConsole({ LINEKEEPER_DEMO: 'off' });

describe('an empty service', () => {
  inBrowser(empty, 'says what to do first', async ({ open, world, shoot }) => {
    await world.operator('POST', '/clock', { reset: true });
    const page = await open('/');
    await page.getByRole('heading', { name: 'No accounts yet' }).waitFor();
    await page.getByText('npx linekeeper import fleet.json').waitFor();
    await shoot(page, 'welcome');
    const fleet = JSON.parse((await page.locator('pre').textContent())!);
    await world.import(fleet);
    await page.getByRole('button', { name: 'I have imported it' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
});
