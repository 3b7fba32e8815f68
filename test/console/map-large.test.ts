import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { drawn } from './support/map.ts';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';

/** More than the page reads while the map opens. */
const DEVICES = 2_100;
const scene = await openConsole();
if (scene !== undefined) {
  const imei = (n: number) => String(990_000_300_000_000 + n);
  const numbers = Array.from({ length: DEVICES }, (_, n) => n);
  const devices = numbers.map((n) => ({ accountName: ACCOUNT, imei: imei(n), servicePlan: 'LK-PAYG-5MB' }));
  await scene.world.import({ devices });
  const at = scene.world.ctx.now();
  const lines = numbers.map((n) => ({
    ...{ kind: 'imei', device: imei(n), at, accuracy: 'precise', radius: 50 },
    ...{ lat: 30 + (n % 50) / 4, lon: -115 + Math.floor(n / 50) },
  }));
  const answer = await scene.world.operator(
    'POST',
    '/positions',
    lines.map((line) => JSON.stringify(line)).join('\n'),
  );
  assert.deepEqual(answer.json().rejected, []);
}

describe('the map of a large fleet', () => {
  inBrowser(scene, 'shows all of it before there is a map, and then the map in its place', async (its) => {
    const page = await its.open(`/accounts/${ACCOUNT}/overview`, 'user');
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route(/\/maplibre-gl-[^/]*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Map', exact: true }).click();
    await page.locator(`[data-shown="${DEVICES}"]`).waitFor();
    await its.shoot(page, 'map-first-sight');
    letGo();
    await page.locator(`[data-drawn="${DEVICES}"]`).waitFor();
    await page.locator('[data-shown]').waitFor({ state: 'detached' });
  });

  inBrowser(
    scene,
    'shows all from afar before each of them is read, and then lets select them',
    async (its) => {
      const page = await its.open(`/accounts/${ACCOUNT}/overview`, 'user');
      let letGo = () => {};
      const held = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      await page.route(/\/positions(\?|$)/, async (route) => {
        await held;
        await route.continue();
      });
      await page.getByRole('link', { name: 'Map', exact: true }).click();
      await page.locator(`[data-drawn="${DEVICES}"]`).waitFor();
      await page.getByText('2,100 devices located; loading their positions…').waitFor();
      assert.ok(await page.getByRole('button', { name: 'Select in view' }).isDisabled());
      const map = await drawn(page);
      await map.focus();
      await page.keyboard.press('+');
      await its.shoot(page, 'map-afar');
      letGo();
      await page.getByText(/2,100 devices located, [\d,]+ in view/).waitFor();
      await page.getByRole('button', { name: 'Show all' }).click();
      await page.getByText('2,100 devices located, 2,100 in view').waitFor();
      await page.getByRole('button', { name: 'Select in view' }).click();
      await page.getByText('2,100 devices selected').waitFor();
    },
  );
});
