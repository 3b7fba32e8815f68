import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { drawn, feedPositions, openMap, type Placed, placedOf } from './support/map.ts';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';

const scene = await openConsole();
const at = (page: string, account = ACCOUNT) => `/accounts/${account}/${page}`;
const DEPOTS = '0000700001-00003';
const UNREGISTERED = '0000800002-00001';
const HOSTILE = '<img src=x onerror="document.title=1"><b>Bold</b>';

const feed = (devices: readonly Placed[], minutesAgo: number, moved?: number) =>
  feedPositions(scene!.world, devices, minutesAgo, moved);

/** Records the page's errors and its requests to other hosts. */
function watch(page: Page, url: string): { readonly errors: string[]; readonly outside: string[] } {
  const watched = { errors: [] as string[], outside: [] as string[] };
  page.on('pageerror', (error) => watched.errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') watched.errors.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('blob:'))
      watched.outside.push(request.url());
  });
  return watched;
}

describe('the map', () => {
  inBrowser(scene, 'says what to do where no device was located yet', async (its) => {
    const page = await openMap(its, ACCOUNT, 'user');
    await page.getByText('No device of this account has been located yet').waitFor();
    await page.getByRole('button', { name: 'Locate devices' }).click();
    await page.getByRole('dialog', { name: 'New location report' }).waitFor();
  });

  inBrowser(scene, 'says so where the account is not registered for device location', async (its) => {
    const page = await openMap(its, UNREGISTERED);
    await page.getByText('This account is not registered for device location').waitFor();
  });

  inBrowser(
    scene,
    'is drawn from files of the service alone, and is moved and zoomed by keys',
    async (its) => {
      await feed(placedOf(ACCOUNT).slice(1), 10);
      const page = await openMap(its, ACCOUNT, 'user');
      const watched = watch(page, its.url);
      const map = await drawn(page);
      await page.getByText(/(\d+) devices located, \1 in view/).waitFor();
      await page.getByText('Natural Earth · US Census Bureau · GeoNames').waitFor();
      await page.locator('.maplibregl-ctrl-scale').waitFor();
      await its.shoot(page, 'map');
      await map.focus();
      assert.match((await map.getAttribute('aria-label'))!, /^Map of \d+ devices/);
      for (let n = 0; n < 3; n++) await page.keyboard.press('+');
      await page.getByText(/ 0 in view$/).waitFor();
      await page.keyboard.press('0');
      await page.getByText(/(\d+) devices located, \1 in view/).waitFor();
      await page.getByRole('table', { name: 'Devices in view' }).getByRole('link').first().focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Identity' }).waitFor();
      assert.deepEqual([watched.errors, watched.outside], [[], []]);
    },
  );

  inBrowser(scene, 'finds devices and places, and colours by state or by age', async (its) => {
    const page = await openMap(its, ACCOUNT, 'user');
    await drawn(page);
    const search = page.getByRole('searchbox', { name: 'Find a device or a place' });
    await search.fill('Truck 102');
    await page.getByRole('button', { name: 'Truck 102 Device' }).click();
    await page.getByRole('region', { name: 'Selected device' }).getByText('Truck 102').waitFor();
    await search.fill('anchorage');
    await page.getByRole('button', { name: 'Anchorage AK, US' }).click();
    await page.getByText(/ 0 in view$/).waitFor();
    await search.fill('no such thing at all');
    await page.getByText('No device or place has this name.').waitFor();
    await page.getByRole('combobox', { name: 'Colours' }).selectOption('age');
    await page.getByRole('list', { name: 'Legend' }).getByText('Within a week').waitFor();
  });

  inBrowser(scene, 'begins at the device that its own page leads from', async (its) => {
    const page = await its.open(at('devices?search=Truck 102'), 'user');
    await page.getByRole('link', { name: 'Truck 102', exact: true }).click();
    await page.getByRole('link', { name: 'Show on map' }).click();
    await drawn(page);
    await page.getByRole('region', { name: 'Selected device' }).getByText('Truck 102').waitFor();
    await page.getByText(/\d\d devices located, \d in view/).waitFor();
  });

  inBrowser(
    scene,
    'follows the device that was clicked, and shows what comes without a reload',
    async (its) => {
      const [device, other] = placedOf(DEPOTS);
      await feed([device!], 30);
      const page = await openMap(its, DEPOTS);
      const map = await drawn(page);
      await page.getByText('1 device located, 1 in view').waitFor();
      await map.click();
      const card = page.getByRole('region', { name: 'Selected device' });
      await card.getByRole('button', { name: 'Follow' }).click();
      await its.shoot(page, 'map-device');
      its.world.pass(60_000);
      await feed([device!], 0, 2);
      await page.getByText('1 device located, 1 in view').waitFor();
      await card.getByText(/^Located now|sec\. ago/).waitFor();
      await card.getByRole('button', { name: 'Stop following' }).click();
      its.world.pass(60_000);
      await feed([other!], 0);
      await page.getByText(/2 devices located/).waitFor();
      await card.getByRole('link', { name: 'Open device' }).click();
      await page.getByRole('heading', { name: 'Identity' }).waitFor();
    },
  );

  inBrowser(scene, 'plays where a device was, fix by fix', async (its) => {
    const [, , third] = placedOf(DEPOTS);
    for (const [minutes, moved] of [
      [90, 0],
      [60, 0.1],
      [30, 0.2],
    ] as const)
      await feed([third!], minutes, moved);
    const page = await openMap(its, DEPOTS);
    await drawn(page);
    await page.getByRole('searchbox').fill(third!.imei);
    await page.locator('.map-search .option').first().click();
    const card = page.getByRole('region', { name: 'Selected device' });
    await card.getByLabel('Track', { exact: true }).selectOption('1');
    await card.getByText('(3 of 3)').waitFor();
    await its.shoot(page, 'map-track');
    await card.getByRole('slider', { name: 'Time of the track' }).fill('0');
    await card.getByText('(1 of 3)').waitFor();
    await card.getByRole('button', { name: 'Play the track' }).click();
    await card.getByText('(3 of 3)').waitFor();
  });

  inBrowser(scene, 'selects what is in view or in a rectangle, and reports on it', async (its) => {
    const page = await openMap(its, ACCOUNT, 'user');
    const map = await drawn(page);
    await page.getByText(/(\d+) devices located, \1 in view/).waitFor();
    const located = Number(/^(\d+)/.exec((await page.getByText(/\d+ devices located/).textContent())!)![1]);
    await page.getByRole('button', { name: 'Select in view' }).click();
    await page.getByText(`${located} devices selected`).waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    const box = (await map.boundingBox())!;
    await page.keyboard.down('Shift');
    await page.mouse.move(box.x + 4, box.y + 4);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 4, box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    const bar = page.getByText(/^\d+ devices? selected$/);
    await bar.waitFor();
    const selected = Number(/^(\d+)/.exec((await bar.textContent())!)![1]);
    assert.ok(selected > 0 && selected < located, `${selected} of ${located}`);
    await page.getByRole('button', { name: 'Report on these' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Location report', exact: true }).waitFor();
    await page.getByText(new RegExp(`^${selected} devices?: `)).waitFor();
    await page.getByText(new RegExp(`^${selected} located, ${selected} in view$`)).waitFor();
    await its.shoot(page, 'report-map');
  });

  inBrowser(scene, 'shows a hostile name as the text that it is', async (its) => {
    const [device] = placedOf(ACCOUNT);
    await its.world.import({ devices: [{ ...device, record: { ...device!.record, name: HOSTILE } }] });
    await feed([device!], 0);
    const page = await openMap(its, ACCOUNT, 'user');
    await drawn(page);
    const row = page.getByRole('table', { name: 'Devices in view' }).getByRole('link', { name: HOSTILE });
    await row.waitFor();
    await page.getByRole('searchbox').fill(device!.imei);
    await page.getByRole('button', { name: HOSTILE }).click();
    await page.getByRole('region', { name: 'Selected device' }).getByText(HOSTILE).waitFor();
    assert.equal(await page.title(), 'Map · Linekeeper');
    assert.equal(await page.locator('img[src=x]').count(), 0);
  });

  inBrowser(
    scene,
    'says so where the browser cannot draw it, and lists devices all the same',
    async (its) => {
      const page = await its.openAlone('/');
      await page.addInitScript('HTMLCanvasElement.prototype.getContext = () => null;');
      await page.getByLabel('Username').fill('demo-user');
      await page.getByLabel('Password').fill('demo-user-password');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await page.goto(`${its.url}${at('map')}`);
      await page.getByText(/This browser cannot draw the map, because WebGL 2 is missing/).waitFor();
      await page.getByRole('table', { name: 'Devices in view' }).getByRole('link').first().waitFor();
      await page.close();
    },
  );

  inBrowser(
    scene,
    'is moved by one finger and zoomed by two, and the page stays where it is',
    async (its) => {
      const page = await openMap(its, ACCOUNT, 'user');
      const note = page.getByText(/\d in view$/);
      await note.waitFor();
      await drawn(page);
      const located = (await page.getByText(/\d+ devices located/).textContent())!;
      const all = Number(/(\d+) devices located/.exec(located)![1]);
      const inView = async () =>
        Number(/([\d,]+) in view/.exec((await note.textContent())!)![1]!.replace(',', ''));
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true });
      const box = (await page.locator('.map-canvas canvas').boundingBox())!;
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...fingers: [number, number][]) =>
        devtools.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: fingers.map(([dx, dy], id) => ({ x: x + dx, y: y + dy, id })),
        });
      const until = async (holds: (count: number) => boolean) => {
        for (let n = 0; n < 600 && !holds(await inView()); n++) await page.waitForTimeout(50);
        assert.ok(holds(await inView()), `${await inView()} of ${all} in view`);
      };

      await until((count) => count === all);
      await touch('touchStart', [0, 0]);
      for (let n = 1; n <= 20; n++) await touch('touchMove', [n * 20, 0]);
      await touch('touchEnd');
      await until((count) => count < all);
      await page.getByRole('button', { name: 'Show all' }).click();
      await until((count) => count === all);

      await touch('touchStart', [-20, 0], [20, 0]);
      for (let n = 1; n <= 20; n++) await touch('touchMove', [-20 - n * 10, 0], [20 + n * 10, 0]);
      await until((count) => count < all);
      for (let n = 20; n >= 0; n--) await touch('touchMove', [-20 - n * 10, 0], [20 + n * 10, 0]);
      await touch('touchEnd');
      await until((count) => count === all);
      assert.deepEqual(await page.evaluate('[visualViewport.scale, scrollX, scrollY]'), [1, 0, 0]);
      assert.match(page.url(), /\/map$/, 'lifting fingers is no click');
    },
  );
});
