import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe } from 'node:test';
import { ACCOUNT, inBrowser, openConsole } from './support/scene.ts';

const scene = await openConsole({}, { scenarios: 'played' });
scene?.world.scenarios?.begin(`${scene.url}/api`);

const HEAD = 'name: mine\nsummary: A story of my own\nfleet: {}\nsteps:\n';
/** A fault delays each of its calls, so the run continues until a user stops it. */
const LONG_STORY = `${HEAD}  - faults: [{ match: { operation: operatorListKeys }, then: { delayMs: 20000 } }]
${'  - call: GET /operator/v1/keys\n'.repeat(200)}`;

describe('the scenarios of the sandbox', () => {
  inBrowser(
    scene,
    'are played from the page, check by check, to their end',
    async ({ open, world, shoot }) => {
      const page = await open('/sandbox/scenarios');
      await page.getByRole('button', { name: 'Play overage' }).click();
      const card = page.getByRole('region', { name: 'Current run' });
      await card.getByText('overage', { exact: true }).waitFor();
      await card.getByText('Passed', { exact: true }).waitFor();
      await card.getByText(/^\d+ checks passed\.$/).waitFor();
      await card.getByRole('list', { name: 'What happened' }).getByText('Yes', { exact: true }).waitFor();
      await card.getByText('What you can inspect now').waitFor();
      await shoot(page, 'sandbox-scenarios');
      const [run] = (await world.operator('GET', '/scenarios/runs')).json();
      assert.deepEqual([run.name, run.state], ['overage', 'passed']);
    },
  );

  inBrowser(
    scene,
    'may be your own, say what is wrong with them, and tell what was expected and what came',
    async ({ open, shoot }) => {
      const page = await open('/sandbox/scenarios');
      await page.getByRole('button', { name: 'Play your own' }).click();
      const dialog = page.getByRole('dialog', { name: 'Play your own scenario' });
      await dialog.getByLabel('Or text').fill('name: mine\nsteps: []\n');
      await dialog.getByRole('button', { name: 'Play', exact: true }).click();
      await dialog.getByRole('alert').filter({ hasText: 'scenario.yaml:' }).waitFor();
      const text = `${HEAD}  - say: Nobody did anything.\n  - expect: [{ that: a callback came, heard: {} }]\n`;
      await dialog
        .getByLabel('File', { exact: true })
        .setInputFiles({ name: 'mine.yaml', mimeType: 'application/yaml', buffer: Buffer.from(text) });
      await dialog.getByRole('button', { name: 'Play', exact: true }).click();
      const card = page.getByRole('region', { name: 'Current run' });
      await card.getByText('Failed', { exact: true }).waitFor();
      await card.getByText('1 of 1 check failed.').waitFor();
      await card.getByText('Nobody did anything.').waitFor();
      await card.getByText('at least 1 with {}').waitFor();
      await shoot(page, 'sandbox-scenario-failed');
    },
  );

  inBrowser(
    scene,
    'can be stopped, and say so when the sandbox was started again meanwhile',
    async ({ open, world }) => {
      const page = await open('/sandbox/scenarios');
      const card = page.getByRole('region', { name: 'Current run' });
      const begin = async () => {
        const started = await world.operator('POST', '/scenarios/runs', { text: LONG_STORY });
        assert.equal(started.statusCode, 201, started.body);
        await page.reload();
        await card.getByText('Running', { exact: true }).waitFor();
      };
      await begin();
      await card.getByRole('button', { name: 'Stop' }).click();
      await card.getByText('Stopped', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Play overage' }).waitFor();
      await begin();
      // Like a service that restarted and knows no run. The page must not receive the end of this run.
      await page.route('**/operator/v1/scenarios/runs', (route) => route.fulfill({ json: [] }));
      await card.getByText('A restart of the sandbox ended the run').waitFor();
      await world.scenarios!.close();
    },
  );

  inBrowser(scene, 'are recorded from the log of requests as a file', async ({ open, world }) => {
    const event = { accountName: ACCOUNT, serviceName: 'CarrierService', payload: {} };
    assert.equal((await world.operator('POST', '/events', event)).statusCode, 200);
    const page = await open('/sandbox/scenarios');
    await page.getByRole('button', { name: 'Record a scenario' }).click();
    const dialog = page.getByRole('dialog', { name: 'Record a scenario' });
    await dialog.getByLabel('Account').fill('0000000000-00009');
    await dialog.getByRole('button', { name: 'Save as a file' }).click();
    await dialog.getByText('The request log has no calls of this account.').waitFor();
    await dialog.getByLabel('Account').fill(ACCOUNT);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save as a file' }).click(),
    ]);
    assert.equal(file.suggestedFilename(), `${ACCOUNT}.json`);
    const recorded = JSON.parse(readFileSync(await file.path(), 'utf8'));
    assert.ok(recorded.steps.some(({ call }: { call?: string }) => call === 'POST /operator/v1/events'));
    await page.getByRole('dialog', { name: 'Scenario saved' }).waitFor();
  });
});
