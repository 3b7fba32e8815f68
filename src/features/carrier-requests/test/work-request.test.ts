import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { type LockedDevice, REQUEST_LIMITS, type SettledLines } from '../carrier-operation.ts';
import { purgeRequests } from '../jobs.ts';
import { parseDevices } from '../parse-selection.ts';
import { listRequestsOfDevice } from '../sql-request.ts';
import { workChunk } from '../work-request.ts';
import { byImei, callbacksOf, firstDevices, iccid, imei, makeRequestScene, TENANT } from './scene.ts';

const limits = { ...REQUEST_LIMITS, chunk: 10 };
const scene = await makeRequestScene(25, limits);
const { world, create, statusOf, given, answer, success, operation } = scene;
const { db } = world.ctx;
const operations = new Map([[operation.name, operation]]);
const faultsOf = async (requestId: string) =>
  (await callbacksOf(world, requestId)).map(({ faultResponse }) => faultResponse?.faultcode);

describe('a request for many devices', () => {
  it('is worked on in chunks, each device once, with a callback for each', async () => {
    given.length = 0;
    const requestId = await create(firstDevices(25));
    assert.equal((await statusOf(requestId)).status, 'Pending');
    await world.engine.settle();
    assert.deepEqual(
      given.map(({ length }) => length),
      [10, 10, 5],
    );
    assert.equal(new Set(given.flat()).size, 25);
    assert.deepEqual(await statusOf(requestId), {
      requestId,
      status: 'Success',
      operation: 'test-operation',
      devicesRequested: 25,
      devicesPending: 0,
      devicesSucceeded: 25,
      devicesFailed: 0,
    });
    const callbacks = await callbacksOf(world, requestId);
    assert.equal(callbacks.length, 25);
    assert.deepEqual(
      callbacks.find(({ deviceIds }) => deviceIds[0]?.id === imei(7)),
      {
        requestId,
        deviceIds: [{ id: imei(7), kind: 'imei' }],
        deviceResponse: { noteResponse: { note: 'n' } },
        status: 'Success',
      },
    );
  });

  // proves lines/whole-request-or-one-device
  it('reports the fault of each device that was not found, and changes the others', async () => {
    const requestId = await create(
      parseDevices([
        { deviceIds: [{ id: imei(1), kind: 'imei' }] },
        { deviceIds: [{ id: imei(80_000), kind: 'imei' }] },
        { deviceIds: [{ id: imei(91_000), kind: 'imei' }] },
        { deviceIds: [{ id: imei(90_000), kind: 'imei' }] },
        {
          deviceIds: [
            { id: imei(2), kind: 'imei' },
            { id: iccid(3), kind: 'iccid' },
          ],
        },
        {
          deviceIds: [
            { id: imei(2), kind: 'imei' },
            { id: iccid(91_000), kind: 'iccid' },
          ],
        },
        { deviceIds: [{ id: iccid(1), kind: 'iccid' }] },
      ]),
    );
    await world.engine.settle();
    const [own, ...others] = await callbacksOf(world, requestId);
    assert.equal(own?.status, 'Success');
    assert.deepEqual(
      others.map(({ status, faultResponse, comment, deviceIds }) => [
        status,
        faultResponse?.faultcode,
        comment === faultResponse?.faultstring,
        deviceIds[0]?.id,
      ]),
      [
        ['Failed', 'DeviceService.REQUEST_FAILED.DeviceNotFound', true, imei(80_000)],
        ['Failed', 'DeviceService.REQUEST_FAILED.DeviceNotFound', true, imei(91_000)],
        ['Failed', 'DeviceService.INPUT_INVALID.Device.Account.Invalid', true, imei(90_000)],
        ['Failed', 'DeviceService.INPUT_INVALID.Device.Identifier.Invalid', true, imei(2)],
        ['Failed', 'DeviceService.INPUT_INVALID.Device.Identifier.Invalid', true, imei(2)],
        ['Failed', 'DeviceService.INPUT_INVALID.Device.Identifier.Invalid', true, iccid(1)],
      ],
    );
    const { status, devicesSucceeded, devicesFailed } = await statusOf(requestId);
    assert.deepEqual([status, devicesSucceeded, devicesFailed], ['Failure', 1, 6]);
  });

  // proves lines/whole-request-or-one-device
  it("reports the same fault for an unknown device and for another customer's", async () => {
    const requestId = await create(byImei(80_000, 91_000));
    await world.engine.settle();
    const [nobodys, anothers] = await callbacksOf(world, requestId);
    assert.deepEqual(nobodys?.faultResponse, anothers?.faultResponse);
  });

  it('selects all devices of the account that are on the plan and in the selected states', async () => {
    const requestId = await create({ servicePlan: 'P-5MB' });
    assert.equal((await statusOf(requestId)).devicesRequested, 25);
    await world.engine.settle();
    const [first] = await callbacksOf(world, requestId);
    assert.deepEqual(first?.deviceIds.map(({ kind }) => kind).sort(), ['iccid', 'imei']);
  });

  it('shows for each device whether it is waiting, done or failed, while the request is under way', async () => {
    const isRefused = (device: LockedDevice) => device.imei === imei(3);
    answer.give = async (devices, body) =>
      new Map(
        devices.map((device) => [
          device.deviceId,
          isRefused(device)
            ? { fault: { faultcode: 'x', faultstring: 'is refused' } }
            : success(device, body),
        ]),
      );
    const requestId = await create(firstDevices(12));
    const workings = { operations, onSettled: [], limits };
    assert.equal(await workChunk(world.ctx, TENANT, requestId, workings), false);
    const LATER = new Date('9999-01-01');
    const shown = async (n: number) => {
      const { id } = await db.one<{ id: string }>(
        sql`select device_id as id from device where imei = ${imei(n)}`,
      );
      const requests = await listRequestsOfDevice(db, TENANT, id, { at: LATER, key: '', limit: 100 });
      const { state, reason } = requests.find((request) => request.requestId === requestId)!;
      return [state, reason];
    };
    assert.deepEqual(
      [await shown(2), await shown(3), await shown(11)],
      [
        ['done', null],
        ['failed', 'is refused'],
        ['waiting', null],
      ],
    );
    await world.engine.settle();
    assert.deepEqual(await shown(11), ['done', null]);
  });

  it('sends no callback for a skipped device, and counts it as done', async () => {
    answer.give = async (devices) => new Map(devices.map(({ deviceId }) => [deviceId, { skipped: true }]));
    const requestId = await create(byImei(1, 2));
    await world.engine.settle();
    assert.deepEqual(await callbacksOf(world, requestId), []);
    assert.equal((await statusOf(requestId)).status, 'Success');
  });

  it('does not change a device that was deleted after the request was taken', async () => {
    answer.give = async (devices, body) => new Map(devices.map((d) => [d.deviceId, success(d, body)]));
    const requestId = await create(byImei(23, 24));
    await world.operator('DELETE', `/devices/imei/${imei(23)}`);
    await world.engine.settle();
    assert.deepEqual(await faultsOf(requestId), ['DeviceService.REQUEST_FAILED.DeviceNotFound', undefined]);
  });
});

