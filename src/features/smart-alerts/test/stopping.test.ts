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

describe('an alert scheduler that is stopped', () => {
  it('finishes the profile in progress and leaves the others to the next scheduler', async () => {
    const { ctx } = await makeWorld();
    await addChanges(ctx);
    const stopped = Promise.withResolvers<Promise<void>>();
    const tx: Db['tx'] = (work, options) => {
      stopped.resolve(scheduler.stop());
      return ctx.db.tx(work, options);
    };
    const deps = { cache: createRuleCache(), count: () => {} };
    const scheduler = createAlertScheduler({ ...ctx, db: { ...ctx.db, tx } }, deps);
    scheduler.start();
    await await stopped.promise;
    assert.deepEqual(await listLeft(ctx), ['p2', 'p3']);
  });
});

describe('an alert scheduler with much to do', () => {
  it('is not reported as hanging while it works through its profiles', async () => {
    const { ctx } = await makeWorld();
    await addChanges(ctx);
    let nowMs = 0;
    const health = createHealth(() => nowMs);
    const failing: unknown[] = [];
    const allDone = Promise.withResolvers<void>();
    let rounds = 0;
    const tx: Db['tx'] = async (work, options) => {
      const answer = await ctx.db.tx(work, options);
      nowMs += 4 * 60_000;
      failing.push(...health.failing());
      if (++rounds === PROFILES.length) allDone.resolve();
      return answer;
    };
    const deps = { cache: createRuleCache(), count: () => {} };
    const scheduler = createAlertScheduler({ ...ctx, db: { ...ctx.db, tx } }, deps, health);
    scheduler.start();
    await allDone.promise;
    await scheduler.stop();
    assert.deepEqual([failing, await listLeft(ctx)], [[], []]);
  });
});
