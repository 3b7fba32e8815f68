import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';

const scene = await openConsole();
const at = (page: string) => `/accounts/${ACCOUNT}/${page}`;
const NARROW = { width: 1_280, height: 800 };

/** Records each text that a chart draws: its position, its width and the width of the chart. */
const NOTE_LABELS = `(() => {
  window.labels = [];
  const fill = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...rest) {
    const { a, e, f } = this.getTransform();
    window.labels.push({ chart: this.canvas.getBoundingClientRect().left + ' ' + this.canvas.getBoundingClientRect().top,
      text, x: a * x + e, y: y + f, align: this.textAlign, width: this.measureText(text).width, of: this.canvas.width });
    return fill.call(this, text, x, y, ...rest);
  };
})()`;

interface Label {
  readonly chart: string;
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly align: string;
  readonly width: number;
  readonly of: number;
}

const spanOf = ({ x, width, align }: Label): readonly [number, number] =>
  align === 'center' ? [x - width / 2, x + width / 2] : align === 'left' ? [x, x + width] : [x - width, x];

/** Texts that end outside their chart, or begin before the text to their left ends. */
function wrongOf(labels: readonly Label[]): readonly string[] {
  const cut = labels.filter((label) => spanOf(label)[0] < 0 || spanOf(label)[1] > label.of);
  const rows = Map.groupBy(labels, ({ chart, y, align }) => `${chart} ${y} ${align}`).values();
  const over = [...rows].flatMap((row) => {
    const known = new Map(row.map((label) => [`${label.text} ${label.x}`, label]));
    const sorted = [...known.values()].sort((a, b) => a.x - b.x);
    return sorted.filter((label, n) => n > 0 && spanOf(sorted[n - 1]!)[1] > spanOf(label)[0]);
  });
  return [...cut, ...over].map(({ text }) => text);
}

const numberOf = (text: string | null): number => Number(/[\d,]+/.exec(text ?? '')![0].replaceAll(',', ''));

/** Opens a link whose text has a number, and returns that number and the number of rows in the list. */
async function follow(page: Page, name: RegExp | string): Promise<readonly [number, number]> {
  await page.goto(`${scene!.url}${at('overview')}`);
  const link = page.getByRole('main').getByRole('link', { name }).first();
  await link.waitFor();
  const said = numberOf(await link.textContent());
  await link.click();
  await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor();
  const counted = page.getByText(/^[\d,]+ devices? match/).first();
  await counted.waitFor();
  return [said, numberOf(await counted.textContent())];
}

describe('figures of the overview', () => {
  inBrowser(scene, 'lead to the lists that they count', async ({ open }) => {
    const page = await open(at('overview'));
    for (const name of [/^Devices: \d/, /^\d+ active$/, /^\d+ lines$/]) {
      const [said, listed] = await follow(page, name);
      assert.ok(said > 0);
      assert.equal(listed, said, String(name));
    }
  });

  inBrowser(scene, 'lead to the firings that they count, in the same period', async ({ open, shoot }) => {
    const page = await open(at('overview?days=30'));
    const link = page.getByRole('main').getByRole('link', { name: /^Firings, 30 days: \d/ });
    const said = numberOf((await link.getAttribute('aria-label'))!.replace(/^.*: /, ''));
    assert.ok(said > 0);
    await link.click();
    await page.waitForURL(/\/triggers\/firings\?days=30$/);
    const list = page.getByRole('table', { name: 'Firings of the period' });
    await list.locator('tbody .row-link').first().waitFor();
    // Scrolls to the end of the list, however many pages it has.
    while ((await list.getAttribute('aria-rowcount')) === '-1') {
      await list.locator('tbody').hover();
      await page.mouse.wheel(0, 100_000);
      await page.waitForTimeout(100);
    }
    assert.equal(Number(await list.getAttribute('aria-rowcount')) - 1, said);
    await shoot(page, 'firings');
  });

  inBrowser(
    scene,
    'are of the period that was chosen, which stands in the address',
    async ({ open, shoot }) => {
      const page = await open(at('overview'));
      await page.getByLabel('Period of the charts').selectOption('7');
      await page.getByText('Firings, 7 days').waitFor();
      await page.getByText(/% (more|less) than before/).waitFor();
      await page.reload();
      await page.getByText('Firings, 7 days').waitFor();
      assert.equal(await page.getByLabel('Period of the charts').inputValue(), '7');
      await shoot(page, 'overview-week');
    },
  );

  inBrowser(scene, 'can be looked at closer, and as a whole again', async ({ open }) => {
    const page = await open(at('overview'));
    const chart = page.locator('.u-over').first();
    await chart.waitFor();
    const box = (await chart.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 20, box.y + 60, { steps: 5 });
    await page.mouse.up();
    await page.getByRole('button', { name: 'Reset zoom' }).click();
    await page.getByRole('button', { name: 'Reset zoom' }).waitFor({ state: 'detached' });
  });

  inBrowser(
    scene,
    'have labels that are whole and apart, on every chart and for every period',
    async ({ open }) => {
      const page = await open('/');
      await page.setViewportSize(NARROW);
      await page.addInitScript(NOTE_LABELS);
      for (const path of ['overview?days=7', 'overview', 'overview?days=365', 'billing']) {
        await page.goto(`${scene!.url}${at(path)}`);
        // The page's content security policy forbids waiting inside the page.
        while (Number(await page.evaluate('window.labels.length')) < 10) await page.waitForTimeout(200);
        await page.waitForLoadState('networkidle').catch(() => {});
        const labels = (await page.evaluate('window.labels')) as Label[];
        assert.deepEqual(wrongOf(labels), [], path);
      }
    },
  );

  inBrowser(scene, 'name the currency of the account', async ({ open, world }) => {
    await world.import({ accounts: [{ accountName: ACCOUNT, currency: 'EUR' }] });
    const page = await open(at('billing'));
    await page
      .getByText(/^EUR\s[\d,.]+$/)
      .first()
      .waitFor();
    assert.equal(await page.getByText('USD').count(), 0);
  });
});
