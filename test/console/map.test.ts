import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { demoFleet } from '../../demo/fleet.ts';
import { START } from '../support/world.ts';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';

const scene = await openConsole();
const at = (page: string, account = ACCOUNT) => `/accounts/${account}/${page}`;
const DEPOTS = '0000700001-00003';

interface Placed {
  readonly accountName: string;
  readonly imei: string;
  readonly simulation: { readonly position: { lat: number; lon: number; radius?: number } };
}
const isPlaced = (device: object): device is Placed => {
  const { imei, simulation } = device as { imei?: string; simulation?: { position?: object } };
  return imei !== undefined && simulation?.position !== undefined;
};
const placed = (demoFleet(START).devices as readonly object[]).filter(isPlaced);

async function feed(devices: readonly Placed[], minutesAgo: number): Promise<void> {
  const lines = devices.map(({ imei, simulation: { position } }, n) => ({
    kind: 'imei',
    device: imei,
    at: new Date(scene!.world.ctx.now().getTime() - (minutesAgo + (n % 60)) * 60_000),
    ...position,
    accuracy: 'precise',
  }));
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const answer = await scene!.world.operator('POST', '/positions', body);
  assert.deepEqual(answer.json().rejected, []);
}
const ofAccount = (account: string) => placed.filter(({ accountName }) => accountName === account);

describe('the map', () => {
  inBrowser(scene, 'shows where devices are in clusters, and opens them by mouse and keys', async (its) => {
    await feed(ofAccount(ACCOUNT).slice(1), 10);
    const page = await its.open(at('map'), 'user');
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    const outside: string[] = [];
    page.on('request', (request) => !request.url().startsWith(its.url) && outside.push(request.url()));
    await page.getByText(/\d+ devices located/).waitFor();
    const table = page.getByRole('table', { name: 'Devices in view' });
    await table.getByRole('link').first().waitFor();
    await page.waitForTimeout(500);
    await its.shoot(page, 'map');
    const map = page.getByRole('application');
    await map.focus();
    for (const key of ['+', '+', '+', 'ArrowLeft', '-']) await page.keyboard.press(key);
    await page.waitForTimeout(500);
    await page.keyboard.press('0');
    await table.getByRole('link').first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Identity' }).waitFor();
    assert.deepEqual([errors, outside], [[], []]);
  });

  inBrowser(scene, 'leads to a device by a click on it, and to what comes without a reload', async (its) => {
    const [device, other] = ofAccount(DEPOTS);
    await feed([device!], 30);
    const page = await its.open(at('map', DEPOTS));
    await page.getByText('1 device located').waitFor();
    await page.getByRole('table', { name: 'Devices in view' }).getByRole('link').first().waitFor();
    await page.getByRole('application').click();
    await page.getByRole('heading', { name: 'Identity' }).waitFor();
    await page.goBack();
    await page.getByText('1 device located').waitFor();
    its.world.pass(60_000);
    await feed([other!], 0);
    await page.getByText('2 devices located').waitFor();
    await page.waitForTimeout(500);
    await its.shoot(page, 'map-near');
  });

  inBrowser(
    scene,
    'is moved by one finger and zoomed by two, and the page stays where it is',
    async (its) => {
      const page = await its.open(at('map'), 'user');
      const note = page.getByText(/ in view$/);
      await note.waitFor();
      const located = (await page.getByText(/\d+ devices located/).textContent())!;
      const all = Number(/(\d+) devices located/.exec(located)![1]);
      const inView = async () =>
        Number(/([\d,]+) in view/.exec((await note.textContent())!)![1]!.replace(',', ''));
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true });
      const box = (await page.getByRole('application').boundingBox())!;
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
      await until((count) => count === all);
      await touch('touchEnd');
      assert.deepEqual(await page.evaluate('[visualViewport.scale, scrollX, scrollY]'), [1, 0, 0]);
      assert.match(page.url(), /\/map$/, 'lifting fingers is no click');
    },
  );
});
