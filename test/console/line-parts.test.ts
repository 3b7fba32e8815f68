import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { inBrowser, openConsole } from './support/scene.ts';

const LARGE = '0000990001-00001';
/** One more than fits into one part. */
const COUNT = 10_001;
const scene = await openConsole();

/** The browser's interface does not report bodies of this size. */
const KEEP_SENT = `
  const real = window.fetch;
  window.sent = [];
  window.fetch = (url, init) => {
    if (String(url).endsWith('/devices/labels')) window.sent.push(JSON.parse(init.body));
    return real(url, init);
  };
`;

interface Sent {
  readonly deviceIds: readonly string[];
}

describe('what is done to all lines that match', () => {
  inBrowser(
    scene,
    'is sent as the lines that were counted, in parts of 10,000, and never as the filter',
    async ({ open, world }) => {
      await world.import({
        profiles: [{ ecpdId: '9900009' }],
        accounts: [{ accountName: LARGE, ecpdId: '9900009' }],
        devices: Array.from({ length: COUNT }, (_, n) => ({
          accountName: LARGE,
          imei: String(990_001_000_000_000 + n),
        })),
      });
      const page = await open(`/accounts/${LARGE}/devices`);
      await page.addInitScript(KEEP_SENT);
      await page.reload();
      await page.getByText('10,001 devices match').waitFor();
      await page.getByRole('button', { name: 'Select all matches' }).click();
      await page.getByText('10,001 selected').waitFor();
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('button', { name: 'Label', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Label', { exact: true }).fill('Depot');
      await dialog.getByLabel('Value').fill('North');
      await dialog.getByRole('button', { name: 'Label 10,001 lines' }).click();
      await dialog.getByText('10,001 lines sent.').waitFor();
      const sent = (await page.evaluate('window.sent')) as Sent[];
      assert.deepEqual(
        sent.map(({ deviceIds }) => deviceIds.length),
        [10_000, 1],
      );
      assert.equal(new Set(sent.flatMap(({ deviceIds }) => deviceIds)).size, COUNT);
      for (const body of sent) assert.deepEqual(Object.keys(body).sort(), ['deviceIds', 'name', 'value']);
    },
  );
});
