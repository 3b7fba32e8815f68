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
    await making.getByLabel('Name').fill(HOSTILE);
    await making.getByLabel(/^A line may use/).fill('6.5');
    await making.getByRole('button', { name: 'Create' }).click();
    await making.getByText('There is a plan of this code already.').waitFor();
    await making.getByLabel('Code').fill('TEST-6');
    await making.getByRole('button', { name: 'Create' }).click();
    const row = rowOf(page, 'Plans', 'TEST-6');
    await row.getByText('6.5 MB').waitFor();
    await row.getByText(HOSTILE).waitFor();
    assert.equal(await page.locator('img[src=x]').count(), 0);

    await row.getByRole('button', { name: 'TEST-6' }).click();
    const editing = page.getByRole('dialog', { name: 'Plan TEST-6' });
    await editing.getByLabel('Rate for a MB').fill('0.125');
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
});
