import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { ECPD, makeScene } from './scene.ts';

const { world, deviceIdOf } = await makeScene();
const { call } = await asUser(world);

// Each one is as large as the known values of a device with 256 fields may be.
await world.ctx.db.exec(sql`
  insert into smart_alert (ecpd_id, account_name, alert_id, rule_id, rule_name, device_id, cause, message, reading, raised_at,
    cleared_at, cleared_because, foreign_id, created_on, last_updated, version, version_id)
  select ${ECPD}, ${ACCOUNT}, gen_random_uuid(), gen_random_uuid(), 'large', ${await deviceIdOf(0)}, 'condition', 'm',
    jsonb_build_object('x', repeat('x', 4000000)), ${world.clock.now()}, ${world.clock.now()}, 'over', gen_random_uuid(),
    ${world.clock.now()}, ${world.clock.now()}, 1, gen_random_uuid()
  from generate_series(1, 20)`);

const ask = async (filter: object) => {
  const answer = await call('POST', '/dm/v1/smartAlerts/actions/query', { accountname: ACCOUNT, filter });
  const body = answer.json();
  return { status: answer.statusCode, error: body.error, cause: body.cause, count: body.length };
};

// proves device-management/expand
describe('an answer that would be too large is refused, for', () => {
  it('400: smart alerts, until fewer are requested', async () => {
    for (const filter of [{ $nopagination: true }, { $limitnumber: 17, $projection: ['id'] }]) {
      const { status, error, cause } = await ask(filter);
      assert.deepEqual([status, error, cause], [400, 'answer_too_large', 'filter.$limitnumber']);
    }
    const { status, count } = await ask({ $limitnumber: 2 });
    assert.deepEqual([status, count], [200, 2]);
  });

  it('400: smart alerts acknowledged in one call, and none is acknowledged', async () => {
    const alerts = await world.ctx.db.many<{ id: string }>(sql`select alert_id as id from smart_alert`);
    const ids = alerts.map(({ id }) => id);
    assert.equal(ids.length, 20);
    const all = await call('POST', '/dm/v1/smartAlerts/actions/bulkupdate', { accountname: ACCOUNT, ids });
    assert.deepEqual([all.statusCode, all.json().error, all.json().cause], [400, 'answer_too_large', 'ids']);
    const { count } = await world.ctx.db.one<{ count: number }>(
      sql`select count(*)::int as count from smart_alert where acknowledged_at is not null`,
    );
    assert.equal(count, 0);
  });
});
