import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { byImei, DAY_MS, imei, makeLifecycleScene } from './scene.ts';

const scene = await makeLifecycleScene();
const { db, ask, done, stateOf, world } = scene;
const faultsOf = (results: Awaited<ReturnType<typeof done>>) =>
  Object.fromEntries(results.map((each) => [each.deviceIds[0]?.id, each.faultResponse?.faultcode]));
const WRONG_STATE = 'DeviceService.INPUT_INVALID.DeviceState.Invalid';
const openOf = (n: number) =>
  db.maybe<{ billing: boolean; resumesAt: Date; reason: string }>(sql`
    select s.with_billing as billing, s.resumes_at as "resumesAt", s.reason
    from device_suspension s join device d using (ecpd_id, device_id)
    where d.imei = ${imei(n)} and s.resumed_at is null`);

describe('POST /m2m/v1/devices/actions/suspend', () => {
  describe('200', () => {
    // proves 6.3/suspend
    it("suspends active lines, and reports the four numbers in days of the account's time zone", async () => {
      const results = await done('actions/suspend', { accountName: ACCOUNT, devices: byImei(0, 1) });
      assert.deepEqual([await stateOf(0), await stateOf(1)], ['suspend', 'suspend']);
      // 5 January, midnight in UTC, is still the 4th in Chicago; so is the end 90 days later, in summer time.
      const expected = {
        expectedResumeDate: '04/04/2026',
        maxSuspendDaysAllowed: 90,
        numDaysSuspendedLast12Months: 0,
        numDaysSuspendAllowedCurrent12Months: 180,
      };
      assert.deepEqual(
        results.map(({ service, comment, deviceResponse }) => [
          service,
          comment,
          deviceResponse['suspendResponse'],
        ]),
        Array(2).fill(['CarrierService', 'The line resumes automatically on 04/04/2026', expected]),
      );
    });

    // proves lines/suspended-already
    it('reports why a line cannot be suspended, and suspends the others', async () => {
      const results = await done('actions/suspend', {
        accountName: ACCOUNT,
        devices: byImei(0, 2, 10, 15, 30, 40),
      });
      assert.deepEqual(faultsOf(results), {
        [imei(0)]: WRONG_STATE,
        [imei(2)]: undefined,
        [imei(10)]: WRONG_STATE,
        [imei(15)]: WRONG_STATE,
        [imei(30)]: 'DeviceService.INPUT_INVALID.Device.Account.Invalid',
        [imei(40)]: 'DeviceService.REQUEST_FAILED.DeviceNotFound',
      });
      assert.equal(await stateOf(2), 'suspend');
    });

    it('bills suspended lines as the request says, or else as the plan says', async () => {
      await world.import({ devices: [{ accountName: ACCOUNT, imei: imei(3), servicePlan: 'P-ROUTER' }] });
      await done('actions/suspend', { devices: byImei(3, 4) });
      await done('actions/suspend', { devices: byImei(5), withBilling: true });
      assert.deepEqual(
        [(await openOf(3))?.billing, (await openOf(4))?.billing, (await openOf(5))?.billing],
        [true, false, true],
      );
    });

    // proves lines/suspended-days
    it('subtracts used days from the allowed days', async () => {
      await done('actions/suspend', { devices: byImei(6) });
      world.pass(30 * DAY_MS);
      await done('actions/restore', { devices: byImei(6) });
      world.pass(2 * DAY_MS);
      const [result] = await done('actions/suspend', { devices: byImei(6) });
      const { suspendResponse } = result?.deviceResponse ?? {};
      assert.deepEqual(
        [
          suspendResponse?.['numDaysSuspendedLast12Months'],
          suspendResponse?.['numDaysSuspendAllowedCurrent12Months'],
        ],
        [30, 150],
      );
    });

    // proves lines/suspended-days
    it('fails when no days are left', async () => {
      for (let n = 0; n < 2; n++) {
        await done('actions/suspend', { devices: byImei(7) });
        world.pass(90 * DAY_MS);
        await world.engine.settle();
        assert.equal(await stateOf(7), 'active');
        world.pass(2 * DAY_MS);
      }
      assert.deepEqual(faultsOf(await done('actions/suspend', { devices: byImei(7) })), {
        [imei(7)]: 'DeviceService.REQUEST_FAILED.SuspendDaysExceeded',
      });
      assert.equal(await stateOf(7), 'active');
    });

    it('does not suspend again if it is repeated with the same idempotency key', async () => {
      const { call } = await asUser(world);
      const send = () =>
        call(
          'POST',
          '/m2m/v1/devices/actions/suspend',
          { devices: byImei(8) },
          { 'idempotency-key': 'once' },
        );
      const [first, second] = [await send(), await send()];
      assert.deepEqual(second.json(), first.json());
      await world.engine.settle();
      assert.equal((await scene.callbacksOf(first.json().requestId)).length, 1);
      await done('actions/restore', { devices: byImei(8) });
    });

    // proves lines/choosing-devices
    it('selects the active lines of a plan, or of a named account', async () => {
      const active = async () =>
        (
          await db.one<{ n: number }>(
            sql`select count(*)::int as n from device where account_name = ${ACCOUNT} and state = 'active'`,
          )
        ).n;
      const before = await active();
      assert.ok(before > 1);
      assert.deepEqual(
        faultsOf(await done('actions/suspend', { accountName: ACCOUNT, servicePlan: 'P-ROUTER' })),
        {
          [imei(3)]: undefined,
        },
      );
      const results = await done('actions/suspend', { accountName: ACCOUNT });
      // The line of the previous test has no days left, and stays active.
      assert.deepEqual([results.length, await active()], [before - 1, 1]);
    });
  });

  describe('400', () => {
    const rows: [string, object, string][] = [
      ['no devices', {}, 'DeviceService.INPUT_INVALID.DeviceNotProvided'],
      [
        'an empty list',
        { accountName: ACCOUNT, devices: [] },
        'DeviceService.INPUT_INVALID.DeviceNotProvided',
      ],
      [
        'a group',
        { accountName: ACCOUNT, groupName: 'x' },
        'DeviceService.INPUT_INVALID.Filter.NotSupported',
      ],
      [
        'a plan that no device is on',
        { accountName: ACCOUNT, servicePlan: 'P-50MB' },
        'DeviceService.REQUEST_FAILED.DeviceNotFound',
      ],
      [
        'an unknown kind',
        { devices: [{ deviceIds: [{ id: '1', kind: 'serial' }] }] },
        'DeviceService.INPUT_INVALID.Device.Kind.Invalid',
      ],
    ];
    // proves lines/deactivation
    for (const [what, body, code] of rows)
      it(`refuses ${what}`, async () => {
        const answer = await ask('actions/suspend', body);
        assert.deepEqual([answer.statusCode, answer.json().errorCode], [400, code]);
      });
  });
});

