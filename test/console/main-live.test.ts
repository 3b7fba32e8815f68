import { describe } from 'node:test';
import { ACCOUNT, inBrowser, openMainConsole } from './support/scene.ts';

const scene = await openMainConsole();
const at = (page: string) => `/accounts/${ACCOUNT}/${page}`;

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
    // The browser reconnects on its own.
    await page.unroute('**/events');
    await page.getByText('seen-early').waitFor();
  });
});
