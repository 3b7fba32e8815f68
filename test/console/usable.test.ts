import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { ACCOUNT, inBrowser, openConsole, settled } from './support/scene.ts';

const scene = await openConsole();
const PAGES = [
  'overview',
  'devices',
  'map',
  'location-reports',
  'triggers',
  'triggers/usage',
  'triggers/firings',
  'records',
  'alerts',
  'callbacks',
  'billing',
  'managed-accounts',
];
const PATHS = [
  ...PAGES.map((name) => `/accounts/${ACCOUNT}/${name}`),
  '/customers',
  '/access/users',
  '/access/keys',
  '/plans/catalogue',
  '/network',
  '/work',
];
/** The Core Web Vitals call 0.1 good. The limit is above zero because of rounding by a few pixels. */
const SHIFT_MAX = 0.02;
const PHONE = { width: 390, height: 844 };

/** How far visible content has shifted, as browsers measure it. */
const SHIFT = `new Promise((resolve) => {
  let sum = 0;
  const add = (list) => { for (const entry of list.getEntries()) sum += entry.value; };
  new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(sum), 500);
})`;
const shiftOf = async (page: Page): Promise<number> => Number(await page.evaluate(SHIFT));

describe('every page', () => {
  inBrowser(scene, 'stays in its place while its data come', async ({ open }) => {
    for (const path of PATHS) {
      const page = await open(path);
      await settled(page);
      const shift = await shiftOf(page);
      assert.ok(shift <= SHIFT_MAX, `${path}: ${shift}`);
      await page.close();
    }
  });

  inBrowser(scene, 'fits on a phone, whose menu leads to the others', async ({ open }) => {
    const page = await open(`/accounts/${ACCOUNT}/overview`);
    await page.setViewportSize(PHONE);
    for (const name of [
      'Devices',
      'Map',
      'Location reports',
      'First steps',
      'Triggers',
      'Device records',
      'Smart alerts',
      'Billing',
      'Managed accounts',
      'Callbacks',
      'Sandbox',
      'Clock and pauses',
      'Audit log',
      'Customers',
      'Access',
      'Plans',
      'Network',
      'Work',
      'Overview',
    ]) {
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await settled(page);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      assert.ok(Number(width) <= PHONE.width, `${name} is ${width} wide`);
      // Hidden elements must not make a page longer than its visible content.
      const empty = await page.evaluate(
        'document.documentElement.scrollHeight - document.querySelector("main").getBoundingClientRect().bottom - scrollY',
      );
      assert.ok(Number(empty) <= 1, `${name} has ${empty} empty`);
    }
  });

  inBrowser(scene, 'has on a phone what can be done with a row in view', async ({ open }) => {
    const page = await open(`/accounts/${ACCOUNT}/overview`);
    await page.setViewportSize(PHONE);
    const callbacks = `/accounts/${ACCOUNT}/callbacks`;
    for (const name of [...PATHS.filter((one) => !one.endsWith('/map')), '/plans/groups', callbacks]) {
      await page.goto(`${scene!.url}${name}`);
      await page.getByRole('table').first().waitFor();
      await settled(page);
      const beyond = await page.evaluate(
        '[...document.querySelectorAll(".table-scroll")].map((box) => box.scrollWidth - box.clientWidth)',
      );
      assert.ok(Array.isArray(beyond) && beyond.length > 0, name);
      assert.deepEqual(
        beyond.filter((px) => px > 1),
        [],
        name,
      );
    }
    for (const name of ['Pause', 'Change', 'Remove']) {
      const box = await page.getByRole('button', { name, exact: true }).first().boundingBox();
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= PHONE.width, name);
    }
  });

  inBrowser(scene, 'can be used by keyboard alone, and shows where the focus is', async ({ open }) => {
    const page = await open(`/accounts/${ACCOUNT}/overview`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to content');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'main');
    await page.getByRole('button', { name: `Account ${ACCOUNT}` }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Find an account').waitFor();
    await page.keyboard.type('Depots');
    await page.getByRole('button', { name: /Larkmoor Depots/ }).waitFor();
    await page.locator('.option-list .option').nth(1).waitFor({ state: 'detached' });
    await page.keyboard.press('Tab');
    const ring = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    assert.equal(ring, 'solid');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Account 0000700001-00003' }).waitFor();
  });

  inBrowser(scene, 'has buttons that can be read under the pointer too', async ({ open }) => {
    const page = await open(`/accounts/${ACCOUNT}/triggers`);
    const button = page.getByRole('button', { name: 'New trigger' });
    await button.waitFor();
    const ground = () =>
      page.evaluate('getComputedStyle(document.querySelector(".button[data-kind=main]")).backgroundColor');
    const before = await ground();
    await button.hover();
    assert.equal(await ground(), before);
  });

  inBrowser(scene, 'remembers light or dark when it was chosen', async ({ open }) => {
    const page = await open(`/accounts/${ACCOUNT}/overview`);
    const scheme = () => page.evaluate('getComputedStyle(document.documentElement).colorScheme');
    await page.getByRole('button', { name: 'Use dark colours' }).click();
    assert.equal(await scheme(), 'dark');
    await page.reload();
    await page.getByRole('button', { name: 'Use light colours' }).click();
    assert.equal(await scheme(), 'light');
  });
});
