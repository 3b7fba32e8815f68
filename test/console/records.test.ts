import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { sql } from '../../src/platform/db/sql.ts';
import { inBrowser, openConsole } from './support/scene.ts';

const scene = await openConsole();
const COLD_CHAIN = '0000700001-00002';
const records = (page: string) => `/accounts/${COLD_CHAIN}/${page}`;

describe('device records', () => {
  inBrowser(
    scene,
    'are found by their fields, and what the owner says is changed',
    async ({ open, shoot }) => {
      const page = await open(records('records'), 'user');
      const table = page.getByRole('table', { name: 'Records' });
      await table.getByRole('link').first().waitFor();
      await shoot(page, 'records');
      await page.getByRole('tab', { name: 'Gateways' }).click();
      await table.getByRole('link', { name: 'Cold room gateway 102' }).waitFor();
      await page.getByLabel('Fields').fill('name = Cold room gateway 101');
      await table.getByRole('link', { name: 'Cold room gateway 102' }).waitFor({ state: 'detached' });
      await page.getByLabel('Fields').fill('colour = red');
      await page.getByText(/names a field that these records do not have: colour/).waitFor();
      await page.getByLabel('Fields').fill('Cold room gateway 101');
      await table.getByRole('link', { name: 'Cold room gateway 101' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Cold room gateway 101', level: 1 }).waitFor();
      await page.getByRole('button', { name: 'Edit' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Description').fill('By the loading ramp');
      await dialog.getByLabel('Custom data').fill('{"ramp": 12345678901234567890');
      await dialog.getByRole('button', { name: 'Change' }).click();
      await dialog.getByText('This is not a JSON object').waitFor();
      await dialog.getByLabel('Custom data').fill('{"ramp": 12345678901234567890}');
      await dialog.getByRole('button', { name: 'Change' }).click();
      await page.getByText('By the loading ramp').waitFor();
      await page.locator('pre', { hasText: '"ramp": 12345678901234567890' }).waitFor();
      await dialog.waitFor({ state: 'detached' });
    },
  );
});

describe('rules', () => {
  inBrowser(
    scene,
    'are made with the word whether they are evaluated, switched off and deleted; their alerts are acknowledged',
    async ({ open, shoot, world }) => {
      const page = await open(records('records/gateway'), 'user');
      await page.getByRole('link', { name: 'Cold room gateway 101' }).click();
      const rules = page.getByRole('table', { name: 'Rules' });
      await rules.getByRole('button', { name: 'Gateway on battery', exact: true }).waitFor();
      await page.getByRole('button', { name: 'New rule' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Too hot');
      await dialog.getByRole('tab', { name: 'JSON' }).click();
      await dialog.getByLabel('Rule chain').fill('{"field": "temperature"}');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('Not evaluated').waitFor();
      await dialog.getByLabel('Rule chain').fill('{"field": "temperature", "operator": "gt", "value": 3}');
      await dialog.getByRole('tab', { name: 'Form' }).click();
      await dialog.getByLabel('Value').fill('30');
      await dialog.getByText('Raises an alert when temperature is above 30.').waitFor();
      await shoot(page, 'rule');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('as conditions').waitFor();
      await dialog.getByText('Versions').click();
      const versions = dialog.getByRole('list', { name: 'Versions' });
      await versions.getByRole('listitem').nth(1).getByText('created').waitFor();
      await versions.getByRole('listitem').first().getByText('Rule chain').waitFor();
      await shoot(page, 'rule-versions');
      await dialog.getByRole('button', { name: 'Done' }).click();
      const row = rules.getByRole('row').filter({ hasText: 'Too hot' });
      await row.getByText('Evaluated', { exact: true }).waitFor();

      await world.watcher.settle();
      const imei = await page
        .locator('dt', { hasText: /^imei$/ })
        .locator('xpath=following-sibling::dd')
        .textContent();
      const fed = await world.operator('POST', '/readings', {
        kind: 'imei',
        device: imei,
        at: world.ctx.now(),
        values: { temperature: 31 },
      });
      assert.equal(fed.json().accepted, 1, fed.body);
      const raised = page.getByRole('table', { name: 'Smart alerts' });
      await raised.getByText('Raised', { exact: true }).nth(1).waitFor();
      await shoot(page, 'record');
      await page.getByRole('link', { name: 'Smart alerts' }).click();
      await page.getByRole('heading', { name: 'Smart alerts', level: 1 }).waitFor();
      const hot = raised.getByRole('row').filter({ hasText: 'Too hot' });
      await hot.getByRole('link', { name: 'Cold room gateway 101' }).waitFor();
      await hot.getByText('temperature 31 (is above 30)').waitFor();
      await shoot(page, 'alerts');
      await raised.getByRole('checkbox', { name: /^Select Too hot/ }).focus();
      await page.keyboard.press('Space');
      await page.getByText('1 selected.').waitFor();
      await page.getByRole('button', { name: 'Acknowledge selected' }).click();
      await hot.getByText('by demo-user').waitFor();
      await page.getByLabel('State').selectOption('cleared');
      await page.getByText('No rule has raised an alert').waitFor();

      await page.goBack();
      await row.getByRole('button', { name: 'Disable Too hot' }).click();
      await row.getByText('the rule is disabled').waitFor();
      await row.getByRole('button', { name: 'Delete Too hot' }).click();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await row.waitFor({ state: 'detached' });
    },
  );

  inBrowser(
    scene,
    'are tried on the last reading before they are saved, and say what they compared',
    async ({ open, shoot, world }) => {
      const imei = (
        await world.ctx.db.one<{ imei: string }>(sql`
        select imei from device where record->>'name' = 'Cold room gateway 102'`)
      ).imei;
      const at = world.ctx.now();
      const fed = await world.operator('POST', '/readings', {
        ...{ kind: 'imei', device: imei, at, values: { temperature: 34, door: 'open' } },
      });
      assert.equal(fed.json().accepted, 1, fed.body);
      const page = await open(records('records/gateway'), 'user');
      await page.getByRole('link', { name: 'Cold room gateway 102' }).click();
      await page.getByRole('button', { name: 'New rule' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Field').fill('temperature');
      await dialog.getByLabel('Value').fill('40');
      await dialog.getByRole('button', { name: 'Try it on the last reading' }).click();
      await dialog.getByText('The condition does not hold').waitFor();
      await dialog.getByText('temperature 34 (is above 40)').waitFor();
      await dialog.getByRole('button', { name: 'Add a condition' }).click();
      await dialog.getByLabel('How conditions combine').selectOption('any');
      await dialog.getByLabel('Field').nth(1).fill('door');
      await dialog.getByLabel('Operator').nth(1).selectOption('eq');
      await dialog.getByLabel('Value').nth(1).fill('open');
      await dialog.getByText('Raises an alert when temperature is above 40 or door is open.').waitFor();
      await dialog.getByRole('button', { name: 'Try it on the last reading' }).click();
      await dialog.getByText('The condition holds').waitFor();
      await shoot(page, 'rule-trial');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('table', { name: 'Rules' }).getByText('No rules yet').waitFor();
    },
  );
});
