import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';

const scene = await openConsole();
const at = (page: string) => `/accounts/${ACCOUNT}/${page}`;
/** The service sends a heartbeat every fourteen seconds. */
const BEATS_MS = 120_000;

describe('a page', () => {
  inBrowser(scene, 'that could not be loaded is loaded again when somebody asks for it', async ({ open }) => {
    const page = await open(at('overview'), 'user');
    await page.route('**/assets/Devices-*.js', (route) => route.abort());
    await page.getByRole('link', { name: 'Devices', exact: true }).click();
    await page.getByText('This page failed').waitFor();
    await page.unroute('**/assets/Devices-*.js');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Devices' }).waitFor();
  });

  inBrowser(
    scene,
    'keeps what it shows when it cannot be read again, and says so',
    async ({ open, world }) => {
      const page = await open(at('callbacks'), 'user');
      await page.getByText('Live', { exact: true }).waitFor();
      const post = (requestId: string) => {
        world.pass(1_000);
        const event = { accountName: ACCOUNT, serviceName: 'CarrierService', payload: {} };
        return world.operator('POST', '/events', { ...event, requestId });
      };
      await post('read-once');
      const log = page.getByRole('table', { name: 'Callbacks' });
      await log.getByText('read-once').waitFor();
      const deliveries = '**/m2m/v1/callbacks/*/log*';
      await page.route(deliveries, (route) => route.fulfill({ status: 500, body: '{"title":"Broken"}' }));
      await post('not-read');
      await page.getByText('It could not be refreshed. Broken').waitFor({ timeout: BEATS_MS });
      assert.equal(await log.getByText('read-once').count(), 1);
      await page.unroute(deliveries);
      await page.getByRole('button', { name: 'Try again' }).click();
      await log.getByText('not-read').waitFor();
      await page.getByText('It could not be refreshed.').waitFor({ state: 'detached' });
    },
  );

  inBrowser(
    scene,
    'takes the time from the service, also when it has missed that another moved it',
    async ({ open, world }) => {
      const page = await open(at('overview'), 'user');
      await page.getByText('Live', { exact: true }).waitFor();
      // The stream also reports that the clock moved. A page that missed this learns it from the next heartbeat.
      await page.route('**/console/v1/session', (route) => route.abort());
      await world.operator('POST', '/clock', { advance: 'P40D' });
      const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
      await page.getByRole('banner').getByText(day.format(world.ctx.now())).waitFor({ timeout: BEATS_MS });
    },
  );

  inBrowser(
    scene,
    'says that the service is away, and goes on showing what it has',
    async ({ open, world }) => {
      const page = await open(at('devices'), 'user');
      await page.getByText('Live', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Truck 101', exact: true }).waitFor();
      await world.api.close();
      await page
        .getByText(/^The service cannot be reached. You see the data as of .* UTC$/)
        .waitFor({ timeout: BEATS_MS });
      assert.equal(await page.getByRole('link', { name: 'Truck 101', exact: true }).count(), 1);
      await page.setViewportSize({ width: 390, height: 844 });
      // Text that does not fit on a phone is still announced.
      const dot = page.getByRole('status').filter({ hasText: 'Not live' });
      assert.match(await dot.ariaSnapshot(), /Not live/);
    },
  );
});
