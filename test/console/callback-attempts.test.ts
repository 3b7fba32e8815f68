import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';

const scene = await openConsole();
const CALLBACKS = `/accounts/${ACCOUNT}/callbacks`;
const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

/** Refuses everything, with a response that would do harm if it were not shown as text. */
const hostile = createServer((request, response) => {
  request.resume().on('end', () =>
    response
      .writeHead(503, {
        'x-hostile': HOSTILE,
        'set-cookie': 'session=from-the-listener',
        'retry-after': '120',
      })
      .end(HOSTILE),
  );
});
await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
after(() => {
  hostile.closeAllConnections();
  hostile.close();
});
const hostileUrl = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}/hook`;

const put = (page: Page, body: object) =>
  page.request.put(`${scene!.url}/api/m2m/v1/callbacks/${ACCOUNT}/name/NiddService`, {
    headers: { 'x-requested-by': 'console' },
    data: body,
  });

async function chooseEvent(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByLabel('Event', { exact: true }).selectOption(name);
  await page.getByRole('dialog').getByLabel('Payload').waitFor();
}

describe('an attempt', () => {
  inBrowser(
    scene,
    'shows by keyboard what was sent and what came back, as text, and whether its signature verifies',
    async ({ open, shoot, world }) => {
      const page = await open(CALLBACKS, 'user');
      await page.getByRole('table', { name: 'Listeners' }).waitFor();
      const given = { url: hostileUrl, username: 'hook', password: 'hook-word-1' };
      assert.ok((await put(page, given)).ok());
      const event = { accountName: ACCOUNT, serviceName: 'NiddService', payload: { note: HOSTILE } };
      await world.operator('POST', '/events', { ...event, requestId: HOSTILE });
      const log = page.getByRole('table', { name: 'Callbacks' });
      const failed = log.getByRole('row').filter({ hasText: 'NiddService' }).filter({ hasText: '503' });
      await failed.first().getByRole('button').focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      const summary = dialog.getByText('Request', { exact: true });
      await summary.focus();
      await page.keyboard.press('Enter');

      await dialog.getByText('Signature valid').waitFor();
      await dialog.getByText(`POST ${hostileUrl}`).waitFor();
      await dialog.getByText(/webhook-signature: v1,\S+/).waitFor();
      await dialog.getByText('"password":"(hidden)"').waitFor();
      await dialog.getByText(`x-hostile: ${HOSTILE}`).waitFor();
      await dialog.getByText('set-cookie: (hidden)').waitFor();
      await dialog.getByText(/took \d+ ms/).waitFor();
      await shoot(page, 'callback-attempt');
      const shown = (await dialog.textContent()) ?? '';
      assert.doesNotMatch(shown, /hook-word-1|from-the-listener/);
      assert.equal(await dialog.locator('img, script').count(), 0);
      assert.match(await page.title(), /Linekeeper/);

      await page.keyboard.press('Escape');
      assert.ok((await put(page, { ...given, password: 'hook-word-2' })).ok());
      await page.reload();
      await failed.first().getByRole('button').click();
      await summary.click();
      await dialog.getByText('Signature cannot be checked').waitFor();
      assert.equal(await dialog.getByText(/webhook-signature/).count(), 0);
    },
  );
});

describe('a test event', () => {
  inBrowser(
    scene,
    'is the sample of the catalogue, can be changed, and is sent as it was written',
    async ({ open, shoot, listener }) => {
      const page = await open(CALLBACKS, 'user');
      await page.getByRole('table', { name: 'Listeners' }).waitFor();
      await put(page, { url: listener.url, username: 'hook', password: 'hook-word-1' });
      await chooseEvent(page, 'niddUplink');
      const dialog = page.getByRole('dialog', { name: 'Send a test event' });
      const payload = dialog.getByLabel('Payload');
      const sample = JSON.parse(await payload.inputValue());
      assert.equal(typeof sample.requestId, 'string');
      await shoot(page, 'callback-test-event');

      const heard = listener.heard.length;
      await payload.fill(JSON.stringify({ ...sample, note: HOSTILE }, null, 2));
      await dialog.getByRole('button', { name: 'Send' }).focus();
      await page.keyboard.press('Enter');
      await listener.next(heard + 1);
      const { body } = listener.heard[heard]!;
      assert.equal(body['note'], HOSTILE);
      assert.equal(body['callbackCount'], 1);
      await dialog.waitFor({ state: 'detached' });
    },
  );

  inBrowser(scene, 'that is no JSON object, or too large, is not sent, and says why', async ({ open }) => {
    const page = await open(CALLBACKS, 'user');
    await page.getByRole('table', { name: 'Listeners' }).waitFor();
    await chooseEvent(page, 'niddUplink');
    const dialog = page.getByRole('dialog', { name: 'Send a test event' });
    const payload = dialog.getByLabel('Payload');
    const send = dialog.getByRole('button', { name: 'Send' });
    const sample = await payload.inputValue();
    for (const [text, problem] of [
      ['{ "a": ', 'It is not JSON'],
      ['[1, 2]', 'It must be a JSON object'],
      ['null', 'It must be a JSON object'],
      [JSON.stringify({ text: 'é'.repeat(33_000) }), 'It is larger than 64 KiB'],
    ] as const) {
      await payload.fill(text);
      await dialog.getByRole('alert').getByText(problem).waitFor();
      assert.equal(await send.isDisabled(), true, text.slice(0, 20));
    }
    // A slip must not discard the user's text.
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await dialog.getByRole('button', { name: 'Put the sample back' }).click();
    assert.equal(await payload.inputValue(), sample);
    assert.equal(await send.isDisabled(), false);
  });
});
