import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';

const scene = await openConsole();

describe('the audit log', () => {
  inBrowser(
    scene,
    'says in words who changed what, and hides reads and machines',
    async ({ open, world, shoot }) => {
      const devices = (await world.operator('GET', `/accounts/${ACCOUNT}/devices?limit=1000`)).json();
      const truck = devices.find(
        (one: { record: { name?: string }; state: string }) => one.state === 'active' && one.record.name,
      );
      const plans = devices.map((one: { servicePlan: string | null }) => one.servicePlan);
      const other = plans.find((plan: string | null) => plan !== null && plan !== truck.servicePlan);
      await world.import({ devices: [{ accountName: ACCOUNT, imei: truck.imei, servicePlan: other }] });
      const page = await open('/audit');
      const log = page.getByRole('table', { name: 'Audit log' });
      await log.getByText('imported a fleet document').first().waitFor();
      assert.equal(await log.getByText('fed usage').count(), 0);
      assert.equal(await log.getByText(/list devices/).count(), 0);
      await shoot(page, 'audit-words');

      await page.getByLabel('Include reads and machine calls').check();
      await log
        .getByText(/called list devices/)
        .first()
        .waitFor();
      await page.reload();
      await log
        .getByText(/called list devices/)
        .first()
        .waitFor();

      await page.getByLabel('What').selectOption('operatorFeedUsage');
      await log.getByText('fed usage').first().waitFor();
      await log.getByText('imported a fleet document').first().waitFor({ state: 'detached' });
    },
  );

  inBrowser(scene, 'names the line, and what was before and after', async ({ open, world }) => {
    const devices = (await world.operator('GET', `/accounts/${ACCOUNT}/devices?limit=1000`)).json();
    const truck = devices.find(
      (one: { record: { name?: string }; state: string; imei: string | null }) =>
        one.state === 'active' && one.record.name && one.imei !== null,
    );
    const answer = await world.operator('POST', `/devices/imei/${truck.imei}/state`, { state: 'suspend' });
    assert.equal(answer.statusCode, 200, answer.body);
    const page = await open('/audit');
    const log = page.getByRole('table', { name: 'Audit log' });
    await log.getByText(`changed ${truck.record.name} from Active to Suspended`).first().waitFor();
  });
});
