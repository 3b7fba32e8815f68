import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { postNotifications } from '../../src/features/notifications/index.ts';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';

const scene = await openConsole({}, { simulator: true, snapshots: true });
const EVENT = { accountName: ACCOUNT, serviceName: 'CarrierService', payload: {} };

describe('the bar of the sandbox', () => {
  inBrowser(
    scene,
    'is on every page for who may move the clock, and for nobody else',
    async ({ open, shoot }) => {
      const page = await open(`/accounts/${ACCOUNT}/overview`);
      const bar = page.getByRole('region', { name: 'Sandbox' });
      await bar.getByRole('button', { name: 'Advance by 1 hour' }).waitFor();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await shoot(page, 'sandbox-bar');
      const other = await open(`/accounts/${ACCOUNT}/overview`, 'user');
      await other.getByRole('heading', { name: 'Overview' }).waitFor();
      assert.equal(await other.getByRole('region', { name: 'Sandbox' }).count(), 0);
    },
  );

  inBrowser(scene, 'moves time, and time stands still when it is frozen', async ({ open, world }) => {
    const page = await open(`/accounts/${ACCOUNT}/billing`);
    const bar = page.getByRole('region', { name: 'Sandbox' });
    // This world's clock is frozen from the start.
    await bar.getByText('Frozen').waitFor();
    const shown = () => bar.locator('time').first().textContent();
    const first = await shown();
    await page.waitForTimeout(1_500);
    assert.equal(await shown(), first);
    await bar.getByRole('button', { name: 'Unfreeze the clock' }).click();
    await page.getByText('Clock running').waitFor();
    await bar.getByText(first!).waitFor({ state: 'detached' });
    const before = world.ctx.now().getTime();
    await bar.getByRole('button', { name: 'Advance by 1 day' }).click();
    await page.getByText(/Clock advanced; [\d,]+ jobs done/).waitFor();
    assert.ok(world.ctx.now().getTime() - before >= 86_400_000);
    await bar.getByRole('button', { name: 'Freeze the clock' }).click();
    await bar.getByText('Frozen').waitFor();
    assert.equal((await world.operator('GET', '/clock')).json().frozen, true);
  });
});

describe('the tools of the sandbox', () => {
  inBrowser(scene, 'show the mail and SMS that people would have got', async ({ open, world, shoot }) => {
    const page = await open('/sandbox/inbox');
    const { ecpdId } = (await world.operator('GET', `/accounts/${ACCOUNT}`)).json();
    const message = { accountName: ACCOUNT, text: 'Truck 101 has used 90 % of its plan.' };
    await postNotifications(world.ctx, ecpdId, [
      {
        ...message,
        channel: 'mail',
        to: ['night@example.com'],
        subject: 'A plan is used up',
        dedupeKey: 'm',
      },
      { ...message, channel: 'mail', to: ['day@example.com'], subject: 'A second mail', dedupeKey: 'n' },
      { ...message, channel: 'sms', to: ['+15550100'], subject: '', dedupeKey: 's' },
    ]);
    world.notifier.start();
    const list = page.getByRole('list', { name: 'Messages' });
    await list.getByRole('button', { name: /A plan is used up/ }).click();
    const opened = page.getByRole('article', { name: 'Message' });
    await opened.getByText(message.text).waitFor();
    await opened.getByText('Captured').waitFor();
    await shoot(page, 'sandbox-inbox');
    await page.getByRole('tab', { name: 'SMS' }).click();
    await opened.getByText('+15550100', { exact: false }).first().waitFor();
  });

  inBrowser(
    scene,
    'tell of each call what became of it and what it caused',
    async ({ open, world, shoot }) => {
      const done = await world.operator('POST', '/events', { ...EVENT, requestId: 'told-in-the-log' });
      assert.equal(done.statusCode, 200);
      await world.operator('POST', '/events', { ...EVENT, serviceName: 'Nothing' });
      const page = await open('/sandbox/requests');
      const table = page.getByRole('table', { name: 'Requests' });
      await table.getByText('400').first().waitFor();
      await page.getByLabel('Status', { exact: true }).fill('200');
      await table.getByText('400').first().waitFor({ state: 'detached' });
      await shoot(page, 'sandbox-requests');
      await table.getByRole('button', { name: 'POST /operator/v1/events' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('link', { name: 'Callback of CarrierService' }).waitFor();
      await dialog.getByText(/^curl/).waitFor();
      await shoot(page, 'sandbox-request');
    },
  );

  inBrowser(scene, 'keep a state, and go back to it after asking', async ({ open, shoot }) => {
    const page = await open('/sandbox/snapshots');
    await page.getByLabel('Save the current state as').fill('before-trial');
    await page.getByRole('button', { name: 'Save' }).click();
    const table = page.getByRole('table', { name: 'Snapshots' });
    await table.getByText('before-trial').waitFor();
    await shoot(page, 'sandbox-snapshots');
    await table.getByRole('button', { name: 'Restore before-trial' }).click();
    await page.getByRole('dialog').getByText('Everything since then is lost').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Snapshot before-trial restored').waitFor();
    await table.getByRole('button', { name: 'Delete before-trial' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete snapshot' }).click();
    await page.getByText('No snapshots yet').waitFor();
  });

  inBrowser(scene, 'let calls fail, and say on every page that they do', async ({ open, world, shoot }) => {
    const page = await open('/sandbox/failures');
    await page.getByRole('button', { name: 'New rule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Which calls').fill('operatorListJobs');
    await dialog.getByLabel('How many times').fill('1');
    await dialog.getByRole('button', { name: 'Add rule' }).click();
    const rules = page.getByRole('table', { name: 'Rules' });
    await rules.getByText('operatorListJobs: answers 503; once').waitFor();
    assert.equal((await world.operator('GET', '/jobs')).statusCode, 503);
    assert.equal((await world.operator('GET', '/jobs')).statusCode, 200);
    await rules.getByRole('row').nth(1).getByRole('cell', { name: '1' }).first().waitFor();
    await shoot(page, 'sandbox-failures');
    await page.goto(`${scene!.url}/accounts/${ACCOUNT}/overview`);
    await page.getByRole('region', { name: 'Sandbox' }).getByRole('link', { name: 'Failures 1' }).click();
    await rules.getByRole('button', { name: 'Remove rule 1' }).click();
    await page.getByText('No failures are injected', { exact: true }).waitFor();
  });

  inBrowser(scene, 'make the network fail', async ({ open, world, shoot }) => {
    const page = await open('/sandbox');
    await page.getByText('Stopped', { exact: true }).waitFor();
    await page.getByLabel('Network', { exact: true }).selectOption('unreachable');
    await page.getByText('Simulated network: cannot be reached').waitFor();
    assert.equal((await world.operator('GET', '/network/simulation')).json().condition, 'unreachable');
    await shoot(page, 'sandbox-simulator');
  });
});
