import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { ACCOUNT, inBrowser, openConsole, settled } from './support/scene.ts';

const scene = await openConsole();

/** Finds cells that would cut off a time of the greatest length, and counts all cells with a time. */
const CLIPPED = `(() => {
  const lengthen = (node) => {
    if (node.nodeType === 3) node.data = node.data.replace(/\\d{1,2} \\w{3,4} \\d{4}, [\\d:]{8} UTC/g, '28 Sept 2026, 20:58:58 UTC')
      .replace(/^\\d{1,2} \\w{3,4} \\d{4}$/, '28 Sept 2026').replace(/^\\d+ (\\w+\\.?) ago$/, '28 $1 ago');
    node.childNodes.forEach(lengthen);
  };
  document.querySelectorAll('.data-cell, .plain-table td').forEach(lengthen);
  const isTime = (text) => / UTC$| ago$|^now$|^in \\d|^\\d{1,2} \\w{3} \\d{4}/.test(text.trim());
  const cells = [...document.querySelectorAll('.data-cell, .plain-table td')].filter((cell) => isTime(cell.textContent));
  const isCut = (one) => one.scrollWidth > one.clientWidth && getComputedStyle(one).overflowX !== 'visible';
  const clipped = cells.filter((cell) => [cell, ...cell.querySelectorAll('button')].some(isCut))
    .map((cell) => (cell.closest('table').getAttribute('aria-label') ?? 'table') + ': ' + cell.textContent);
  return { seen: cells.length, clipped: [...new Set(clipped)].slice(0, 5) };
})()`;

const PAGES = [
  'overview',
  'devices',
  'triggers',
  'triggers/usage',
  'triggers/firings',
  'location-reports',
  'records',
  'alerts',
  'callbacks',
  'billing',
  'managed-accounts',
];
const OF_OPERATORS = ['/audit', '/operation', '/access/users', '/access/applications', '/network', '/work'];

/** Creates an entry with a time in every list. */
async function makeHistory(page: Page, url: string): Promise<string> {
  const headers = { 'x-requested-by': 'console' };
  const call = async (method: 'get' | 'post', path: string, data?: object) => {
    const answer = await page.request[method](`${url}/api${path}`, { headers, ...(data && { data }) });
    assert.ok(answer.ok(), `${path} ${await answer.text()}`);
    return answer.json();
  };
  const { devices } = await call(
    'get',
    `/console/v1/accounts/${ACCOUNT}/devices?search=Truck&state=active&limit=1`,
  );
  const [{ deviceId, ids }] = devices;
  const imei = ids.find((id: { kind: string }) => id.kind === 'imei');
  await call('post', '/m2m/v1/devices/actions/suspend', {
    accountName: ACCOUNT,
    devices: [{ deviceIds: [imei] }],
  });
  await call('post', `/loc/v1/locations`, { accountName: ACCOUNT, deviceList: [imei] });
  await call('post', '/dm/v1/rules', {
    accountname: ACCOUNT,
    rule: {
      name: 'Hot',
      deviceid: deviceId,
      rulesyntax: 'json',
      rulechain: { field: 'engineTemperature', operator: 'gt', value: 110 },
    },
  });
  return deviceId;
}

const WIDTHS = [1440, 800];

describe('times', () => {
  inBrowser(
    scene,
    'are shown whole in every table, on a wide screen and on a small one',
    async ({ open, url, world }) => {
      const page = await open(`/accounts/${ACCOUNT}/overview`);
      const deviceId = await makeHistory(page, url);
      await world.engine.settle();
      await world.watcher.settle();
      const found: string[] = [];
      const paths = [...PAGES, `devices/${deviceId}`].map((name) => `/accounts/${ACCOUNT}/${name}`);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        let seen = 0;
        for (const path of [...paths, ...OF_OPERATORS]) {
          await page.goto(`${url}${path}`);
          await settled(page);
          const { clipped, seen: more } = (await page.evaluate(CLIPPED)) as {
            clipped: string[];
            seen: number;
          };
          seen += more;
          found.push(...clipped.map((text) => `${width} ${path} ${text}`));
        }
        assert.ok(seen > 50, `${seen} times seen`);
      }
      assert.deepEqual(found, []);
    },
  );
});
