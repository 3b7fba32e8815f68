import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { makeWorld } from '../../../../test/support/world.ts';
import type { Ctx } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';
import { createHealth } from '../../../platform/health/health.ts';
import { createAlertScheduler, createRuleCache } from '../index.ts';

const PROFILES = ['p1', 'p2', 'p3'];

const listLeft = async ({ db }: Ctx) =>
  (await db.many<{ ecpdId: string }>(sql`select ecpd_id as "ecpdId" from rule_change order by 1`)).map(
    ({ ecpdId }) => ecpdId,
  );
const addChanges = async ({ db }: Ctx) => {
  for (const ecpdId of PROFILES)
    await db.exec(sql`
      insert into rule_change (ecpd_id, account_name, rule_id, device_id)
      values (${ecpdId}, '0000000000-00001', ${randomUUID()}, ${randomUUID()})`);
};

describe('a watcher of rules that is told to stop', () => {
  it('ends with the profile whose turn it is and leaves the others to whoever looks next', async () => {
    const { ctx } = await makeWorld();
    await addChanges(ctx);
    const told = Promise.withResolvers<Promise<void>>();
    const tx: Db['tx'] = (work, options) => {
      told.resolve(watcher.stop());
      return ctx.db.tx(work, options);
    };
    const deps = { cache: createRuleCache(), count: () => {} };
    const watcher = createAlertScheduler({ ...ctx, db: { ...ctx.db, tx } }, deps);
    watcher.start();
    await await told.promise;
    assert.deepEqual(await listLeft(ctx), ['p2', 'p3']);
  });
});

describe('a watcher of rules that has much to do', () => {
  it('is not taken for one that hangs while its profiles have their turns', async () => {
    const { ctx } = await makeWorld();
    await addChanges(ctx);
    let nowMs = 0;
    const health = createHealth(() => nowMs);
    const failing: unknown[] = [];
    const turnsTaken = Promise.withResolvers<void>();
    let turns = 0;
    const tx: Db['tx'] = async (work, options) => {
      const answer = await ctx.db.tx(work, options);
      nowMs += 4 * 60_000;
      failing.push(...health.failing());
      if (++turns === PROFILES.length) turnsTaken.resolve();
      return answer;
    };
    const deps = { cache: createRuleCache(), count: () => {} };
    const watcher = createAlertScheduler({ ...ctx, db: { ...ctx.db, tx } }, deps, health);
    watcher.start();
    await turnsTaken.promise;
    await watcher.stop();
    assert.deepEqual([failing, await listLeft(ctx)], [[], []]);
  });
});
