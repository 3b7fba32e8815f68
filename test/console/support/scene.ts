import { mkdirSync } from 'node:fs';
import { after, it } from 'node:test';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { demoFleet } from '../../../demo/fleet.ts';
import { openListener } from '../../support/listener.ts';
import { makeWorld, OPERATOR_KEY, START, type World } from '../../support/world.ts';
import { launchBrowser } from './chromium.ts';

export const ACCOUNT = '0000700001-00001';
export const USER = { username: 'demo-user', password: 'demo-user-password' };
const DAY_MS = 86_400_000;
const DAYS_FED = 45;
const SHOTS = 'screenshots';
const WIDE = { width: 1440, height: 900 };
/** Longer than any page needs on a busy machine. */
const PATIENCE_MS = 150_000;
const PHONE = { width: 390, height: 844 };

type Credentials = typeof USER | { readonly operatorKey: string };

export interface ConsoleScene {
  readonly world: World;
  readonly url: string;
  readonly listener: Awaited<ReturnType<typeof openListener>>;
  /** A new browser page without a session. */
  openAlone(path: string): Promise<Page>;
  /** A browser page at this address, signed in as the user or the operator. */
  open(path: string, who?: 'user' | 'operator', size?: typeof WIDE): Promise<Page>;
  /** The same for another user, or for an operator with these scopes. */
  openAs(who: Credentials | readonly string[], path: string, size?: typeof WIDE): Promise<Page>;
  /** Only if requested: saves pictures of the page in light, in dark and on a phone, for people to review. */
  shoot(page: Page, name: string): Promise<void>;
  /** Each open page keeps one of its browser's six connections for its live updates. */
  closePages(): Promise<void>;
}

/** Usage of the demo fleet on each day: more each week, less on weekends. */
async function feedUsage(world: World, fleet: ReturnType<typeof demoFleet>): Promise<void> {
  const lines = fleet.devices.filter((device) => device.state === 'active' && 'imei' in device);
  const records = lines.flatMap((device, n) =>
    Array.from({ length: DAYS_FED }, (_, day) => {
      const at = new Date(START.getTime() - (DAYS_FED - day) * DAY_MS + (n % 20) * 3_600_000);
      const weekend = at.getUTCDay() % 6 === 0 ? 0.4 : 1;
      const bytes = Math.round((0.2 + ((n * 7 + day * 3) % 11) / 6) * 1024 ** 2 * weekend * (1 + day / 40));
      return {
        id: `console-${n}-${day}`,
        kind: 'imei',
        device: (device as { imei: string }).imei,
        at,
        bytes,
      };
    }),
  );
  const answer = await world.operator(
    'POST',
    '/usage',
    records.map((record) => JSON.stringify(record)).join('\n'),
  );
  if (answer.statusCode !== 200) throw new Error(`usage refused: ${answer.body}`);
}

/**
 * Waiting for an element accepts several matches, because a page that is being rendered may show a text twice for a
 * moment. Clicking and reading still require exactly one.
 */
function waitForAny(page: Page): void {
  const prototype = Object.getPrototypeOf(page.locator('body')) as Locator & { waitsForAny?: true };
  if (prototype.waitsForAny) return;
  const waitForOne = prototype.waitFor;
  Object.assign(prototype, {
    waitsForAny: true,
    waitFor(this: Locator, options: Parameters<Locator['waitFor']>[0] = {}) {
      const isSeen = options.state === undefined || options.state === 'visible';
      return waitForOne.call(isSeen ? this.filter({ visible: true }).first() : this, options);
    },
  });
}

