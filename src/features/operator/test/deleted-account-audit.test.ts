import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, SMALL_FLEET, STRANGER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';

const world = await makeWorld();
const { db } = world.ctx;
await world.import(SMALL_FLEET);
const { call } = await asUser(world);
await call('POST', '/dm/v1/users', { accountname: ACCOUNT, user: { email: 'person@b.example' } });
// More than one batch of the erasure, and some with nothing to erase.
await db.exec(sql`
  insert into audit_entry (at, actor_kind, actor, action, target, ecpd_id, account_name, request_id, before, after)
  select ${world.ctx.now()}, 'system', 'test', 'changeLineState', n::text, '9000001', ${ACCOUNT}, 'test',
    case when n % 2 = 0 then '{"imei": "1"}'::jsonb end, case when n % 3 = 0 then '{"imei": "1"}'::jsonb end
  from generate_series(1, 16000) n`);

const linesOf = (accountName: string) =>
  db.many<{
    id: string;
    action: string;
    actor: string;
    target: string;
    ecpdId: string | null;
    states: object;
  }>(sql`
    select entry_id::text as id, action, actor, target, ecpd_id as "ecpdId", jsonb_build_array(before, after) as states
    from audit_entry where account_name = ${accountName} order by entry_id`);

// proves operating/audit-of-deleted-accounts
describe('a deleted account', () => {
  it('leaves in the audit log who did what and when, but no states of its devices, users and rules', async () => {
    const [before, others] = [await linesOf(ACCOUNT), await linesOf(STRANGER)];
    assert.ok(before.some(({ action }) => action === 'createDeviceManagementUser'));
    assert.equal((await world.operator('DELETE', `/accounts/${ACCOUNT}`)).statusCode, 200);
    const after = await linesOf(ACCOUNT);
    assert.deepEqual(
      after.slice(0, before.length),
      before.map((line) => (line.ecpdId === null ? line : { ...line, states: [null, null] })),
    );
    assert.deepEqual(
      after.slice(before.length).map(({ action }) => action),
      ['operatorDeleteAccount'],
    );
    assert.deepEqual(await linesOf(STRANGER), others);
    assert.ok(others.some(({ states }) => JSON.stringify(states).includes('990000000000029')));
  });
});
