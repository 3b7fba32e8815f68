import type { Browser, Page } from 'playwright-core';
import { buildIfStale } from '../clients/console/build.ts';
import { startChromium } from '../test/console/support/chromium.ts';
import { ACCOUNT, SMALL_FLEET, USER } from '../test/support/fleet.ts';
import { fillAccount } from './support/fill-account.ts';
import { alone, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { openServiceScene, type ServiceScene } from './support/service-scene.ts';
import { median } from './support/statistics.ts';

const DEVICES = 100_000;
const ROUNDS = roundsOr(9);
const TARGET_MS = 1_000;
const MAP_ROUNDS = Math.min(3, ROUNDS);
const FRAMES = 120;
/** Thirty a second. */
const FRAME_MS_MAX = 33.4;
const ALL_ON_MAP = 'text=/^100,00[01] devices located, 100,00[01] in view$/';

/** Drawn and ready to be clicked. */
const NAVIGATION = 'nav a';

/** What a page shows when its data are there, not only the place where they will be. */
const PAGES = [
  ['overview', 'text=/^100,00[0-9]$/'],
  ['devices', 'tbody tr.data-row a'],
] as const;

/** From the navigation of a browser that has never been there, but is signed in, to the data; then whatever is to be done. */
async function open<T>(
  browser: Browser,
  url: string,
  page: string,
  shown: string,
  then: (tab: Page) => Promise<T>,
): Promise<{ readonly usableMs: number; readonly ms: number; readonly done: T }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const headers = { 'x-requested-by': 'console' };
    const answer = await context.request.post(`${url}/console/v1/sign-in`, { headers, data: USER });
    if (!answer.ok()) throw new Error(await answer.text());
    const tab = await context.newPage();
    await tab.goto(new URL(`/accounts/${ACCOUNT}/${page}`, url).href, { waitUntil: 'commit' });
    const now = async () => Number(await tab.evaluate('performance.now()'));
    await tab.locator(NAVIGATION).first().waitFor();
    const usableMs = await now();
    await tab.locator(shown).first().waitFor();
    return { usableMs, ms: await now(), done: await then(tab) };
  } finally {
    await context.close();
  }
}

/** Over the whole country, so that no point hides another. */
const fillPositions = ({ client }: ServiceScene) =>
  client.query(
    `insert into device_position (ecpd_id, device_id, accuracy, latitude, longitude, radius_m, at, received_at)
     select ecpd_id, device_id, 'coarse', 26 + 22 * random(), -122 + 50 * random(), 300, now(), now()
     from device where account_name = $1 and imei >= '990000000000001'`,
    [ACCOUNT],
  );

/** Milliseconds from one frame to the next while somebody drags the map to and fro. */
async function dragMap(tab: Page): Promise<readonly number[]> {
  const counted = tab.evaluate(
    `new Promise((done) => {
      const times = [];
      const note = (at) => (times.push(at) < ${FRAMES} ? requestAnimationFrame(note) : done(times));
      requestAnimationFrame(note);
    })`,
  ) as Promise<readonly number[]>;
  const box = (await tab.locator('canvas').first().boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await tab.mouse.move(x, y);
  await tab.mouse.down();
  let ended = false;
  void counted.finally(() => {
    ended = true;
  });
  for (let step = 0; !ended; step++) await tab.mouse.move(x + 150 * Math.sin(step / 10), y);
  await tab.mouse.up();
  return (await counted).slice(1).map((at, n, all) => at - (all[n - 1] ?? at - 16));
}

async function measureMap(browser: Browser, scene: ServiceScene): Promise<Finding[]> {
  await fillPositions(scene);
  await scene.client.query('vacuum analyze device_position');
  const [loads, frames]: [number[], number[]] = [[], []];
  for (let round = 0; round <= MAP_ROUNDS; round++) {
    const { ms, done: dragged } = await open(browser, scene.url, 'map', ALL_ON_MAP, dragMap);
    // The first is for warming up.
    if (round === 0) continue;
    loads.push(ms);
    frames.push(median(dragged));
  }
  return [
    alone('Console, map with 100,000 points, from an empty cache until all are drawn, ms', loads),
    alone('Console, map with 100,000 points, from frame to frame while it is dragged, ms', frames, {
      atMost: FRAME_MS_MAX,
    }),
  ];
}

export async function consoleLoad(): Promise<Finding[]> {
  const browser = await startChromium();
  if (browser === undefined) throw new Error('there is no Chromium to load the console with');
  await buildIfStale();
  const scene = await openServiceScene('console', SMALL_FLEET);
  try {
    await fillAccount(scene, ACCOUNT, DEVICES, 1);
    await scene.client.query('vacuum analyze device');
    const findings: Finding[] = [];
    for (const [page, shown] of PAGES) {
      const rounds: { readonly usableMs: number; readonly ms: number }[] = [];
      for (let round = 0; round <= ROUNDS; round++)
        rounds.push(await open(browser, scene.url, page, shown, async () => {}));
      // The first is for warming up.
      const measured = rounds.slice(1);
      const what = `Console, ${page} of an account with 100,000 devices, from an empty cache`;
      findings.push(
        alone(
          `${what} until it can be used, ms`,
          measured.map(({ usableMs }) => usableMs),
          { atMost: TARGET_MS },
        ),
        alone(
          `${what} until its data are there, ms`,
          measured.map(({ ms }) => ms),
        ),
      );
    }
    return [...findings, ...(await measureMap(browser, scene))];
  } finally {
    await scene.close();
    await browser.close();
  }
}