describe('POST /m2m/v1/devices/actions/restore', () => {
  // proves 6.3/restore lines/states
  it('200: makes suspended lines active and ends their suspension, and fails others', async () => {
    const results = await done('actions/restore', { devices: byImei(0, 10) });
    assert.deepEqual(faultsOf(results), { [imei(0)]: undefined, [imei(10)]: WRONG_STATE });
    const [restored] = results.filter(({ status }) => status === 'Success');
    assert.deepEqual(restored?.deviceResponse, { restoreResponse: { restored: true } });
    assert.deepEqual([await stateOf(0), await openOf(0)], ['active', undefined]);
  });
});

describe('POST /m2m/v1/devices/actions/deactivate', () => {
  it('200: ends the service and any suspension, and fails a line without service', async () => {
    assert.equal(await stateOf(1), 'suspend');
    const results = await done('actions/deactivate', {
      devices: byImei(1, 10, 15),
      reasonCode: 'ff',
      etfWaiver: true,
    });
    assert.deepEqual(faultsOf(results), {
      [imei(1)]: undefined,
      [imei(10)]: undefined,
      [imei(15)]: WRONG_STATE,
    });
    assert.deepEqual(results.find(({ status }) => status === 'Success')?.deviceResponse, {
      deactivateResponse: { deactivated: true },
    });
    assert.deepEqual(
      [await stateOf(1), await stateOf(10), await openOf(1)],
      ['deactive', 'deactive', undefined],
    );
  });

  it('200: deletes only the device and its data if requested', async () => {
    const id = await scene.idOf(2);
    const body = { devices: byImei(2), reasonCode: 'FF', deleteAfterDeactivation: true };
    assert.equal((await done('actions/deactivate', body))[0]?.status, 'Success');
    assert.equal(await stateOf(2), undefined);
    for (const table of ['device_identifier', 'device_suspension']) {
      const rows = await db.many({ text: `select from ${table} where device_id = $1`, values: [id] });
      assert.equal(rows.length, 0, table);
    }
    assert.equal((await world.operator('GET', `/devices/imei/${imei(2)}`)).statusCode, 404);
    assert.notEqual(await stateOf(3), undefined);
  });

  it('400: refuses a reason code other than FF, and a missing one', async () => {
    for (const [reasonCode, code] of [
      ['XX', 'DeviceService.INPUT_INVALID.ReasonCode.Invalid'],
      [undefined, 'UnifiedWebService.INPUT_INVALID.RequestUndefined'],
    ]) {
      const answer = await ask('actions/deactivate', { devices: byImei(3), reasonCode });
      assert.deepEqual([answer.statusCode, answer.json().errorCode], [400, code]);
    }
  });
});

describe('POST /m2m/v1/devices/suspension/status', () => {
  // proves 6.1/DeviceSuspensionStatus
  it('200: reports by DeviceSuspensionStatus which lines are suspended, since when and until when', async () => {
    await done('actions/suspend', { devices: byImei(0) });
    world.pass(DAY_MS);
    const results = await done('suspension/status', { accountName: ACCOUNT, devices: byImei(0, 15) });
    assert.deepEqual(new Set(results.map(({ service }) => service)), new Set(['DeviceSuspensionStatus']));
    const status = new Map(
      results.map((each) => [each.deviceIds[0]?.id, each.deviceResponse['suspensionStatusResponse']]),
    );
    const { suspendedOn, expectedResumeDate, ...counts } = status.get(imei(0)) ?? {};
    assert.match(String(suspendedOn), /^\d\d\/\d\d\/2026$/);
    assert.match(String(expectedResumeDate), /^\d\d\/\d\d\/202[67]$/);
    // The first suspension of this line lasted longer than all others; its row of days is over.
    assert.deepEqual(
      [counts['state'], counts['maxSuspendDaysAllowed'], typeof counts['numDaysSuspendedLast12Months']],
      ['suspend', 90, 'number'],
    );
    assert.deepEqual(status.get(imei(15)), {
      state: 'deactive',
      maxSuspendDaysAllowed: 90,
      numDaysSuspendedLast12Months: 0,
      numDaysSuspendAllowedCurrent12Months: 180,
    });
  });

  it('200: reports a line that is not found on the same service', async () => {
    const [result] = await done('suspension/status', { devices: byImei(999) });
    assert.deepEqual([result?.service, result?.status], ['DeviceSuspensionStatus', 'Failed']);
  });
});
