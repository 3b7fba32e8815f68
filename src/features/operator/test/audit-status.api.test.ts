import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { changeTriggers } from '../../../../test/support/triggers.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';

const world = await makeWorld();
const { operator, ctx } = world;
await world.import(SMALL_FLEET);

describe('the audit log', () => {
  it('keeps an entry without a status if it cannot be completed, and the call gets its normal answer', async () => {
    await changeTriggers(
      ctx.db,
      sql`create function test_refuse() returns trigger language plpgsql as $$ begin raise 'connection lost'; end $$`,
      sql`create trigger test_refuse before update on audit_entry for each row execute function test_refuse()`,
    );
    const [found, missing] = [
      await operator('GET', `/accounts/${ACCOUNT}`),
      await operator('GET', '/accounts/none'),
    ];
    await changeTriggers(ctx.db, sql`drop trigger test_refuse on audit_entry`);
    assert.deepEqual([found.statusCode, found.json().accountName], [200, ACCOUNT]);
    assert.deepEqual([missing.statusCode, missing.json().status], [404, 404]);
    const [entry] = (await operator('GET', '/audit?action=operatorReadAccount&limit=1')).json();
    assert.deepEqual([entry.target, entry.status], ['none', null]);
  });
});
