import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeWorld } from '../support/world.ts';
import { launchBrowser } from './support/chromium.ts';

const browser = await launchBrowser();
const PATIENCE = { timeout: 60_000 };

describe('the API reference', () => {
  it(
    'is shown, opens an operation and calls it: nothing that it needs is kept from it',
    browser === undefined ? { skip: 'no Chromium could be started' } : {},
    async () => {
      const { api } = await makeWorld();
      const url = await api.listen({ host: '127.0.0.1', port: 0 });
      const page = await browser!.newPage();
      const blocked: string[] = [];
      page.on('console', (message) => {
        if (/Content Security Policy/i.test(message.text())) blocked.push(message.text());
      });
      await page.goto(`${url}/docs`, PATIENCE);
      const operation = page.locator('#operations-m2m-logOut');
      await operation.locator('button.opblock-summary-control').click(PATIENCE);
      await operation.getByRole('button', { name: 'Try it out' }).click(PATIENCE);
      const [answer] = await Promise.all([
        page.waitForResponse((one) => one.url().endsWith('/session/logout'), PATIENCE),
        operation.getByRole('button', { name: 'Execute' }).click(PATIENCE),
      ]);
      assert.equal(answer.status(), 401);
      assert.deepEqual(blocked, []);
    },
  );
});
