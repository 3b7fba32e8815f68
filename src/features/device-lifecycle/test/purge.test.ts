import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { purgeSuspensions } from '../jobs.ts';
import { DAY_MS, imei, makeLifecycleScene } from './scene.ts';

const { world, db } = await makeLifecycleScene();
const purge = () => purgeSuspensions.run(world.ctx, {}, { signal: new AbortController().signal } as never);
const ended = async () =>
  (
    await db.many<{ open: boolean }>(sql`select resumed_at is null as open from device_suspension order by 1`)
  ).map(({ open }) => open);
const put = (n: number, state: string) =>
  world.import({ devices: [{ accountName: ACCOUNT, imei: imei(n), state }] });

describe('suspensions that have ended', () => {
  it('are kept for 13 months, longer than any count reaches back, and open ones are always kept', async () => {
    await put(1, 'suspend');
    await put(2, 'suspend');
    world.pass(DAY_MS);
    await put(1, 'active');
    world.pass(394 * DAY_MS);
    await purge();
    assert.deepEqual(await ended(), [false, true]);
    world.pass(4 * DAY_MS);
    await purge();
    assert.deepEqual(await ended(), [true]);
  });
});
