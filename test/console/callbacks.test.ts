import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';

const scene = await openConsole();
const CALLBACKS = `/accounts/${ACCOUNT}/callbacks`;

/** Callbacks that failed because no listener existed. */
async function failSome(page: Page, requestIds: readonly string[]): Promise<void> {
  await page.getByRole('table', { name: 'Listeners' }).waitFor();
  for (const requestId of requestIds)
    await scene!.world.operator('POST', '/events', {
      accountName: ACCOUNT,
      serviceName: 'NiddService',
      requestId,
      payload: {},
    });
}

async function register(page: Page, url: string, password?: string): Promise<void> {
  await page.getByRole('button', { name: 'Register a listener' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Service').selectOption('NiddService');
  await dialog.getByLabel('Address').fill(url);
  if (password !== undefined) {
    await dialog.getByLabel('Username').fill('hook-user');
    await dialog.getByLabel('Password', { exact: true }).fill(password);
  }
  await dialog.getByRole('button', { name: 'Register' }).click();
  await dialog.getByText(/^whsec_/).waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
}

async function remove(page: Page): Promise<void> {
  const row = page.getByRole('table', { name: 'Listeners' }).getByRole('row', { name: /NiddService/ });
  await row.getByRole('button', { name: 'Remove' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove the listener of NiddService?' });
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await row.waitFor({ state: 'detached' });
}

describe('what failed', () => {
  inBrowser(
    scene,
    'is sent again after a question that says which ones: one, those of the request, or all',
    async ({ open, listener }) => {
      const page = await open(CALLBACKS, 'user');
      await failSome(page, ['first', 'second', 'second', 'third', 'third']);
      await register(page, listener.url);
      const heard = listener.heard.length;
      const log = page.getByRole('table', { name: 'Callbacks' });
      const dialog = page.getByRole('dialog');

      await page.getByLabel('Request id').fill('second');
      await log.getByText('third').first().waitFor({ state: 'detached' });
      await log.getByRole('row').nth(1).getByRole('button').click();
      await dialog.getByRole('button', { name: 'Re-send' }).click();
      await page.getByText('Callback re-sent').waitFor();
      await page.keyboard.press('Escape');
      await log.getByText('Delivered').waitFor();
      await log.getByText('Failed').waitFor();

      await page.getByRole('button', { name: 'Re-send failed' }).click();
      await dialog.getByText('One failed callback of the request second will be re-sent').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      assert.equal(listener.heard.length, heard + 1);
      await page.getByRole('button', { name: 'Re-send failed' }).click();
      await dialog.getByRole('button', { name: 'Re-send' }).click();
      await page.getByText('1 re-sent', { exact: true }).waitFor();

      await page.getByLabel('Request id').fill('');
      await page.getByRole('button', { name: 'Re-send failed' }).click();
      await dialog.getByText('3 failed callbacks of the account will be re-sent').waitFor();
      await dialog.getByRole('button', { name: 'Re-send' }).click();
      await page.getByText('3 re-sent', { exact: true }).waitFor();
      await remove(page);
    },
  );
});

describe('a long log', () => {
  inBrowser(
    scene,
    'is not read again at each change, but says that there is news, and shows it',
    async ({ open, world }) => {
      const post = (requestId: string) => {
        world.pass(1);
        const event = { accountName: ACCOUNT, serviceName: 'NiddService', payload: {} };
        return world.operator('POST', '/events', { ...event, requestId });
      };
      for (let n = 0; n < 330; n++) await post(`many-${n}`);
      const page = await open(CALLBACKS, 'user');
      const log = page.getByRole('table', { name: 'Callbacks' });
      await log.getByText('many-329').waitFor();
      const asked: string[] = [];
      page.on('request', (request) => request.url().includes('/deliveries') && asked.push(request.url()));
      const toEnd = `{
        const body = document.querySelector('table[aria-label=Callbacks] > tbody');
        body.scrollTop = body.scrollHeight;
      }`;
      const oldest = log.getByText('many-0', { exact: true });
      for (let tries = 0; tries < 500 && (await oldest.count()) === 0; tries++) {
        await page.evaluate(toEnd);
        await page.waitForTimeout(200);
      }
      await oldest.waitFor();
      // Waits for earlier requests to end: they must not count as caused by the new entry.
      for (let before = -1; before !== asked.length; await page.waitForTimeout(500)) before = asked.length;
      asked.length = 0;
      await post('the-news');
      await page.getByText('There are new entries.').waitFor();
      assert.deepEqual(asked, []);
      await page.getByRole('button', { name: 'Show them' }).click();
      await log.getByText('the-news').waitFor();
      assert.ok(asked.length <= 2, asked.join());
    },
  );
});

describe('a listener', () => {
  inBrowser(
    scene,
    'keeps username and password when its address is changed, and shows its secret once',
    async ({ open, listener }) => {
      const page = await open(CALLBACKS, 'user');
      await page.getByRole('table', { name: 'Listeners' }).waitFor();
      await register(page, listener.url, 'hook-word-1');
      const row = page.getByRole('table', { name: 'Listeners' }).getByRole('row', { name: /NiddService/ });
      const dialog = page.getByRole('dialog');
      const change = async (fill: () => Promise<void>) => {
        await row.getByRole('button', { name: 'Change' }).click();
        await fill();
        await dialog.getByRole('button', { name: 'Change' }).click();
      };
      const passwordHeard = async () => {
        const heard = listener.heard.length;
        await page.request.post(`${scene!.url}/api/m2m/v1/callbacks/${ACCOUNT}/test`, {
          headers: { 'x-requested-by': 'console' },
          data: { event: 'niddUplink' },
        });
        await listener.next(heard + 1);
        return listener.heard[heard]!.body['password'];
      };

      await change(() => dialog.getByLabel('Address').fill(`${listener.url}/moved`));
      await page.getByText('Listener changed').waitFor();
      assert.equal(await dialog.count(), 0);
      assert.equal(await passwordHeard(), 'hook-word-1');

      await change(() => dialog.getByLabel(/^Create a new secret/).check());
      await dialog.getByText(/^whsec_/).waitFor();
      await dialog.getByRole('button', { name: 'Done' }).click();

      await change(() => dialog.getByLabel('Remove username and password').check());
      await dialog.waitFor({ state: 'detached' });
      assert.ok(!(await passwordHeard()));
      await remove(page);
    },
  );
});
