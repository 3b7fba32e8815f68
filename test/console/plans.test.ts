import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { PLAN } from '../../demo/plans.ts';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';

const scene = await openConsole();
const HOSTILE = 'Six <img src=x onerror="document.title=1">';
const rowOf = (page: Page, table: string, text: string) =>
  page.getByRole('table', { name: table, exact: true }).getByRole('row').filter({ hasText: text });

describe('the page of plans', () => {
  inBrowser(scene, 'makes a plan and changes it, and overwrites none', async ({ open, world, shoot }) => {
    const page = await open('/plans');
    await rowOf(page, 'Plans', PLAN.share1Gb).getByText('1 GB', { exact: true }).waitFor();
    await shoot(page, 'plans');
    await page.getByRole('button', { name: 'New plan' }).click();
    const making = page.getByRole('dialog', { name: 'New plan' });
    await making.getByLabel('Code').fill(PLAN.share1Gb);
    await making.getByLabel('Name', { exact: true }).fill(HOSTILE);
    await making.getByLabel(/^Allowance per line/).fill('6.5');
    await making.getByRole('button', { name: 'Create' }).click();
    await making.getByText('A plan with this code already exists.').waitFor();
    await making.getByLabel('Code').fill('TEST-6');
    await making.getByRole('button', { name: 'Create' }).click();
    const row = rowOf(page, 'Plans', 'TEST-6');
    await row.getByText('6.5 MB').waitFor();
    await row.getByText(HOSTILE).waitFor();
    assert.equal(await page.locator('img[src=x]').count(), 0);

    await row.getByRole('button', { name: 'TEST-6' }).click();
    const editing = page.getByRole('dialog', { name: 'Plan TEST-6' });
    await editing.getByLabel('Rate per MB').fill('0.125');
    await shoot(page, 'plans-edit');
    await editing.getByRole('button', { name: 'Save' }).click();
    await row.getByText('0.125').waitFor();
    const plans = (await world.operator('GET', '/plans')).json();
    const { allowanceBytes, ratePerMb, kind } = plans.find(({ code }: { code: string }) => code === 'TEST-6');
    assert.deepEqual([allowanceBytes, ratePerMb, kind], [6.5 * 1024 ** 2, 0.125, 'payAsYouGo']);
  });

  inBrowser(scene, 'makes a rate plan group and changes which accounts share it', async ({ open, world }) => {
    const { ecpdId } = (await world.operator('GET', `/accounts/${ACCOUNT}`)).json();
    const page = await open('/plans/groups');
    await page.getByRole('button', { name: 'New group' }).click();
    const making = page.getByRole('dialog', { name: 'New rate plan group' });
    await making.getByLabel('Customer').fill(ecpdId);
    await making.getByLabel('Number').fill('4711');
    await making.getByLabel('Plans').fill(`${PLAN.share1Gb}\nNO-SUCH-PLAN`);
    await making.getByRole('button', { name: 'Create' }).click();
    await making.getByRole('alert').filter({ hasText: 'names a plan that does not exist' }).waitFor();
    await making.getByLabel('Plans').fill(`${PLAN.share2Gb}\n${PLAN.share1Gb}`);
    await making.getByRole('button', { name: 'Create' }).click();
    const row = rowOf(page, 'Rate plan groups', '4711');
    await row.getByText(`${PLAN.share2Gb}, ${PLAN.share1Gb}`).waitFor();
    await row.getByRole('button', { name: '4711' }).click();
    const editing = page.getByRole('dialog', { name: `Group 4711 of ${ecpdId}` });
    await editing.getByLabel('Accounts').fill(ACCOUNT);
    await editing.getByRole('button', { name: 'Save' }).click();
    await row.getByText(ACCOUNT).waitFor();
    const groups = (await world.operator('GET', `/rate-plan-groups?ecpdId=${ecpdId}`)).json();
    const made = groups.find((one: { ratePlanGroupId: number }) => one.ratePlanGroupId === 4711);
    assert.deepEqual([made.planCodes, made.accounts], [[PLAN.share2Gb, PLAN.share1Gb], [ACCOUNT]]);
  });

  inBrowser(
    scene,
    'deletes a plan and a group by their names, and says what uses one that stays',
    async ({ open, world, shoot }) => {
      const { ecpdId } = (await world.operator('GET', `/accounts/${ACCOUNT}`)).json();
      const code = 'TEST-GOES';
      await world.import({
        plans: [{ code, carrierServicePlanCode: code, name: 'Goes', kind: 'share' }],
        ratePlanGroups: [{ ecpdId, ratePlanGroupId: 4_713, planCodes: [code], accounts: [] }],
      });
      const page = await open('/plans/catalogue');
      const ask = async (table: string, text: string, what: string) => {
        await rowOf(page, table, text).getByRole('button', { name: text }).click();
        await page
          .getByRole('dialog')
          .getByRole('button', { name: `Delete ${what}` })
          .click();
        const deleting = page.getByRole('dialog', { name: `Delete ${what} ${text}` });
        await deleting.getByLabel(`Type ${text} to confirm`).fill(text);
        await deleting.getByRole('button', { name: 'Delete permanently' }).click();
        return deleting;
      };
      const refused = await ask('Plans', PLAN.share1Gb, 'plan');
      await refused.getByText(/^The plan is in use and cannot be deleted: [\d,]+ lines are on it/).waitFor();
      await shoot(page, 'plans-in-use');
      await refused.getByRole('button', { name: 'Cancel' }).click();
      const held = await ask('Plans', code, 'plan');
      await held.getByText('1 rate plan group has it').waitFor();
      await held.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('tab', { name: 'Rate plan groups' }).click();
      await ask('Rate plan groups', '4713', 'group');
      await page.getByText('Group 4713 deleted').waitFor();
      await page.getByRole('tab', { name: 'Plans' }).click();
      await ask('Plans', code, 'plan');
      await page.getByText(`Plan ${code} deleted`).waitFor();
      const plans = (await world.operator('GET', '/plans')).json();
      assert.ok(!plans.some((plan: { code: string }) => plan.code === code));
    },
  );

  inBrowser(scene, 'offers no deletion to who may not delete', async ({ openAs }) => {
    const page = await openAs(['read', 'fleet'], '/plans/catalogue');
    await rowOf(page, 'Plans', PLAN.share1Gb).getByRole('button', { name: PLAN.share1Gb }).click();
    const editing = page.getByRole('dialog', { name: `Plan ${PLAN.share1Gb}` });
    await editing.getByRole('button', { name: 'Save' }).waitFor();
    assert.equal(await editing.getByRole('button', { name: 'Delete plan' }).count(), 0);
  });
});
