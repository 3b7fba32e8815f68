import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { env } from 'node:process';
import { after } from 'node:test';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
const ARGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'];

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The one that was named, one of this machine, or the one that an npm package carries. */
async function findPrograms(): Promise<readonly { path: string; args: readonly string[] }[]> {
  const named = env['LINEKEEPER_CHROMIUM'];
  if (named !== undefined) return [{ path: named, args: ARGS }];
  const onPath = (env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const own = [...onPath, ...PLACES].filter(isProgram).slice(0, 1);
  const { default: carried } = await import('@sparticuz/chromium');
  const packed = await carried.executablePath().catch(() => undefined);
  return [
    ...own.map((path) => ({ path, args: ARGS })),
    ...(packed === undefined ? [] : [{ path: packed, args: [...carried.args, ...ARGS] }]),
  ];
}

/** Undefined on a machine without a Chromium that starts; in CI that is a failure. Closed when the file ends. */
export async function launchBrowser(): Promise<Browser | undefined> {
  const reasons: string[] = [];
  for (const { path, args } of await findPrograms()) {
    try {
      const browser = await chromium.launch({ executablePath: path, args: [...args] });
      after(() => browser.close());
      return browser;
    } catch (error) {
      reasons.push(`${path}: ${String(error).split('\n')[0]}`);
    }
  }
  const told = `No Chromium could be started; set LINEKEEPER_CHROMIUM to one. ${reasons.join('; ')}`;
  if (env['CI'] !== undefined && env['CI'] !== '' && env['CI'] !== 'false') throw new Error(told);
  process.stderr.write(`\n*** THE CONSOLE WAS NOT TESTED IN A BROWSER ***\n${told}\n\n`);
  return undefined;
}

/** A folder of its own for what a test downloads. */
export function downloadFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'linekeeper-downloads-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
