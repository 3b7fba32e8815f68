import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { makeWorld } from '../../../../test/support/world.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';
import { createAlertWatcher, createRuleShelf } from '../index.ts';

const PROFILES = ['p1', 'p2', 'p3'];

describe('a watcher of rules that is told to stop', () => {
  it('ends with the profile whose turn it is and leaves the others to whoever looks next', async () => {
    const { ctx } = await makeWorld();
    const left = async () =>
      (
        await ctx.db.many<{ ecpdId: string }>(sql`select ecpd_id as "ecpdId" from rule_change order by 1`)
      ).map(({ ecpdId }) => ecpdId);
    for (const ecpdId of PROFILES)
      await ctx.db.exec(sql`
        insert into rule_change (ecpd_id, account_name, rule_id, device_id)
        values (${ecpdId}, '0000000000-00001', ${randomUUID()}, ${randomUUID()})`);
    const told = Promise.withResolvers<Promise<void>>();
    const tx: Db['tx'] = (work, options) => {
      told.resolve(watcher.stop());
      return ctx.db.tx(work, options);
    };
    const deps = { shelf: createRuleShelf(), count: () => {} };
    const watcher = createAlertWatcher({ ...ctx, db: { ...ctx.db, tx } }, deps);
    watcher.start();
    await await told.promise;
    assert.deepEqual(await left(), ['p2', 'p3']);
  });
});
