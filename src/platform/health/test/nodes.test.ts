import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshDatabase, openTestDatabase } from '../../../../test/support/database.ts';
import { untilWaiting } from '../../../../test/support/lock-waits.ts';
import { sql } from '../../db/sql.ts';
import { openProxy } from '../../db/test/proxy.ts';
import { createLog } from '../../telemetry/log.ts';
import { createHealth, type Health } from '../health.ts';
import { joinNodes } from '../nodes.ts';

const { db, drop } = await freshDatabase();
after(drop);
const silent = createLog('silent');
const join = (realNowMs?: () => number, health = createHealth()) =>
  joinNodes(db, { nodeId: randomUUID(), role: 'all', log: silent, health, ...(realNowMs && { realNowMs }) });
const reasonOf = (health: Health) =>
  health
    .failing()
    .map(({ reason }) => reason)
    .join();

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

  it('leave without a trace, except that one which was alone leaves it to the next such one', async () => {
    const countRows = () => db.value<number>(sql`select count(*)::int as n from node`);
    const joinAlone = () => joinNodes(db, { nodeId: randomUUID(), role: 'all', log: silent, alone: true });
    await (await join()).stop();
    assert.equal(await countRows(), 0);
    await (await joinAlone()).stop();
    assert.equal(await countRows(), 1);
    const next = await joinAlone();
    assert.deepEqual([await countRows(), await next.countOthers()], [1, 0]);
    await next.stop();
    await db.exec(sql`delete from node`);
  });

  it('can be kept from joining only by a process that is alone', async () => {
    const one = await join();
    let joining: ReturnType<typeof join> | undefined;
    await db.tx(async (tx) => {
      assert.equal(await one.holdAlone(tx), true);
      joining = join();
      await untilWaiting(db, { unless: joining });
      assert.equal(await one.countOthers(), 0);
    });
    const two = await joining!;
    assert.equal(await db.tx((tx) => one.holdAlone(tx)), false);
    await Promise.all([one.stop(), two.stop()]);
  });

  it('are ready while their clock agrees with the database to the second', async () => {
    const [ofRight, ofAhead, ofBehind] = [createHealth(), createHealth(), createHealth()];
    const [right, ahead, behind] = [
      await join(Date.now, ofRight),
      await join(() => Date.now() + 3_000, ofAhead),
      await join(() => Date.now() - 3_000, ofBehind),
    ];
    assert.deepEqual(ofRight.failing(), []);
    assert.match(reasonOf(ofAhead), /clock differs/);
    assert.match(reasonOf(ofBehind), /clock differs/);
    assert.deepEqual(
      [right, ahead, behind].map((node) => node.clockIsRight()),
      [true, false, false],
    );
    await Promise.all([right, ahead, behind].map((node) => node.stop()));
  });

  it('report once that their clock is wrong, and notice soon that it was corrected', async () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line).msg) });
    let aheadMs = 600_000;
    let readings = 0;
    const realNowMs = () => {
      readings++;
      return Date.now() + aheadMs;
    };
    const health = createHealth();
    const node = await joinNodes(db, { nodeId: randomUUID(), role: 'worker', log, health, realNowMs });
    // Each comparison reads the clock twice: three have ended.
    while (readings < 7) await sleep(20);
    assert.equal(node.clockIsRight(), false);
    aheadMs = 0;
    for (let i = 0; i < 100 && !node.clockIsRight(); i++) await sleep(100);
    assert.deepEqual([node.clockIsRight(), health.failing()], [true, []]);
    await node.stop();
    assert.deepEqual(lines, [
      "the clock differs from the database's: no work starts until it agrees",
      "the clock agrees with the database's again",
    ]);
  });

  it('are not ready while the database hangs, and ready again when it answers', async () => {
    const proxy = await openProxy(db.url);
    const through = openTestDatabase(proxy.url);
    const health = createHealth();
    const node = await joinNodes(through, { nodeId: randomUUID(), role: 'all', log: silent, health });
    const isReady = () => health.failing().length === 0;
    const becomes = async (ready: boolean) => {
      for (let i = 0; i < 600 && isReady() !== ready; i++) await sleep(100);
      assert.equal(isReady(), ready);
    };
    assert.ok(isReady());
    proxy.hang();
    await becomes(false);
    proxy.resume();
    await becomes(true);
    await node.stop();
    await through.close();
    await proxy.close();
  });
});
