import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';

const scene = await openConsole();
const at = (page: string) => `/accounts/${ACCOUNT}/${page}`;
const ODD_LANGUAGE = `for (const [name, value] of [['language', 'en-US@posix'], ['languages', ['en-US@posix']]])
  Object.defineProperty(Navigator.prototype, name, { get: () => value, configurable: true });`;

describe('the console', () => {
  inBrowser(
    scene,
    'finds pages, devices, accounts and actions by Ctrl-K, and opens them by keyboard',
    async ({ open, world, shoot }) => {
      const page = await open(at('overview'));
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      const field = page.getByRole('combobox', { name: /^Find a page/ });
      const find = async (text: string) => {
        await page.keyboard.press('Control+k');
        await field.waitFor();
        await page.keyboard.type(text);
      };
      await find('billi');
      await page.getByRole('option', { name: /Billing/, selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Billing' }).waitFor();

      await find('Truck 101');
      await page.getByRole('option', { name: /Truck 101/, selected: true }).waitFor();
      await shoot(page, 'palette');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Truck 101' }).waitFor();

      await find('Depots');
      await page.getByRole('option', { name: /Larkmoor Depots/, selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Account 0000700001-00003' }).waitFor();

      const before = world.ctx.now().getTime();
      await find('advance the clock');
      await page.keyboard.press('ArrowDown');
      await page.getByRole('option', { name: /1 hour/, selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByText(/Clock advanced/).waitFor();
      assert.ok(world.ctx.now().getTime() - before >= 3_600_000);

      await find('nothing is called so');
      await page.getByText('Nothing found').waitFor();
      await page.keyboard.press('Escape');
      await field.waitFor({ state: 'detached' });
    },
  );

  inBrowser(scene, 'works in a browser whose language tag is none', async ({ open }) => {
    const page = await open('/');
    await page.addInitScript(ODD_LANGUAGE);
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    for (const [path, title] of [
      ['overview', 'Overview'],
      ['billing', 'Billing'],
      ['devices', 'Devices'],
    ] as const) {
      await page.goto(`${scene!.url}${at(path)}`);
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      if (path !== 'devices') await page.locator('canvas').first().waitFor();
    }
    assert.deepEqual(errors, []);
  });
});