/** The service with the demo fleet on a socket, and a browser. Undefined where no browser starts. */
export async function openConsole(
  env: NodeJS.ProcessEnv = {},
  wanted: Omit<NonNullable<Parameters<typeof makeWorld>[0]>, 'env'> = {},
): Promise<ConsoleScene | undefined> {
  const browser = await launchBrowser();
  if (browser === undefined) return undefined;
  const world = await makeWorld({ ...wanted, env });
  const fleet = demoFleet(START);
  const listener = await openListener();
  const listeners = fleet.listeners.map((one) => ({ ...one, url: listener.url }));
  await world.import({ ...fleet, listeners });
  await feedUsage(world, fleet);
  world.delivery.start();
  const url = await world.api.listen({ host: '127.0.0.1', port: 0 });
  mkdirSync(SHOTS, { recursive: true });

  const signedIn = new Map<string, BrowserContext>();
  const contextOf = async (who: Credentials): Promise<BrowserContext> => {
    const known = signedIn.get(JSON.stringify(who));
    if (known !== undefined) return known;
    const context = await browser.newContext({
      viewport: WIDE,
      reducedMotion: 'reduce',
      colorScheme: 'light',
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const answer = await context.request.post(`${url}/api/console/v1/sign-in`, {
      headers: { 'x-requested-by': 'console' },
      data: who,
    });
    if (!answer.ok()) throw new Error(`not signed in: ${await answer.text()}`);
    signedIn.set(JSON.stringify(who), context);
    return context;
  };
  const openFor = async (who: Credentials, path: string, size = WIDE): Promise<Page> => {
    const page = await (await contextOf(who)).newPage();
    waitForAny(page);
    if (size !== WIDE) await page.setViewportSize(size);
    await page.goto(`${url}${path}`);
    return page;
  };
  const keys = new Map<string, string>();
  const keyWith = async (scopes: readonly string[]): Promise<string> => {
    const name = scopes.join('-');
    const known = keys.get(name);
    if (known !== undefined) return known;
    const { key } = (await world.operator('POST', '/keys', { name, scopes })).json();
    keys.set(name, key);
    return key;
  };
  after(() => Promise.all([...signedIn.values()].map((context) => context.close())));

  return {
    world,
    url,
    listener,
    async openAlone(path) {
      const page = await browser.newPage({ viewport: WIDE, reducedMotion: 'reduce' });
      page.setDefaultTimeout(PATIENCE_MS);
      waitForAny(page);
      await page.goto(`${url}${path}`);
      return page;
    },
    open: (path, who = 'operator', size) =>
      openFor(who === 'user' ? USER : { operatorKey: OPERATOR_KEY }, path, size),
    openAs: async (who, path, size) =>
      openFor('length' in who ? { operatorKey: await keyWith(who) } : who, path, size),
    async closePages() {
      const pages = [...signedIn.values()].flatMap((context) => context.pages());
      await Promise.all(pages.map((page) => page.close()));
    },
    async shoot(page, name) {
      if (process.env['TEST_PICTURES'] === undefined) return;
      for (const [look, viewport, colorScheme] of [
        ['light', WIDE, 'light'],
        ['dark', WIDE, 'dark'],
        ['phone', PHONE, 'light'],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        await page.waitForLoadState('networkidle').catch(() => {});
        await page.screenshot({ path: `${SHOTS}/${name}-${look}.png`, fullPage: look === 'phone' });
      }
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(WIDE);
    },
  };
}

/** Waits until everything on the page has loaded its data. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('main :is(.skeleton, [aria-busy=true])').first().waitFor({ state: 'detached' });
}

let kept: ReturnType<typeof openConsole> | undefined;

/** For a process that runs several files: they share this console. */
export const keepConsole = (): ReturnType<typeof openConsole> => {
  kept = openConsole();
  return kept;
};

/** The shared console, or a separate one if the file runs alone. */
export const openMainConsole = (): ReturnType<typeof openConsole> => kept ?? openConsole();

/** A test that is reported as skipped where there is no browser. */
export const inBrowser = (
  scene: ConsoleScene | undefined,
  name: string,
  run: (scene: ConsoleScene) => Promise<void>,
): void =>
  void it(name, scene === undefined ? { skip: 'no Chromium could be started' } : {}, () =>
    run(scene!).finally(() => scene!.closePages()),
  );
