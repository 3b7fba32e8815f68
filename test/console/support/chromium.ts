import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { arch, env } from 'node:process';
import { after } from 'node:test';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
/**
 * WebGL draws the map, in software where there is no graphics card. Software draws only the map: composing whole
 * pages in software takes three times as long.
 */
const SOFTWARE_WEBGL = ['--disable-gpu', '--enable-unsafe-swiftshader'];
const ARGS = ['--headless', '--no-sandbox', ...SOFTWARE_WEBGL, '--disable-background-networking'];

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

interface Program {
  readonly path: string;
  readonly args: readonly string[];
}

/** Candidates in order: the configured one, one installed on this machine, one unpacked from an npm package. */
async function* findPrograms(): AsyncGenerator<Program> {
  const named = env['LINEKEEPER_CHROMIUM'];
  if (named !== undefined) return yield { path: named, args: ARGS };
  const folders = (env['PATH'] ?? '').split(delimiter);
  const own = [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...PLACES].find(
    isProgram,
  );
  if (own !== undefined) yield { path: own, args: ARGS };
  // The package has a program for this architecture only; any other would run it as a script.
  if (arch !== 'x64') return;
  const { default: carried } = await import('@sparticuz/chromium');
  const path = await carried.executablePath().catch(() => undefined);
  if (path !== undefined) yield { path, args: [...carried.args, ...ARGS] };
}

/** Undefined on a machine without a Chromium that starts, which is a failure in CI. The caller closes it. */
export async function startChromium(more: readonly string[] = []): Promise<Browser | undefined> {
  const reasons: string[] = [];
  for await (const { path, args } of findPrograms()) {
    try {
      return await chromium.launch({ executablePath: path, args: [...args, ...more] });
    } catch (error) {
      reasons.push(`${path}: ${String(error).split('\n')[0]}`);
    }
  }
  const told = `No Chromium could be started; set LINEKEEPER_CHROMIUM to one. ${reasons.join('; ')}`;
  if (!/^(|0|false)$/i.test(env['CI'] ?? '')) throw new Error(told);
  process.stderr.write(`\n*** THE CONSOLE WAS NOT TESTED IN A BROWSER ***\n${told}\n\n`);
  return undefined;
}

/** Closed when the file ends. */
export async function launchBrowser(): Promise<Browser | undefined> {
  const browser = await startChromium();
  if (browser !== undefined) after(() => browser.close());
  return browser;
}
