import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { createClient } from '../../clients/sdk/index.ts';
import { ACCOUNT, inBrowser, openConsole, USER } from './support/scene.ts';

const scene = await openConsole();
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
      const imei = (await table.getByRole('row').nth(3).getByRole('cell').nth(2).textContent())!;
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
      await page.getByRole('heading', { name: 'Consent to being located' }).waitFor();
      const [, deviceId] = /devices\/([0-9a-f-]{36})/.exec(page.url())!;
      const found = await page.request.get(`${url}/api/console/v1${at(`devices/${deviceId}`)}`);
      const deviceIds = (await found.json()).ids.filter((one: { kind: string }) => one.kind === 'imei');
      const demo = { clientId: 'demo-app', clientSecret: 'demo-app-secret', ...USER };
      const carrier = createClient({ baseUrl: `${url}/api`, ...demo });
      const body = { accountName: ACCOUNT, devices: [{ deviceIds }] };
      await carrier.call('POST /m2m/v1/devices/actions/suspend', { body });
      await page.getByText('Suspension asked for').waitFor();
      await world.engine.settle();
      await page.getByText('by demo-user, done').waitFor();
      await shoot(page, 'device');
    },
  );
});

describe('callbacks', () => {
  inBrowser(
    scene,
    'a test event is sent, its attempt shows body and answer, and what failed is sent again',
    async ({ open, shoot, listener, world }) => {
      const page = await open(at('callbacks'), 'user');
      const sendTest = async () => {
        await page.getByRole('button', { name: 'Send a test event' }).click();
        await page.getByLabel('Event', { exact: true }).selectOption({ index: 0 });
        await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
      };
      await sendTest();
      const log = page.getByRole('table', { name: 'Callbacks' });
      await log.getByText('Delivered').first().waitFor();
      await log.getByRole('row').nth(1).getByRole('button').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('answered 200').waitFor();
      await shoot(page, 'callback');
      await page.keyboard.press('Escape');

      listener.answer = 500;
      const heard = listener.heard.length;
      await sendTest();
      await listener.next(heard + 1);
      await log.getByText('Pending').first().waitFor();
      // The whole series of attempts, five minutes apart, is lived through.
      for (
        let minutes = 0;
        minutes < 10 * 12 * 5 && (await log.getByText('Failed').count()) === 0;
        minutes += 60
      ) {
        await world.operator('POST', '/clock', { advance: 'PT1H' });
        await page.waitForTimeout(300);
      }
      await log.getByText('Failed').first().waitFor();
      listener.answer = 200;
      await shoot(page, 'callbacks');
      await page.getByRole('button', { name: 'Re-send failed' }).click();
      await dialog.getByText('Every failed callback of the account').waitFor();
      await dialog.getByRole('button', { name: 'Re-send' }).click();
      await page.getByText('1 sent again').waitFor();
      await log.getByText('Failed').waitFor({ state: 'detached' });
    },
  );

  inBrowser(
    scene,
    'a listener is registered in a form, and refused in words where its address is not allowed',
    async ({ open, listener }) => {
      const page = await open(at('callbacks'), 'user');
      await page.getByRole('button', { name: 'Register a listener' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Service').selectOption('NiddService');
      await dialog.getByLabel('Address').fill('ftp://127.0.0.1/hook');
      await dialog.getByRole('button', { name: 'Register' }).click();
      await dialog.getByRole('alert').waitFor();
      await dialog.getByLabel('Address').fill(listener.url);
      await dialog.getByRole('button', { name: 'Register' }).click();
      await dialog.getByText(/^whsec_/).waitFor();
      await dialog.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('table', { name: 'Listeners' }).getByText('NiddService').waitFor();
    },
  );
});

describe('operation', () => {
  inBrowser(
    scene,
    'an operator moves the clock, and the audit log has it',
    async ({ open, shoot, world }) => {
      const page = await open('/operation');
      const before = world.ctx.now().getTime();
      await page.getByRole('button', { name: '1 hour' }).click();
      await page.getByText(/Time was moved/).waitFor();
      assert.ok(world.ctx.now().getTime() - before >= 3_600_000);
      await shoot(page, 'clock');
      await page.getByRole('button', { name: '1 month' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Pause them' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Pause them' }).click();
      await page.getByText('Paused', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Audit log' }).click();
      const audit = page.getByRole('table', { name: 'Audit log' });
      await audit.getByText('consoleMoveClock').first().waitFor();
      await shoot(page, 'audit');
      await audit.getByRole('row').nth(1).getByRole('button').click();
      await page.getByRole('dialog').getByText('first (operator)').waitFor();
    },
  );

  inBrowser(scene, 'a user is not offered it, and finds nothing there', async ({ open }) => {
    const page = await open('/operation', 'user');
    await page.getByText('There is no such page').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Audit log' }).count(), 0);
  });
});

describe('what changes', () => {
  inBrowser(scene, 'shows by itself, without a reload', async ({ open, world }) => {
    const page = await open(at('callbacks'), 'user');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('table', { name: 'Callbacks' }).waitFor();
    const requestId = 'seen-live';
    await world.operator('POST', '/events', {
      accountName: ACCOUNT,
      serviceName: 'CarrierService',
      requestId,
      payload: { hello: 'browser' },
    });
    await page.getByText(requestId).waitFor();
  });

  inBrowser(scene, 'shows also when it came before the page could be told', async ({ open, world }) => {
    const page = await open(at('devices'), 'user');
    await page.route('**/events', (route) => route.abort());
    await page.goto(page.url().replace('devices', 'callbacks'));
    await page.getByRole('table', { name: 'Callbacks' }).getByText('seen-live').waitFor();
    const event = { accountName: ACCOUNT, serviceName: 'CarrierService', payload: { hello: 'again' } };
    await world.operator('POST', '/events', { ...event, requestId: 'seen-early' });
    // The browser tries again by itself.
    await page.unroute('**/events');
    await page.getByText('seen-early').waitFor();
  });
});
