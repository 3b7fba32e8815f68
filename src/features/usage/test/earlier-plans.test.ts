import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import { setPlans } from '../../devices/index.ts';
import { ACCOUNT, ECPD, IMEI, makeFeedWorld, record, STRANGERS_IMEI } from './feed.ts';

const world = await makeFeedWorld();
const { db } = world.ctx;
await world.import({ plans: [{ code: 'P-2' }, { code: 'P-3' }] });
const { deviceId } = await db.one<{ deviceId: string }>(
  sql`select device_id as "deviceId" from device where imei = ${IMEI}`,
);
const change = (planCode: string, since: string) =>
  setPlans(
    world.ctx,
    { ecpdId: ECPD, accountName: ACCOUNT } as never,
    [{ deviceId, planCode, since: new Date(since) }],
    { cause: 'change', changedBy: 'ws-user' },
  );

// proves plans/usage-and-plan-changes
describe('usage', () => {
  // proves plans/usage-and-plan-changes
  it('counts for the plan that the device had when it occurred, however late it arrives', async () => {
    await change('P-2', '2026-01-12T18:00:00Z');
    await change('P-3', '2026-01-14T18:00:00Z');
    await world.feed([
      record({ at: '2025-12-19T00:00:00Z', bytes: 1 }),
      record({ at: '2026-01-12T17:59:59Z', bytes: 2 }),
      record({ at: '2026-01-12T18:00:00Z', bytes: 4 }),
      record({ at: '2026-01-14T17:59:59Z', bytes: 8 }),
      record({ at: '2026-01-14T18:00:00Z', bytes: 16 }),
      record({ device: STRANGERS_IMEI, at: '2025-12-19T00:00:00Z', bytes: 32 }),
    ]);
    assert.deepEqual(await world.deviceDays(), [
      { day: '2025-12-18', plan: '', bytes: 1n },
      { day: '2025-12-19', plan: '', bytes: 32n },
      { day: '2026-01-12', plan: 'P-2', bytes: 4n },
      { day: '2026-01-12', plan: 'P-5MB', bytes: 2n },
      { day: '2026-01-14', plan: 'P-2', bytes: 8n },
      { day: '2026-01-14', plan: 'P-3', bytes: 16n },
    ]);
  });

  it('counts for a backdated plan from its start, and for the previous plan until then', async () => {
    await change('P-5MB', '2026-01-13T00:00:00Z');
    await world.feed([
      record({ at: '2026-01-12T20:00:00Z', bytes: 64 }),
      record({ at: '2026-01-13T20:00:00Z', bytes: 128 }),
      record({ at: '2026-01-15T08:00:00Z', bytes: 256 }),
    ]);
    const days = (await world.deviceDays()).filter(({ bytes }) => bytes > 32n);
    assert.deepEqual(days, [
      { day: '2026-01-12', plan: 'P-2', bytes: 68n },
      { day: '2026-01-13', plan: 'P-5MB', bytes: 128n },
      { day: '2026-01-15', plan: 'P-5MB', bytes: 256n },
    ]);
    assert.deepEqual((await world.differences()).differences, []);
  });

  it('counts for the plan at that time in every profile of a feed', async () => {
    const stranger = await db.one<{ ecpdId: string; accountName: string; deviceId: string }>(sql`
      select ecpd_id as "ecpdId", account_name as "accountName", device_id as "deviceId" from device
      where imei = ${STRANGERS_IMEI}`);
    await setPlans(
      world.ctx,
      stranger as never,
      [{ deviceId: stranger.deviceId, planCode: 'P-3', since: new Date('2026-01-08T00:00:00Z') }],
      { cause: 'change', changedBy: 'ws-user' },
    );
    await world.feed([
      record({ device: STRANGERS_IMEI, at: '2026-01-07T20:00:00Z', bytes: 1_024 }),
      record({ at: '2026-01-12T21:00:00Z', bytes: 2_048 }),
      record({ device: STRANGERS_IMEI, at: '2026-01-07T21:00:00Z', bytes: 4_096 }),
    ]);
    const days = (await world.deviceDays()).filter(({ bytes }) => bytes > 1_000n);
    assert.deepEqual(days, [
      { day: '2026-01-07', plan: 'P-5MB', bytes: 5_120n },
      { day: '2026-01-12', plan: 'P-2', bytes: 2_116n },
    ]);
  });
});
