import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { drawn, feedPositions, openMap, placedOf } from './support/map.ts';
import { ACCOUNT, type ConsoleScene, inBrowser, openConsole } from './support/scene.ts';

/** One pixel of half-transparent red, here over white. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const asked: string[] = [];
/** A third party's maps: a style, and the tiles that it names. */
const tiles = createServer((request, answer) => {
  asked.push(request.url!);
  answer.setHeader('access-control-allow-origin', '*');
  if (request.url !== '/streets.json') return answer.setHeader('content-type', 'image/png').end(PICTURE);
  const source = { type: 'raster', tiles: [`${origin()}/{z}/{x}/{y}.png`], tileSize: 256 };
  const style = {
    version: 8,
    sources: { streets: source },
    layers: [{ id: 'streets', type: 'raster', source: 'streets' }],
  };
  return answer.setHeader('content-type', 'application/json').end(JSON.stringify(style));
});
const origin = () => `http://127.0.0.1:${(tiles.address() as AddressInfo).port}`;
await new Promise<void>((listening) => tiles.listen(0, '127.0.0.1', listening));
after(() => tiles.close());

const placed = placedOf(ACCOUNT).slice(0, 5);
async function openWith(LINEKEEPER_MAP_STYLE: string): Promise<ConsoleScene | undefined> {
  const scene = await openConsole({ LINEKEEPER_MAP_STYLE });
  if (scene !== undefined) await feedPositions(scene.world, placed, 10);
  return scene;
}
const styled = await openWith(`${origin()}/streets.json`);
const filed = await openWith('clients/console/map-data/world.pmtiles');

/** Records the browser's errors and refusals, and the origin of each response. */
function watch(page: Page) {
  const watched = { errors: [] as string[], answers: [] as string[] };
  page.on('pageerror', (error) => watched.errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') watched.errors.push(message.text());
  });
  page.on('response', (answer) => watched.answers.push(`${answer.status()} ${answer.url()}`));
  return watched;
}

/** The pixels in a corner of the map, as shown on the screen. */
const cornerOf = async (page: Page): Promise<Buffer> => {
  const box = (await page.locator('.map-canvas canvas').boundingBox())!;
  return page.screenshot({ clip: { x: box.x + box.width - 60, y: box.y + 60, width: 20, height: 20 } });
};

describe('the map of an installation', () => {
  inBrowser(styled, 'that names a style is drawn by that style, from its origin alone', async (its) => {
    const page = await openMap(its, ACCOUNT, 'user');
    const watched = watch(page);
    await page.reload();
    await drawn(page);
    await page.getByText('5 devices located, 5 in view').waitFor();
    await its.shoot(page, 'map-style');
    assert.ok(asked.includes('/streets.json'));
    assert.ok(asked.some((path) => /^\/\d+\/\d+\/\d+\.png$/.test(path)));
    assert.equal(await page.getByText('The map style of this installation could not be loaded').count(), 0);
    const elsewhere = watched.answers.filter(
      (one) => !one.includes(its.url) && !one.includes(origin()) && !/ (blob|data):/.test(one),
    );
    assert.deepEqual([watched.errors, elsewhere], [[], []]);
    const color = await page.evaluate(
      `new Promise((done) => {
        const picture = new Image();
        picture.onload = () => {
          const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
          const pen = canvas.getContext('2d');
          pen.drawImage(picture, -10, -10);
          done([...pen.getImageData(0, 0, 1, 1).data]);
        };
        picture.src = 'data:image/png;base64,${(await cornerOf(page)).toString('base64')}';
      })`,
    );
    assert.deepEqual(color, [255, 128, 128, 255]);
  });

  inBrowser(styled, 'whose style cannot be read is the one that ships with it, and says so', async (its) => {
    const page = await openMap(its, ACCOUNT, 'user');
    await page.route(`${origin()}/**`, (route) => route.abort());
    await page.reload();
    await page.getByText('The map style of this installation could not be loaded').waitFor();
    await drawn(page);
    await page.getByText('Natural Earth · US Census Bureau · GeoNames').waitFor();
  });

  inBrowser(filed, 'that has a file of streets reads parts of it, and asks nobody else', async (its) => {
    const page = await openMap(its, ACCOUNT, 'user');
    const watched = watch(page);
    await page.reload();
    await drawn(page);
    await page.getByText('5 devices located, 5 in view').waitFor();
    await its.shoot(page, 'map-streets');
    assert.ok(watched.answers.includes(`206 ${its.url}/map/streets.pmtiles`), watched.answers.join('\n'));
    const elsewhere = watched.answers.filter((one) => !one.includes(its.url) && !/ (blob|data):/.test(one));
    assert.deepEqual([watched.errors, elsewhere], [[], []]);
  });
});
