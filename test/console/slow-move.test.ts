import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';

/** With slow listeners, the service responds that the move continues long before it is over. */
const scene = await openConsole({}, { settings: { advanceWaitMs: 200 }, attemptMs: 600_000 });

describe('a move that takes longer than its caller waits', () => {
  inBrowser(
    scene,
    'is shown until it is over, offers no second one meanwhile, and says how it ended',
    async ({ open, world, listener }) => {
      listener.answer = 'never';
      const event = { accountName: ACCOUNT, serviceName: 'CarrierService', payload: {} };
      await world.operator('POST', '/events', { ...event, requestId: 'slow' });
      const page = await open(`/accounts/${ACCOUNT}/overview`);
      const bar = page.getByRole('region', { name: 'Sandbox' });
      await bar.getByRole('button', { name: 'Advance by 1 hour' }).click();
      const progress = bar.getByRole('progressbar', { name: 'How far the move is' });
      await progress.waitFor();
      await bar.getByText(/of .* UTC/).waitFor();
      assert.equal(await bar.getByRole('button', { name: 'Advance by 1 hour' }).count(), 0);
      // Another page, opened after the move began, shows the same.
      const other = await open('/operation');
      await other.getByRole('main').getByRole('progressbar', { name: 'How far the move is' }).waitFor();
      assert.equal(await other.getByRole('button', { name: '1 day', exact: true }).isDisabled(), true);
      listener.release(200);
      await page.getByText(/Clock advanced; [\d,]+ jobs done/).waitFor();
      await bar.getByRole('button', { name: 'Advance by 1 hour' }).waitFor();
      await progress.waitFor({ state: 'detached' });
    },
  );

  inBrowser(scene, 'goes on when its answer is lost', async ({ open, world, listener }) => {
    listener.answer = 'never';
    const event = { accountName: ACCOUNT, serviceName: 'CarrierService', payload: {} };
    await world.operator('POST', '/events', { ...event, requestId: 'lost' });
    const page = await open(`/accounts/${ACCOUNT}/overview`);
    const bar = page.getByRole('region', { name: 'Sandbox' });
    await page.route('**/operator/v1/clock', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      return route.abort();
    });
    await bar.getByRole('button', { name: 'Advance by 1 hour' }).click();
    await bar.getByText(/of .* UTC/).waitFor();
    listener.release(200);
    await page.getByText(/Clock advanced; [\d,]+ jobs done/).waitFor();
    assert.equal(await page.getByText(/did not answer|cannot be reached/).count(), 0);
  });
});
