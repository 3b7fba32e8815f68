import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { createClient } from '../../clients/sdk/index.ts';
import { ACCOUNT, inBrowser, openMainConsole, USER } from './support/scene.ts';

const scene = await openMainConsole();
const at = (page: string) => `/accounts/${ACCOUNT}/${page}`;

describe('devices', () => {
  inBrowser(
    scene,
    'are found by the beginning of any identifier, and shown with usage, consent, plans and what was asked for',
    async ({ open, shoot, world, url }) => {
      const page = await open(at('devices'), 'user');
      const table = page.getByRole('table', { name: 'Devices' });
      await table.getByRole('link', { name: 'Truck 101', exact: true }).waitFor();
      await shoot(page, 'devices');
      const imei = (await table.getByRole('row').nth(3).getByRole('cell').nth(3).textContent())!;
      await page.getByLabel('Search devices').fill(imei);
      await table.getByText(imei).waitFor();
      await table.getByRole('link', { name: 'Truck 101', exact: true }).waitFor({ state: 'detached' });
      await page.getByLabel('Search devices').fill('Dispatch');
      const link = table.getByRole('link', { name: /Dispatch tablet/ });
      await link.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: /Dispatch tablet/ }).waitFor();
      await page.getByRole('link', { name: '← All devices' }).click();
      assert.equal(await page.getByLabel('Search devices').inputValue(), 'Dispatch');
      await link.click();
      await page.getByRole('heading', { name: /Dispatch tablet/ }).waitFor();
      await page.goBack();
      await link.waitFor();
      assert.equal(await page.getByLabel('Search devices').inputValue(), 'Dispatch');
      await link.click();
      await page.getByText(/in 90 days/).waitFor();
      await page.getByText('LK-SHARE-5GB').first().waitFor();
      await page.getByRole('heading', { name: 'Location consent' }).waitFor();
      const [, deviceId] = /devices\/([0-9a-f-]{36})/.exec(page.url())!;
      const found = await page.request.get(`${url}/api/console/v1${at(`devices/${deviceId}`)}`);
      const deviceIds = (await found.json()).ids.filter((one: { kind: string }) => one.kind === 'imei');
      const demo = { clientId: 'demo-app', clientSecret: 'demo-app-secret', ...USER };
      const carrier = createClient({ baseUrl: `${url}/api`, ...demo });
      const body = { accountName: ACCOUNT, devices: [{ deviceIds }] };
      await carrier.call('POST /m2m/v1/devices/actions/suspend', { body });
      await page.getByText('Suspension requested').waitFor();
      await world.engine.settle();
      await page.getByText('by demo-user, done').waitFor();
      await shoot(page, 'device');
    },
  );
});
