import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { demoFleet } from '../../../demo/fleet.ts';
import { START, type World } from '../../support/world.ts';
import type { ConsoleScene } from './scene.ts';

export interface Placed {
  readonly accountName: string;
  readonly imei: string;
  readonly record: object;
  readonly simulation: { readonly position: { lat: number; lon: number; radius?: number } };
}
const isPlaced = (device: object): device is Placed => {
  const { imei, simulation } = device as { imei?: string; simulation?: { position?: object } };
  return imei !== undefined && simulation?.position !== undefined;
};

/** Devices of the demo fleet that have a position. */
export const placedOf = (account: string): readonly Placed[] =>
  (demoFleet(START).devices as readonly object[])
    .filter(isPlaced)
    .filter(({ accountName }) => accountName === account);

/** Sends their positions to the service. */
export async function feedPositions(
  world: World,
  devices: readonly Placed[],
  minutesAgo: number,
  moved = 0,
): Promise<void> {
  const lines = devices.map(({ imei, simulation: { position } }, n) => ({
    kind: 'imei',
    device: imei,
    at: new Date(world.ctx.now().getTime() - (minutesAgo + (n % 60)) * 60_000),
    ...position,
    lat: position.lat + moved,
    accuracy: 'precise',
  }));
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const answer = await world.operator('POST', '/positions', body);
  assert.deepEqual(answer.json().rejected, []);
}

/** The map itself, once everything in view is drawn. */
export async function drawn(page: Page): Promise<Locator> {
  await page.locator('[data-drawn]').waitFor();
  return page.locator('.map-canvas canvas');
}

/** Without a graphics card, software draws the map, and each pixel takes time. */
const SMALL = { width: 1120, height: 560 };

/** Opens the map's page in a window that is drawn quickly. */
export const openMap = (scene: ConsoleScene, accountName: string, who: 'user' | 'operator' = 'operator') =>
  scene.open(`/accounts/${accountName}/map`, who, SMALL);
