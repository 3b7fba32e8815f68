import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe } from 'node:test';
import { sql } from '../../src/platform/db/sql.ts';
import { joinNodes } from '../../src/platform/health/nodes.ts';
import { inBrowser, openConsole } from './support/scene.ts';

const scene = await openConsole();
const nodeId = randomUUID();
let trouble: string | undefined;
if (scene !== undefined) {
  const { ctx, health } = scene.world;
  health.addCheck('tape', () => trouble);
  const node = await joinNodes(ctx.db, { nodeId, role: 'all', log: ctx.log, health });
  after(() => node.stop());
}

describe('the page of work', () => {
  inBrowser(
    scene,
    'shows which processes are ready and why one is not, and what feeds reject and why',
    async ({ open, world, shoot }) => {
      const wrong = { id: 'w-1', kind: 'imei', device: '990000000000094', at: world.ctx.now(), bytes: 1 };
      const answer = await world.operator('POST', '/usage', [wrong, { ...wrong, id: 'w-2' }]);
      const [{ reason }] = answer.json().rejected;
      const page = await open('/work');
      const process = page
        .getByRole('table', { name: 'Processes' })
        .getByRole('row')
        .filter({ hasText: nodeId.slice(0, 8) });
      await process.getByText('Ready', { exact: true }).waitFor();
      const why = page.getByRole('table', { name: 'Why records were rejected' });
      await why.getByRole('row').filter({ hasText: reason }).first().waitFor();
      await page
        .getByRole('table', { name: 'Feeds' })
        .getByRole('row')
        .filter({ hasText: 'Usage' })
        .getByText('2', { exact: true })
        .waitFor();
      const kept = page.getByRole('table', { name: 'Retention' });
      const named = page.getByRole('cell', { name: 'The audit log', exact: true });
      await kept.getByRole('row').filter({ has: named }).getByText('365 days').waitFor();
      await shoot(page, 'work');

      trouble = 'no tape <b>at all</b>';
      await process.getByText('Not ready').waitFor();
      await process.getByText('tape: no tape <b>at all</b>').waitFor();
      trouble = undefined;
      await process.getByText('Ready', { exact: true }).waitFor();
    },
  );

  inBrowser(
    scene,
    'finds a job that has failed, says why, and tries it again',
    async ({ open, world, shoot }) => {
      const { jobId } = (await world.operator('POST', '/network/check', {})).json();
      await world.ctx.db.exec(sql`
      update job set state = 'failed', attempts = attempts_max, finished_at = ${world.ctx.now()},
        last_error = 'Error: the disk is full <script>'
      where ecpd_id = '' and job_id = ${jobId}`);
      const page = await open('/work');
      await page.getByLabel('State of the jobs').selectOption('failed');
      const row = page
        .getByRole('table', { name: 'Jobs' })
        .getByRole('row')
        .filter({ hasText: 'network.check' });
      await row.getByText('5 of 5').waitFor();
      await row.getByRole('button', { name: 'network.check', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'network.check' });
      await dialog.getByText('Error: the disk is full <script>').waitFor();
      await shoot(page, 'work-job');
      await dialog.getByRole('button', { name: 'Close' }).click();
      await row.getByRole('button', { name: 'Retry network.check' }).click();
      await row.waitFor({ state: 'detached' });
      const jobs = (await world.operator('GET', '/jobs?kind=network.check&state=waiting')).json();
      assert.ok(jobs.some(({ id }: { id: string }) => id === jobId));
    },
  );
});
