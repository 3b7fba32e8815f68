import type { Browser } from 'playwright-core';
import { buildIfStale } from '../clients/console/build.ts';
import { startChromium } from '../test/console/support/chromium.ts';
import { ACCOUNT, SMALL_FLEET, USER } from '../test/support/fleet.ts';
import { fillAccount } from './support/fill-account.ts';
import { alone, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { openServiceScene } from './support/service-scene.ts';

const DEVICES = 100_000;
const ROUNDS = roundsOr(9);
const TARGET_MS = 1_000;

/** What a page shows when somebody can work with it: data, not the place where it will be. */
const PAGES = [
  ['overview', 'text=/^100,00[0-9]$/'],
  ['devices', 'tbody tr.data-row a'],
] as const;

/** From the navigation of a browser that has never been there, but is signed in, to the data. */
async function load(browser: Browser, url: string, page: string, shown: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const headers = { 'x-requested-by': 'console' };
    const answer = await context.request.post(`${url}/console/v1/sign-in`, { headers, data: USER });
    if (!answer.ok()) throw new Error(await answer.text());
    const tab = await context.newPage();
    await tab.goto(new URL(`/accounts/${ACCOUNT}/${page}`, url).href, { waitUntil: 'commit' });
    await tab.locator(shown).first().waitFor();
    return Number(await tab.evaluate('performance.now()'));
  } finally {
    await context.close();
  }
}

export async function consoleLoad(): Promise<Finding[]> {
  const browser = await startChromium();
  if (browser === undefined) return [];
  await buildIfStale();
  const scene = await openServiceScene('console', SMALL_FLEET);
  try {
    await fillAccount(scene, ACCOUNT, DEVICES, 1);
    await scene.client.query('vacuum analyze device');
    const findings: Finding[] = [];
    for (const [page, shown] of PAGES) {
      const times: number[] = [];
      for (let round = 0; round <= ROUNDS; round++) times.push(await load(browser, scene.url, page, shown));
      // The first is for warming up.
      findings.push(
        alone(
          `Console, ${page} of an account with 100,000 devices, from an empty cache to its data, ms`,
          times.slice(1),
          { atMost: TARGET_MS },
        ),
      );
    }
    return findings;
  } finally {
    await scene.close();
    await browser.close();
  }
}
