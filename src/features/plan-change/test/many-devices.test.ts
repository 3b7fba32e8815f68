import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { REQUEST_LIMITS } from '../../carrier-requests/carrier-operation.ts';
import { addressed, byImei, makePlanScene } from './scene.ts';

/** More chunks than a worker processes in one run. */
const [COUNT, chunk] = [11, 2];
const numbers = Array.from({ length: COUNT }, (_, n) => n);
const { world, request } = await makePlanScene(COUNT, {
  special: { 7: { state: 'suspend' } },
  limits: { ...REQUEST_LIMITS, chunk },
});
const { db } = world.ctx;

const statusOf = async (requestId: string) =>
  (
    await (await asUser(world)).call('GET', `/m2m/v1/accounts/${ACCOUNT}/requests/${requestId}/status`)
  ).json();
const messagesOf = async (requestId: string) =>
  (
    await db.one<{ n: number }>(
      sql`select count(*)::int as n from callback_message where request_id = ${requestId}`,
    )
  ).n;
const onPlan = async (plan: string) =>
  (await db.one<{ n: number }>(sql`select count(*)::int as n from device where service_plan = ${plan}`)).n;

describe('a change of plan for many devices', () => {
  it('changes and reports each device once, and reports the one that fails', async () => {
    const requestId = await request({ servicePlan: 'P-50MB', devices: byImei(...numbers) });
    await world.engine.settle();
    const { status, devicesSucceeded, devicesFailed } = await statusOf(requestId);
    assert.deepEqual([status, devicesSucceeded, devicesFailed], ['Failure', COUNT - 1, 1]);
    assert.equal(await messagesOf(requestId), COUNT);
    assert.equal(await onPlan('P-50MB'), COUNT - 1);
  });

  it('stores an address for each device, and leaves none behind with the request', async () => {
    const requestId = await request({
      servicePlan: 'P-FIXED',
      deviceListWithServiceAddress: numbers.map((n) => addressed(n)),
    });
    await world.engine.settle();
    assert.equal((await statusOf(requestId)).devicesSucceeded, COUNT - 1);
    assert.equal(await onPlan('P-FIXED'), COUNT - 1);
    const { places } = await db.one<{ places: number }>(
      sql`select count(*)::int as places from device_place_of_use`,
    );
    assert.equal(places, COUNT - 1);
    assert.deepEqual(await db.many(sql`select from plan_change_place`), []);
  });

  it('accepts 10,000 devices with their addresses', async () => {
    const requestId = await request({
      servicePlan: 'P-FIXED',
      deviceListWithServiceAddress: Array.from({ length: 10_000 }, (_, n) => addressed(n)),
    });
    assert.equal((await statusOf(requestId)).devicesRequested, 10_000);
  });
});
