import assert from 'node:assert/strict';
import { afterEach, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '../../src/platform/db/sql.ts';
import { makeTriggers, PLAN } from './support/acting-triggers.ts';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';

const COLD_CHAIN = '0000700001-00002';
const HOSTILE = '<img src=x onerror=alert(1)> & co';
const scene = await openConsole({
  LINEKEEPER_ACTION_DEVICES_MAX: '1',
  LINEKEEPER_CONSOLE_CONFIRM_LINES: '2',
});
const at = (page: string, account = ACCOUNT) => `/accounts/${account}/${page}`;
const triggers = scene && makeTriggers(scene);
const link = (page: Page) => page.getByRole('navigation').getByRole('link', { name: 'Approvals' });
const table = (page: Page) => page.getByRole('table', { name: 'Approvals' });
const rows = (page: Page) => table(page).getByRole('button', { name: 'used, beyond' });
const dialog = (page: Page) => page.getByRole('dialog').last();
const nothing = (page: Page) => page.getByText('Nothing is waiting for approval').waitFor();

const countSuspended = async (): Promise<number> =>
  (
    await scene!.world.ctx.db.one<{ lines: number }>(sql`
      select count(*)::int as lines from device
      where account_name = ${ACCOUNT} and service_plan = ${PLAN} and state = 'suspend'`)
  ).lines;

/** Signs in as a user created for this test. */
async function signIn(page: Page, username: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(`${username}-password`);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

// Each test starts with lines that can be suspended, and without triggers of another test.
afterEach(async () => {
  if (scene === undefined) return;
  const { db } = scene.world.ctx;
  await scene.world.engine.settle();
  await db.exec(sql`delete from price_plan_trigger where trigger_name like 'Beyond%'`);
  await db.exec(
    sql`update trigger_action set state = 'skipped', ended_at = now() where state = 'awaitingApproval'`,
  );
  await db.exec(sql`update device set state = 'active' where state = 'suspend'`);
  await db.exec(sql`delete from device_suspension`);
});

describe('approvals', () => {
  inBrowser(
    scene,
    'come with a badge that is live, and are rejected one by one or approved together after their number was typed',
    async ({ open, shoot, world }) => {
      const page = await open(at('overview'), 'user');
      await page.getByText('Live', { exact: true }).waitFor();
      assert.equal(await link(page).innerText(), 'Approvals');
      const suspended = await countSuspended();
      await triggers!.suspend(page, `Beyond ${HOSTILE}`, 'Monthly');
      for (const cycle of ['Daily', 'Weekly']) await triggers!.suspend(page, `Beyond ${cycle}`, cycle);
      await triggers!.use();
      await link(page).getByText('3').waitFor();
      await link(page).click();
      await table(page).getByText(`Beyond ${HOSTILE}`, { exact: true }).waitFor();
      await shoot(page, 'approvals');

      await table(page).getByRole('button', { name: 'Reject Beyond Daily' }).click();
      await dialog(page)
        .getByText(/Rejected: Suspends \d+ lines of account .* for 30 days/)
        .waitFor();
      await dialog(page).getByRole('button', { name: 'Reject' }).click();
      await page.getByText('1 firing rejected').waitFor();
      await link(page).getByText('2').waitFor();
      await table(page).getByText('Beyond Daily').waitFor({ state: 'detached' });

      await page.getByRole('button', { name: 'Select all shown' }).click();
      await page.getByText('2 selected.').waitFor();
      await page.getByRole('button', { name: 'Approve selected' }).click();
      await dialog(page).getByText(`Beyond ${HOSTILE}: `).waitFor();
      const yes = dialog(page).getByRole('button', { name: 'Approve' });
      assert.equal(await yes.isDisabled(), true);
      const typed = dialog(page).getByLabel(/^Type \d+ to continue$/);
      const lines = /\d+/.exec(
        await dialog(page)
          .getByText(/^Type \d+/)
          .innerText(),
      )![0];
      await typed.fill(lines);
      await shoot(page, 'approve');
      await yes.click();
      await page.getByText('2 firings approved').waitFor();
      await nothing(page);
      await link(page).getByText('2').waitFor({ state: 'detached' });
      await world.engine.settle();
      assert.equal(((await countSuspended()) - suspended) * 2, Number(lines));
    },
  );

  inBrowser(scene, 'are chosen, looked into and rejected by keyboard alone', async ({ open, url }) => {
    const page = await open(at('approvals'), 'user');
    await nothing(page);
    await triggers!.suspend(page, 'Beyond by keys', 'Monthly');
    const { recordId } = await triggers!.use();
    await page.goto(`${url}${at('approvals')}`);
    await table(page).getByRole('checkbox').focus();
    await page.keyboard.press('Space');
    await page.getByText('1 selected.').waitFor();
    await rows(page).focus();
    await page.keyboard.press('Enter');
    await dialog(page).getByText(`record ${recordId}`).waitFor();
    await dialog(page).getByText('All accounts together').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Reject selected' }).focus();
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('button', { name: 'Reject' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('1 firing rejected').waitFor();
    await nothing(page);
  });

  inBrowser(
    scene,
    'that cannot be approved any more say why, and are left to be rejected',
    async ({ open, world }) => {
      const page = await open(at('approvals'), 'user');
      await triggers!.suspend(page, 'Beyond a pause', 'Monthly');
      await triggers!.use();
      await table(page).getByRole('button', { name: 'Approve Beyond a pause' }).click();
      await world.operator('POST', '/actions/pause');
      const label = await dialog(page)
        .getByText(/^Type \d+/)
        .innerText();
      await dialog(page).getByLabel(label).fill(/\d+/.exec(label)![0]);
      await dialog(page).getByRole('button', { name: 'Approve' }).click();
      await dialog(page).getByText('1 firing could not be approved:').waitFor();
      await dialog(page).getByText('Actions are paused by the operator').waitFor();
      await dialog(page).getByRole('button', { name: 'Close' }).last().click();
      await page.getByText('Nothing can be approved until the operator resumes them').waitFor();
      assert.equal(await table(page).getByRole('button', { name: 'Approve' }).count(), 0);
      await world.operator('POST', '/actions/resume');
      await table(page).getByRole('button', { name: 'Reject Beyond a pause' }).click();
      await dialog(page).getByRole('button', { name: 'Reject' }).click();
      await nothing(page);
    },
  );

  inBrowser(
    scene,
    'of a trigger on two accounts are on the page of each for whoever has both, and nowhere for whoever has one',
    async ({ open, openAlone, world }) => {
      await world.import({
        users: [
          { username: 'both', password: 'both-password', accounts: [ACCOUNT, COLD_CHAIN] },
          { username: 'one', password: 'one-password', accounts: [ACCOUNT] },
        ],
        devices: ['990000000099101', '990000000099102'].map((imei) => ({
          accountName: COLD_CHAIN,
          imei,
          servicePlan: PLAN,
          planSince: '2025-06-01T00:00:00Z',
        })),
      });
      const owner = await open(at('approvals'), 'user');
      await triggers!.suspend(owner, 'Beyond together', 'Monthly', [ACCOUNT, COLD_CHAIN]);
      await triggers!.suspend(owner, 'Beyond alone', 'Monthly');
      await triggers!.use();
      const page = await openAlone(at('approvals'));
      await signIn(page, 'both');
      await table(page).getByText('Beyond alone').waitFor();
      const together = table(page).getByRole('row').filter({ hasText: 'Beyond together' });
      await together.getByText(/Suspends \d+ lines of 2 accounts/).waitFor();
      await link(page).getByText('2').waitFor();
      await page.getByRole('button', { name: `Account ${ACCOUNT}` }).click();
      await page.getByRole('button', { name: COLD_CHAIN }).click();
      await page.waitForURL(new RegExp(`/accounts/${COLD_CHAIN}/approvals`));
      await table(page).getByText('Beyond together').waitFor();
      await link(page).getByText('1').waitFor();
      assert.equal(await table(page).getByText('Beyond alone').count(), 0);
      await table(page).getByRole('button', { name: 'Reject Beyond together' }).click();
      await dialog(page)
        .getByText(new RegExp(`2 lines of account ${COLD_CHAIN}`))
        .waitFor();
      await dialog(page).getByRole('button', { name: 'Reject' }).click();
      await nothing(page);
      await page.close();

      await triggers!.suspend(owner, 'Beyond again together', 'Daily', [ACCOUNT, COLD_CHAIN]);
      await triggers!.use();
      await link(owner).getByText('2').waitFor();
      const other = await openAlone(at('approvals'));
      await signIn(other, 'one');
      await table(other).getByText('Beyond alone').waitFor();
      await link(other).getByText('1').waitFor();
      assert.equal(await table(other).getByText('Beyond again together').count(), 0);
      await other.close();
    },
  );

  inBrowser(
    scene,
    'are shown without a badge or a button to an operator who may only read',
    async ({ open, openAlone, world }) => {
      const owner = await open(at('approvals'), 'user');
      await triggers!.suspend(owner, 'Beyond a reader', 'Monthly');
      await triggers!.use();
      await link(owner).getByText('1').waitFor();
      const { key } = (await world.operator('POST', '/keys', { name: 'looker', scopes: ['read'] })).json();
      const page = await openAlone(at('approvals'));
      await page.getByRole('tab', { name: 'Operator' }).click();
      await page.getByLabel('Operator key').fill(key);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await table(page).getByText('Beyond a reader').waitFor();
      assert.equal(await link(page).innerText(), 'Approvals');
      assert.equal(await page.getByRole('checkbox').count(), 0);
      await rows(page).click();
      await dialog(page).getByText('Awaiting approval').waitFor();
      assert.equal(await page.getByRole('button', { name: /Approve|Reject/ }).count(), 0);
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Beyond a reader' }).click();
      await page.getByRole('table', { name: 'Firings' }).getByText('Awaiting approval').waitFor();
      assert.equal(await page.getByRole('button', { name: /Edit|Delete|Switch off/ }).count(), 0);
      await page.getByRole('button', { name: 'Run back-test' }).click();
      await page.getByRole('figure').waitFor();
      await page.close();
    },
  );
});
