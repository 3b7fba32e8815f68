import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { makeCtx } from '../../../../test/support/ctx.ts';
import { freshDatabase } from '../../../../test/support/database.ts';
import { listAudit, writeAudit } from '../../context/audit.ts';
import { createJobEngine } from '../engine.ts';
import { keepHouse } from '../purge.ts';
import { listJobs } from '../sql-list.ts';

const { db, drop } = await freshDatabase();
after(drop);
const ctx = makeCtx(db);
const DAY_MS = 86_400_000;

it('the audit log is kept for as many days as the setting says, and no longer', async () => {
  const engine = createJobEngine(ctx, [keepHouse({ audit: 30, jobs: 7 })]);
  await engine.addRecurring();
  await writeAudit(ctx, { action: 'old' });
  ctx.clock.holdAt(new Date(ctx.now().getTime() + 29 * DAY_MS));
  await writeAudit(ctx, { action: 'new' });
  await engine.settle();
  assert.equal((await listAudit(db, { limit: 10 })).length, 2);
  ctx.clock.holdAt(new Date(ctx.now().getTime() + 2 * DAY_MS));
  await engine.settle();
  assert.deepEqual(
    (await listAudit(db, { limit: 10 })).map(({ action }) => action),
    ['new'],
  );
  assert.deepEqual(
    (await listJobs(db, { limit: 10 })).map(({ state }) => state),
    ['waiting'],
  );
});
