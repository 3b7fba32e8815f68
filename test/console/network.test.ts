import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { makeElement } from '../../src/features/network/test/scene.ts';
import { ACCOUNT, type ConsoleScene, inBrowser, openConsole } from './support/scene.ts';

const register = makeElement('hlr-east');
const scene = await openConsole(
  {},
  {
    elements: {
      served: [{ name: 'hlr-east', element: register.element, afterwards: false, accounts: [ACCOUNT] }],
      openMs: 1,
    },
    // No process reads this feed here.
    settings: {
      network: {
        elements: [],
        positions: [],
        feeds: { files: [{ name: 'roaming', folder: '/nowhere', mapping: '' }] },
      },
    },
  },
);

/** Runs the workers until the condition holds. */
async function work({ world }: ConsoleScene, isDone: () => Promise<boolean>): Promise<void> {
  for (let n = 0; n < 200 && !(await isDone()); n++) {
    await world.engine.settle();
    await world.orders?.settle();
  }
  assert.ok(await isDone());
}
const read = async ({ world }: ConsoleScene, path: string) => (await world.operator('GET', path)).json();
const element = async (its: ConsoleScene) => (await read(its, '/network')).elements[0];
const rowOf = (page: Page) =>
  page.getByRole('table', { name: 'Network elements' }).getByRole('row').filter({ hasText: 'hlr-east' });
const differences = (page: Page) => page.getByRole('table', { name: 'Differences' });

describe('the page of the network', () => {
  inBrowser(scene, 'finds what differs when it is told to check, and repairs it', async (its) => {
    await work(its, async () => (await element(its)).backlog === 0 && register.lines.size > 0);
    const [imsi, line] = [...register.lines].find(([, { state }]) => state === 'active')!;
    register.lines.set(imsi, { ...line, state: 'suspended' });
    const page = await its.open('/network');
    await rowOf(page).getByText('Answering').waitFor();
    await differences(page).getByText('Nothing differs').waitFor();
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('Check started').waitFor();
    await work(its, async () => (await read(its, '/network/differences')).length === 1);
    const row = differences(page).getByRole('row').filter({ hasText: imsi });
    await row.getByText('Active').waitFor();
    await row.getByText('Suspended').waitFor();
    await its.shoot(page, 'network');

    await page.getByRole('button', { name: 'Repair' }).click();
    const asking = page.getByRole('dialog', { name: 'Repair differences?' });
    await asking.getByText('All lines of all accounts').waitFor();
    await asking.getByRole('button', { name: 'Repair' }).click();
    await work(its, async () => register.lines.get(imsi)?.state === 'active');
    await work(its, async () => (await read(its, '/network/differences')).length === 0);
    await differences(page).getByText('Nothing differs').waitFor();
  });

  inBrowser(scene, 'pauses an element and lets it go on, and says what it refused', async (its) => {
    register.answers({ outcome: 'failed', reason: 'no route to <b>host</b>' });
    const page = await its.open('/network');
    await page.getByRole('button', { name: 'Pause hlr-east' }).click();
    await page
      .getByRole('dialog', { name: 'Pause hlr-east?' })
      .getByRole('button', { name: 'Pause' })
      .click();
    await rowOf(page).getByText('Paused').waitFor();
    assert.equal((await element(its)).state, 'paused');
    await page.getByRole('button', { name: 'Resume hlr-east' }).click();
    await page.getByRole('button', { name: 'Pause hlr-east' }).waitFor();

    const devices = await read(its, `/accounts/${ACCOUNT}/devices?limit=1000`);
    const { imsi } = devices.find(
      (one: { state: string; imsi: string | null }) => one.state === 'active' && one.imsi,
    );
    await its.world.operator('POST', `/devices/imsi/${imsi}/state`, { state: 'suspend' });
    await work(its, async () => (await element(its)).lastError !== null);
    await rowOf(page).getByText('no route to <b>host</b>').waitFor();
    assert.ok((await element(its)).backlog > 0);
  });

  inBrowser(scene, 'shows the feeds that the network sends, and pauses one', async (its) => {
    const page = await its.open('/network');
    const row = page
      .getByRole('table', { name: 'Feeds from the network' })
      .getByRole('row')
      .filter({ hasText: 'roaming' });
    await row.getByText('Down').waitFor();
    await page.getByRole('button', { name: 'Pause roaming' }).click();
    await row.getByText('Paused').waitFor();
    await page.getByRole('button', { name: 'Resume roaming' }).click();
    await row.getByText('Down').waitFor();
  });
});
