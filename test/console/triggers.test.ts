import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { sql } from '../../src/platform/db/sql.ts';
import { beyond, makeTriggers } from './support/acting-triggers.ts';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';

const HOSTILE = '<img src=x onerror=alert(1)> truck';

const scene = await openConsole({ LINEKEEPER_ACTION_DEVICES_MAX: '1' });
const at = (page: string) => `/accounts/${ACCOUNT}/${page}`;

describe('price plan triggers', () => {
  inBrowser(
    scene,
    'one is made in a form that shows what its condition needs and what is wrong at its field, tried on the past, and deleted',
    async ({ open, shoot }) => {
      const page = await open(at('triggers'), 'user');
      await page.getByRole('link', { name: 'Truck beyond 4 MB' }).waitFor();
      await shoot(page, 'triggers');
      await page.getByRole('button', { name: 'New trigger' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Lines beyond 3 MB');
      await page.keyboard.press('Escape');
      const question = page.getByRole('dialog', { name: 'Discard your entries?' });
      await question.getByRole('button', { name: 'Keep editing' }).click();
      assert.equal(await dialog.getByLabel('Name').inputValue(), 'Lines beyond 3 MB');
      const sentence = dialog.locator('.trigger-sentence');
      await sentence.getByText('When a line on … of account').waitFor();
      await dialog.getByLabel('Plan', { exact: true }).selectOption('LK-PAYG-5MB');
      await dialog.getByLabel('Watches').selectOption('Aging');
      await dialog.getByLabel('Billing months on the plan').waitFor();
      assert.equal(await dialog.getByLabel('Threshold').count(), 0);
      await dialog.getByLabel('Watches').selectOption('AccountLevel');
      await dialog.getByLabel('Accounts are counted').waitFor();
      await dialog.getByLabel('Then').selectOption('suspend');
      await dialog.getByLabel('Suspends above').waitFor();
      await dialog.getByLabel('Watches').selectOption('Individual');
      assert.equal(await dialog.getByLabel('Suspends above').count(), 0);
      await dialog.getByLabel('Threshold').fill('0');
      await sentence.getByText('uses more than 0 MB in a billing month').waitFor();
      await sentence
        .getByText('the line is suspended until the next billing month, without billing')
        .waitFor();
      const threshold = dialog.getByLabel('Threshold');
      await threshold.fill('-1');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.locator('input[aria-invalid="true"]').waitFor();
      assert.equal(await threshold.getAttribute('aria-invalid'), 'true');
      assert.equal(await page.evaluate('document.activeElement.ariaInvalid'), 'true');
      await shoot(page, 'trigger-form');
      await threshold.fill('3');

      await dialog.getByLabel('SMS', { exact: true }).check();
      await dialog.getByLabel('SMS to').fill('5550001111 Acme\n555 Acme');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.getByText('Number 2: number must have 10 digits').waitFor();
      assert.equal(await dialog.getByLabel('SMS to').getAttribute('aria-invalid'), 'true');
      await dialog.getByLabel('SMS', { exact: true }).uncheck();

      const chosen = dialog.getByRole('group', { name: 'Accounts' }).getByRole('checkbox', { name: ACCOUNT });
      await chosen.uncheck();
      await dialog.getByRole('button', { name: 'Run back-test' }).click();
      await dialog.getByRole('group', { name: 'Accounts' }).getByRole('alert').waitFor();
      await chosen.check();
      await dialog.getByRole('button', { name: 'Run back-test' }).click();
      const trial = dialog.getByRole('table', { name: 'Back-test' });
      await trial.getByText('Suspends until the next billing month').first().waitFor();
      const chart = dialog.getByRole('figure');
      await chart.getByRole('table', { name: /Threshold 3 MB/ }).waitFor({ state: 'attached' });
      await chart.getByText('Would have fired').first().waitFor();
      await threshold.fill('3000');
      await dialog.getByText('The rule has changed since').waitFor();
      await dialog.getByRole('button', { name: 'Run back-test' }).click();
      await trial.getByText('It would not have fired').waitFor();
      await dialog.getByText('the closest to firing').waitFor();
      await chart.getByRole('table', { name: /Threshold 2.93 GB/ }).waitFor({ state: 'attached' });
      await threshold.fill('3');
      await shoot(page, 'trigger-form-tried');
      await dialog.getByRole('button', { name: 'Create' }).click();

      await page.getByRole('heading', { name: 'Lines beyond 3 MB', level: 1 }).waitFor();
      await page.getByText('This trigger has not fired').waitFor();
      await page.getByRole('button', { name: 'Run back-test' }).click();
      const tried = page.getByRole('table', { name: 'Back-test' });
      await tried.getByText('Suspends until the next billing month').first().waitFor();
      await shoot(page, 'trigger-backtest');
      await page.getByRole('button', { name: 'Switch off' }).click();
      await page.getByText('Off', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Edit' }).click();
      assert.equal(await dialog.getByLabel('Threshold').inputValue(), '3');
      await dialog.getByLabel('Threshold').fill('4');
      await dialog.getByRole('button', { name: 'Change' }).click();
      await page.getByText('uses more than 4 MB in a billing month').waitFor();
      await page.getByRole('button', { name: 'Delete' }).click();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('heading', { name: 'Triggers', level: 1 }).waitFor();
      await page.getByRole('link', { name: 'Lines beyond 3 MB' }).waitFor({ state: 'detached' });
    },
  );

  inBrowser(scene, 'one on a group share is read into the form and changed', async ({ open, shoot }) => {
    const page = await open(at('triggers'), 'user');
    await page.getByRole('link', { name: 'Larger share when needed' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    assert.equal(await dialog.getByLabel('From plan').nth(1).inputValue(), 'LK-SHARE-2GB');
    await dialog.getByLabel('To plan').nth(1).selectOption('LK-SHARE-2GB');
    await dialog.getByRole('button', { name: 'Change' }).click();
    await dialog.getByText('This is the plan that the lines are on').waitFor();
    await shoot(page, 'trigger-share');
    await dialog.getByLabel('To plan').nth(1).selectOption('LK-SHARE-5GB');
    await dialog.getByLabel('At percent').first().fill('90');
    await dialog.getByRole('button', { name: 'Change' }).click();
    await page.getByText('A line used 90 % of its plan').waitFor();
  });

  inBrowser(scene, 'what fired says why, and what waits is approved', async ({ open, shoot, url }) => {
    const page = await open(at('triggers'), 'user');
    const { suspend, use } = makeTriggers(scene!);
    const triggerId = await suspend(page, 'Account beyond 1 MB', 'Monthly');
    await page.goto(`${url}${at(`triggers/price-plan/${triggerId}`)}`);
    await page.getByText('This trigger has not fired').waitFor();
    const { recordId } = await use();
    const firings = page.getByRole('table', { name: 'Firings' });
    await firings.getByText('Awaiting approval').waitFor();
    await shoot(page, 'trigger');
    await firings.getByRole('row').filter({ hasText: 'Awaiting approval' }).getByRole('button').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`record ${recordId}`).waitFor();
    await dialog.getByText(/It would affect \d+ devices, more than 1/).waitFor();
    await shoot(page, 'trigger-firing');
    await dialog.getByRole('button', { name: 'Approve' }).click();
    const question = page.getByRole('dialog', { name: 'Approve 1 firing?' });
    await question.getByText(/Suspends \d+ lines of account .* for 30 days, with billing/).waitFor();
    const asked = await question.getByText(/^Type \d+/).innerText();
    await question.getByLabel(asked).fill(/\d+/.exec(asked)![0]);
    await question.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('1 firing approved').waitFor();
    await dialog.getByText(/In progress|Done/).waitFor();
  });

  inBrowser(
    scene,
    'firings name the device as text and lead to it, with level, before, after and record, and the chart shows each',
    async ({ open, shoot, url, world }) => {
      const page = await open(at('triggers'), 'user');
      const { create, use } = makeTriggers(scene!);
      const triggerId = await create(page, 'Lines beyond 30 MB', beyond(30));
      const { deviceId, recordId } = await use(ACCOUNT, 40 * 1024 ** 2);
      await world.ctx.db.exec(sql`
        update device set record = record || ${JSON.stringify({ name: HOSTILE })}::jsonb where device_id = ${deviceId}::uuid`);
      await page.goto(`${url}${at(`triggers/price-plan/${triggerId}`)}`);
      await page.getByText('When a line on Pay as you go, 5 MB (LK-PAYG-5MB) of account').waitFor();
      const firings = page.getByRole('table', { name: 'Firings' });
      const row = firings.getByRole('row').filter({ hasText: HOSTILE });
      await row.getByText('30 MB', { exact: true }).waitFor();
      await row.getByText(`record ${recordId}`).waitFor();
      const [before, after] = await Promise.all([3, 4].map((n) => row.getByRole('cell').nth(n).innerText()));
      assert.equal(Number.parseFloat(after!) - Number.parseFloat(before!) > 35, true, `${before} ${after}`);
      await row.getByRole('button').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByRole('link', { name: HOSTILE }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Run back-test' }).focus();
      await page.keyboard.press('Enter');
      const used = page.locator('.past-use');
      await used.getByRole('link', { name: HOSTILE }).waitFor();
      await used.getByRole('table', { name: /Threshold 30 MB/ }).waitFor({ state: 'attached' });
      await shoot(page, 'trigger-past-use');
      await row.getByRole('link', { name: HOSTILE }).click();
      await page.waitForURL(new RegExp(`/devices/${deviceId}`));
      await page.getByRole('heading', { name: HOSTILE, level: 1 }).waitFor();
      await page.goto(`${url}${at('overview')}`);
      await page.getByRole('link', { name: HOSTILE }).first().waitFor();
    },
  );
});

describe('usage triggers', () => {
  inBrowser(scene, 'one is made, refused at its field, changed and deleted', async ({ open, shoot }) => {
    const page = await open(at('triggers'), 'user');
    await page.getByRole('tab', { name: 'Service usage' }).click();
    await page.getByRole('link', { name: 'Location at 90 percent' }).waitFor();
    await shoot(page, 'triggers-usage');
    await page.getByRole('button', { name: 'New trigger' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Location at 90 percent');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('Trigger name is not unique').waitFor();
    await dialog.getByLabel('Name').fill('Early word');
    await dialog.getByLabel('Percent of the subscription').fill('50');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByText('50 % of the subscription').waitFor();
    await page.getByText('This trigger has not fired').waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Percent of the subscription').fill('60');
    await dialog.getByRole('button', { name: 'Change' }).click();
    await page.getByText('60 % of the subscription').waitFor();
    await shoot(page, 'trigger-usage');
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('link', { name: 'Early word' }).waitFor({ state: 'detached' });
  });
});
