import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { freshDatabase } from '../../../test/support/database.ts';
import { joinNodes } from '../nodes.ts';

const { db, drop } = await freshDatabase();
after(drop);
const join = (realNowMs?: () => number) =>
  joinNodes(db, { nodeId: randomUUID(), role: 'all', onError: () => {}, ...(realNowMs && { realNowMs }) });

describe('processes on one database', () => {
  it('know of each other while they are up', async () => {
    const one = await join();
    assert.equal(await one.countOthers(), 0);
    const two = await join();
    assert.deepEqual([await one.countOthers(), await two.countOthers()], [1, 1]);
    await two.stop();
    assert.equal(await one.countOthers(), 0);
    await one.stop();
  });

  it('are ready when their clock agrees with the database to the second, and not beyond', async () => {
    const [right, ahead, behind] = [
      await join(),
      await join(() => Date.now() + 3_000),
      await join(() => Date.now() - 3_000),
    ];
    assert.equal(right.notReadyBecause(), undefined);
    assert.match(ahead.notReadyBecause() ?? '', /clock differs/);
    assert.match(behind.notReadyBecause() ?? '', /clock differs/);
    await Promise.all([right, ahead, behind].map((node) => node.stop()));
  });
});
