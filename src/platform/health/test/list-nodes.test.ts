import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshDatabase } from '../../../../test/support/database.ts';
import { sql } from '../../db/sql.ts';
import { createLog } from '../../telemetry/log.ts';
import { createHealth } from '../health.ts';
import { listNodes } from '../list-nodes.ts';
import { joinNodes } from '../nodes.ts';

const { db, drop } = await freshDatabase();
after(drop);
const log = createLog('silent');

const until = async (is: () => Promise<boolean>) => {
  for (let n = 0; n < 600 && !(await is()); n++) await sleep(50);
  assert.ok(await is());
};

describe('a process', () => {
  it('tells other processes why it is not ready, and its other reports, until it is ready', async () => {
    const [health, nodeId] = [createHealth(), randomUUID()];
    let trouble: string | undefined = 'it is tired';
    health.addCheck('sleep', () => trouble);
    health.addReport('feeds', () => [{ feed: 'usage' }]);
    const node = await joinNodes(db, { nodeId, role: 'worker', log, health });
    const own = async () => (await listNodes(db)).find((one) => one.nodeId === nodeId);
    await until(async () => (await own())?.status?.failing?.length === 1);
    const listed = await own();
    assert.deepEqual(listed?.status?.failing, [{ check: 'sleep', reason: 'it is tired' }]);
    assert.deepEqual([listed?.role, listed?.status?.['feeds']], ['worker', [{ feed: 'usage' }]]);
    trouble = undefined;
    await until(async () => (await own())?.status?.failing?.length === 0);
    await node.stop();
    assert.equal(await own(), undefined);
  });

  it('is listed with the time of its silence after it was killed, and without a status if its version is older', async () => {
    const nodeId = randomUUID();
    await db.exec(sql`
      insert into node (node_id, role, started_at, seen_at)
      values (${nodeId}, 'api', clock_timestamp() - interval '1 day', clock_timestamp() - interval '10 minutes')`);
    const gone = (await listNodes(db)).find((one) => one.nodeId === nodeId)!;
    assert.equal(gone.status, null);
    assert.ok(gone.silentSeconds >= 600 && gone.upSeconds >= 86_400);
  });
});
