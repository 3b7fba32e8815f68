import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { postCallbacks } from '../../src/features/callbacks/index.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { ACCOUNT, type ConsoleScene, inBrowser, openConsole } from './support/scene.ts';

const scene = await openConsole();
const SERVICE = 'CarrierService';
const pathOf = (more = '') => `/accounts/${ACCOUNT}/callbacks?listener=${SERVICE}${more}`;

const countTried = async ({ ctx }: ConsoleScene['world']): Promise<number> =>
  (
    await ctx.db.one<{ n: number }>(sql`
      select count(*)::int as n from callback_attempt join callback_message using (ecpd_id, message_id)
      where service_name = ${SERVICE}`)
  ).n;

/** The listener answers for eight quarters of an hour and fails for one. Each callback is tried once. */
async function live({ world, listener }: ConsoleScene): Promise<void> {
  const { ecpdId } = await world.ctx.db.one<{ ecpdId: string }>(
    sql`select ecpd_id as "ecpdId" from account where account_name = ${ACCOUNT}`,
  );
  const one = { accountName: ACCOUNT, serviceName: SERVICE, requestId: 'r', payload: {} } as const;
  for (let quarter = 0; quarter < 9; quarter++) {
    world.pass(15 * 60_000);
    listener.answer = quarter === 8 ? 503 : 200;
    await postCallbacks(world.ctx, ecpdId, [one, one, one]);
    // A busy machine may deliver a callback twice, so this counts recorded attempts instead of received requests.
    for (let tried = 0; tried < 3 * (quarter + 1); tried = await countTried(world)) await sleep(50);
  }
  listener.answer = 200;
}

/** Records the positions of texts on a canvas, because overlapping texts are not visible in the page's elements. */
const NOTE_LABELS = `{
  const write = CanvasRenderingContext2D.prototype.fillText;
  globalThis.written = [];
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...rest) {
    const { a, e, f } = this.getTransform();
    const width = this.measureText(text).width * a;
    const left = x * a + e - (this.textAlign === 'center' ? width / 2 : this.textAlign === 'right' ? width : 0);
    globalThis.written.push({ text, left, right: left + width, y: Math.round(y * a + f), canvas: chartOf(this.canvas) });
    return write.call(this, text, x, y, ...rest);
  };
  const charts = new Map();
  const chartOf = (canvas) => charts.get(canvas) ?? (charts.set(canvas, charts.size), charts.size - 1);
}`;

interface Written {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly y: number;
  readonly canvas: number;
}

async function labelsOf(page: Page): Promise<readonly Written[]> {
  const written = (await page.evaluate('globalThis.written')) as Written[];
  // A canvas is drawn again when its size changes, so duplicates are removed.
  return [...new Map(written.map((one) => [JSON.stringify(one), one])).values()];
}

function assertApart(labels: readonly Written[]): void {
  for (const [, row] of Map.groupBy(labels, ({ canvas, y }) => `${canvas} ${y}`)) {
    const sorted = [...row].toSorted((a, b) => a.left - b.left);
    for (const [n, next] of sorted.slice(1).entries()) {
      const before = sorted[n]!;
      if (before.text === next.text) continue;
      assert.ok(before.right < next.left, `${before.text} runs into ${next.text}`);
    }
  }
}

describe('the figures of a listener', () => {
  inBrowser(scene, 'say how much was delivered, how fast, and what waits, over time', async (of) => {
    await live(of);
    const page = await of.open(pathOf(), 'user');
    const card = page.getByRole('region', { name: 'Delivery over time' });
    const waiting = card.getByRole('table', { name: `Waiting: ${SERVICE}` });
    await waiting.getByRole('cell', { name: '3', exact: true }).first().waitFor();
    await card.getByText('27 callbacks in this time.').waitFor();
    await card.getByRole('heading', { name: /Delivery rate\s+100 %/ }).waitFor();
    await card.getByRole('heading', { name: /Time to a successful answer\s+\d+ ms/ }).waitFor();
    await of.shoot(page, 'callback-figures');

    await card.getByLabel('Time').selectOption('hour');
    await card.getByText('12 callbacks in this time.').waitFor();
    await card.getByLabel('Listener').selectOption('DeviceUsage');
    await card.getByText('Nothing sent to DeviceUsage in this time').waitFor();
    // The address contains both, so a link to it shows the same.
    assert.match(page.url(), /listener=DeviceUsage/);
    assert.match(page.url(), /span=hour/);
  });

  for (const colorScheme of ['light', 'dark'] as const)
    inBrowser(
      scene,
      `have labels that do not run into each other at 1,280 pixels, ${colorScheme}`,
      async (of) => {
        for (const span of ['hour', 'day', 'week']) {
          const page = await of.open('/', 'user');
          await page.setViewportSize({ width: 1_280, height: 900 });
          await page.emulateMedia({ colorScheme });
          await page.addInitScript(NOTE_LABELS);
          await page.goto(`${of.url}${pathOf(`&span=${span}`)}`);
          await page.getByRole('heading', { name: 'Delivery rate' }).waitFor();
          await page.waitForFunction('globalThis.written.length > 12');
          const labels = await labelsOf(page);
          assert.ok(new Set(labels.map(({ canvas }) => canvas)).size >= 3, span);
          assertApart(labels);
          await page.close();
        }
      },
    );
});