describe('workers on a request', () => {
  it('notify subscribers of each device once, when it is settled, and settle nothing if that fails', async () => {
    answer.give = async (devices, body) => new Map(devices.map((d) => [d.deviceId, success(d, body)]));
    const requestId = await create(firstDevices(11));
    const heard: SettledLines[] = [];
    const listening = {
      operations,
      limits,
      onSettled: [async (_: unknown, __: unknown, settled: SettledLines) => void heard.push(settled)],
    };
    assert.equal(await workChunk(world.ctx, TENANT, requestId, listening), false);
    assert.equal(heard.length, 1);
    const failing = { operations, limits, onSettled: [() => Promise.reject(new Error('not now'))] };
    await assert.rejects(workChunk(world.ctx, TENANT, requestId, failing), /not now/);
    assert.equal((await statusOf(requestId)).status, 'Pending');
    for (const _ of [1, 2]) assert.equal(await workChunk(world.ctx, TENANT, requestId, listening), true);
    const lines = heard.flatMap((settled) => settled.lines);
    assert.deepEqual([heard.length, lines.length], [2, 11]);
    assert.equal(new Set(lines.map(({ deviceId }) => deviceId)).size, 11);
    assert.ok(heard.every((settled) => settled.requestId === requestId));
  });

  it('never work on the same device, even if two run at once', async () => {
    given.length = 0;
    const requestId = await create(firstDevices(20));
    const results = await Promise.all(
      [1, 2, 3, 4].map(() => workChunk(world.ctx, TENANT, requestId, { operations, limits, onSettled: [] })),
    );
    assert.deepEqual(results.sort(), [false, true, true, true]);
    assert.equal(given.flat().length, 20);
    assert.equal((await callbacksOf(world, requestId)).length, 20);
    await world.engine.settle();
    assert.equal(given.flat().length, 20);
  });

  it('resume after a failed attempt with the failed chunk, and repeat no completed one', async () => {
    given.length = 0;
    const { give } = answer;
    let chunks = 0;
    answer.give = (devices, body) => {
      if (++chunks === 2) throw new Error('the second chunk fails');
      return give(devices, body);
    };
    const requestId = await create(firstDevices(23));
    await world.engine.settle();
    const { status, devicesPending } = await statusOf(requestId);
    assert.deepEqual([status, devicesPending], ['Pending', 13]);
    assert.equal((await callbacksOf(world, requestId)).length, 10);
    world.pass(10_000);
    await world.engine.settle();
    assert.equal((await statusOf(requestId)).status, 'Success');
    assert.deepEqual(
      given.map(({ length }) => length),
      [10, 10, 10, 3],
    );
    assert.equal((await callbacksOf(world, requestId)).length, 23);
    answer.give = give;
  });

  // proves lines/requests-under-way
  it('give up after the last attempt, and report a fault for each remaining device', async () => {
    const { give } = answer;
    answer.give = () => Promise.reject(new Error('never works'));
    const requestId = await create(firstDevices(11));
    for (let n = 0; n < 9; n++) {
      await world.engine.settle();
      world.pass(300_000);
    }
    const { status, devicesFailed } = await statusOf(requestId);
    assert.deepEqual([status, devicesFailed], ['Failure', 11]);
    assert.deepEqual(
      new Set(await faultsOf(requestId)),
      new Set(['DeviceService.REQUEST_FAILED.UnexpectedError']),
    );
    answer.give = give;
  });
});

describe('a request that has ended', () => {
  it('is unknown after 30 days, and then deleted with its rows, while newer ones stay', async () => {
    const old = await create(byImei(1));
    await world.engine.settle();
    world.pass(29 * 86_400_000);
    const recent = await create(byImei(2));
    await world.engine.settle();
    world.pass(86_400_001);
    const answered = await scene.call('GET', `/m2m/v1/accounts/${ACCOUNT}/requests/${old}/status`);
    assert.equal(answered.json().errorCode, 'DeviceService.REQUEST_FAILED.RequestNotFound');
    const purger = await makeWorld({ databaseUrl: world.databaseUrl, jobs: [purgeRequests] });
    purger.clock.holdAt(world.ctx.now());
    await purger.engine.addRecurring();
    purger.pass(3_600_000);
    await purger.engine.settle();
    const left = await db.many<{ id: string }>(sql`select request_id as id from carrier_request`);
    assert.deepEqual(left, [{ id: recent }]);
    const rows = await db.many(sql`select distinct request_id as id from carrier_request_device`);
    assert.deepEqual(rows, [{ id: recent }]);
  });
});
