import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { inBrowser, openMainConsole } from './support/scene.ts';

const scene = await openMainConsole();

describe('operation', () => {
  inBrowser(
    scene,
    'an operator moves the clock, and the audit log has it',
    async ({ open, shoot, world }) => {
      const page = await open('/operation');
      const before = world.ctx.now().getTime();
      await page.getByRole('button', { name: '1 hour', exact: true }).click();
      await page.getByText(/Clock advanced/).waitFor();
      assert.ok(world.ctx.now().getTime() - before >= 3_600_000);
      await shoot(page, 'clock');
      await page.getByRole('button', { name: '1 month', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Pause', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
      await page.getByText('Paused', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Audit log' }).click();
      const audit = page.getByRole('table', { name: 'Audit log' });
      await audit.getByText('advanced the clock by PT1H').first().waitFor();
      await shoot(page, 'audit');
      await audit.getByRole('row').nth(1).getByRole('button').click();
      await page.getByRole('dialog').getByText('first (operator)').waitFor();
    },
  );

  inBrowser(scene, 'a user is not offered it, and finds nothing there', async ({ open }) => {
    const page = await open('/operation', 'user');
    await page.getByText('Page not found').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Audit log' }).count(), 0);
  });
});
