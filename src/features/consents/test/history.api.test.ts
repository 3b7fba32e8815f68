import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, MANAGED, STRANGER } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import * as scene from './scene.ts';

const { call, db, pass, clock, refused, readAll, operator, ...world } = await scene.makeScene();
const { TRUCK, BY_IMEI, UNKNOWN_IMEI, FOREIGN_IMEI } = scene;
const MINUTE_MS = 60_000;
const DAYS_30_MS = 30 * 24 * 3_600_000;
const minute = (n: number) => new Date(Date.UTC(2026, 0, 5, 0, n)).toISOString();
const accountName = ACCOUNT;
const LEVELS = '/loc/v1/devicelocations/action/consents';

// Imported at minute 0 with level 2, then one change each minute.
pass(MINUTE_MS);
await call('PUT', LEVELS, { accountName, allDeviceConsent: 0 });
pass(MINUTE_MS);
await call('POST', LEVELS, { accountName, deviceList: [{ id: TRUCK.imei, kind: 'IMEI', consent: 1 }] });
pass(MINUTE_MS);
await call('POST', '/loc/v1/consents', { accountName, exclusion: [TRUCK.meid] });
pass(MINUTE_MS);
await call('PUT', LEVELS, { accountName, allDeviceConsent: 3 });
pass(MINUTE_MS);
await call('DELETE', `/loc/v1/consents?accountName=${accountName}&deviceList=${TRUCK.imei}`);
pass(MINUTE_MS);

const history = (query: string, account = ACCOUNT) =>
  call('GET', `/loc/v1/consents/${account}/history?${query}`);
const byOwner = async (query: string) => (await history(query)).json();
const row = (from: string, to: string, coarse: boolean, precise: boolean, ground: object) => ({
  from,
  to,
  coarse,
  precise,
  ...ground,
});
const ground = (
  basis: string,
  level: number | null,
  since: string | null,
  actor: string | null = 'ws-user',
) => ({
  basis,
  level,
  since,
  actor,
});
const INTERVALS = [
  row(minute(-1), minute(0), false, false, ground('none', null, null, null)),
  row(minute(0), minute(1), true, false, ground('account-level', 2, minute(0), 'operator')),
  row(minute(1), minute(2), true, true, ground('account-level', 0, minute(1))),
  row(minute(2), minute(3), false, true, ground('device-level', 1, minute(2))),
  row(minute(3), minute(5), false, false, ground('device-excluded', null, minute(3))),
  row(minute(5), minute(6), false, false, ground('account-level', 3, minute(4))),
];

describe('GET /loc/v1/consents/{accountName}/history', () => {
  // proves consent/consent-history
  it('200: answers when the device could be located and on which consent, up to now', async () =>
    assert.deepEqual(await byOwner(`deviceId=${TRUCK.imei}&from=${minute(-1)}&to=${minute(20)}`), {
      from: minute(-1),
      to: minute(6),
      intervals: INTERVALS,
      hasMoreData: false,
    }));

  it('200: answers the same for every identifier of the device', async () => {
    const whole = await byOwner(`deviceId=${TRUCK.imei}&from=${minute(-1)}`);
    for (const [kind, id] of Object.entries({ IMEI: TRUCK.imei, meid: TRUCK.meid, Esn: TRUCK.esn }))
      assert.deepEqual(await byOwner(`deviceId=${id}&kind=${kind}&from=${minute(-1)}`), whole);
  });

  it('200: includes the state from before a partial range', async () => {
    const { intervals } = await byOwner(`deviceId=${TRUCK.imei}&from=${minute(4)}&to=${minute(6)}`);
    assert.deepEqual(intervals, [{ ...INTERVALS[4], from: minute(4) }, INTERVALS[5]]);
  });

  it('200: answers only the changes of the account for another device', async () => {
    const { intervals } = await byOwner(`deviceId=${BY_IMEI.imei}&from=${minute(3)}`);
    assert.deepEqual(intervals, [
      row(minute(3), minute(4), true, true, ground('account-level', 0, minute(1))),
      row(minute(4), minute(6), false, false, ground('account-level', 3, minute(4))),
    ]);
  });

  it('200: covers the last 30 days without a range, and is empty for a range without past time', async () => {
    const { from, to } = await byOwner(`deviceId=${TRUCK.imei}`);
    assert.equal(Date.parse(to) - Date.parse(from), DAYS_30_MS);
    const future = await byOwner(`deviceId=${TRUCK.imei}&from=${minute(9)}&to=${minute(10)}`);
    assert.deepEqual([future.intervals, future.hasMoreData], [[], false]);
  });

  it('200: includes an exclusion that was imported before the device', async () => {
    const imei = '990000000000777';
    await world.import({ exclusions: [{ accountName, imeis: [imei] }] });
    await world.import({ devices: [{ accountName, imei }] });
    pass(MINUTE_MS);
    const { intervals } = await byOwner(`deviceId=${imei}&from=${minute(6)}`);
    assert.deepEqual(intervals, [
      row(minute(6), minute(7), false, false, ground('device-excluded', null, minute(6), 'operator')),
    ]);
  });

  it('200: answers the same start of an exclusion for any range', async () => {
    const [first, second, other] = ['990000000000771', '990000000000772', '990000000000773'] as const;
    const [meid, next] = ['A0000012345771', 'A0000012345772'] as const;
    const list = (...exclusion: string[]) => call('POST', '/loc/v1/consents', { accountName, exclusion });
    const importAs = (id: string, imei: string) =>
      world.import({ devices: [{ accountName, meid: id, imei }] });
    const begin = clock.now();
    const at = (n: number) => new Date(begin.getTime() + n * MINUTE_MS).toISOString();
    await importAs(meid, first);
    for (const act of [
      () => list(first),
      // The entry is then for two devices. One is removed and the entry stays; later it is removed with the device that
      // has its identifier.
      async () => {
        await importAs(meid, second);
        await importAs(next, first);
        await list(first);
      },
      () => importAs(next, other),
      () => call('DELETE', `/loc/v1/consents?accountName=${accountName}&deviceList=${other}`),
      () => importAs(next, first),
      () => call('DELETE', `/loc/v1/consents?accountName=${accountName}&deviceList=${next}`),
    ]) {
      pass(MINUTE_MS);
      await act();
    }
    pass(MINUTE_MS);
    const expected = ground('device-excluded', null, at(1));
    for (const from of [1, 1.5, 2, 2.5, 4, 4.5, 6, 6.5].map(at)) {
      const { intervals } = await byOwner(`deviceId=${second}&from=${from}`);
      assert.deepEqual(intervals, [row(from, at(7), false, false, expected)]);
    }
  });

  it('400: refuses unknown and malformed devices, kinds and times', async () => {
    const before = await readAll();
    const invalid = (message: string) => [400, 'INVALID_PARAMETER', message] as const;
    await refused(history(`deviceId=${UNKNOWN_IMEI}`), invalid(`Device not found: ${UNKNOWN_IMEI}`), before);
    const foreign = invalid(`Device not found: ${FOREIGN_IMEI}`);
    await refused(history(`deviceId=${FOREIGN_IMEI}`), foreign, before);
    await refused(history(`deviceId=${FOREIGN_IMEI}&kind=imei`), foreign, before);
    await refused(history('deviceId=x'), invalid('Invalid device ID format'), before);
    for (const imei of [`${TRUCK.imei}0`, TRUCK.imei.slice(1)])
      await refused(history(`deviceId=${imei}&kind=imei`), invalid('Invalid device ID format'), before);
    await refused(history(`deviceId=${TRUCK.mdn}&kind=mdn`), invalid('Invalid device kind'), before);
    const one = `deviceId=${TRUCK.imei}`;
    const times = invalid('Input Binding Error: from and to are dates with time');
    await refused(history(`${one}&from=yesterday`), times, before);
    await refused(history(`${one}&to=2026-02-30T00:00:00Z`), times, before);
    const order = invalid('Input Binding Error: from is after to');
    await refused(history(`${one}&from=${minute(2)}&to=${minute(1)}`), order, before);
    await refused(history('kind=imei'), invalid('Input Binding Error: deviceId is required'), before);
    await refused(history(one, MANAGED), invalid('Unregistered account'), before);
    await refused(
      history(one, STRANGER),
      [401, 'INVALID_ACCESS', 'Access policy denied the operation'],
      before,
    );
  });
});

describe('GET /operator/v1/devices/{kind}/{id}/consents', () => {
  it('200: answers the operator the same, by any identifier', async () => {
    const owners = await byOwner(`deviceId=${TRUCK.imei}&from=${minute(-1)}`);
    for (const name of [`imei/${TRUCK.imei}`, `mdn/${TRUCK.mdn}`])
      assert.deepEqual(
        (await operator('GET', `/devices/${name}/consents?from=${minute(-1)}`)).json(),
        owners,
      );
  });

  it('400, 404: refuses invalid times and unknown devices', async () => {
    const of = (path: string) => operator('GET', `/devices/${path}`);
    assert.equal((await of(`imei/${TRUCK.imei}/consents?from=x`)).statusCode, 400);
    assert.equal((await of(`imei/${UNKNOWN_IMEI}/consents`)).statusCode, 404);
  });
});

describe('a long history', () => {
  // proves consent/consent-history
  it('is split into answers of a thousand changes, each starting where the one before ends, without gaps', async () => {
    const begin = clock.now();
    await db.exec(sql`
      insert into consent_ledger (ecpd_id, account_name, at, actor, change, level)
      select '9000001', ${ACCOUNT}, ${begin}::timestamptz + n * interval '10 ms', 'ws-user', 'level', n % 4
      from generate_series(1, 2500) n order by n`);
    pass(MINUTE_MS);
    let from = begin.toISOString();
    const lengths: number[] = [];
    const tos: string[] = [];
    for (let more = true; more; ) {
      const { intervals, to, hasMoreData } = await byOwner(`deviceId=${BY_IMEI.imei}&from=${from}`);
      lengths.push(intervals.length);
      tos.push(...intervals.map((one: { to: string }) => one.to));
      [from, more] = [to, hasMoreData];
    }
    // Each further answer starts with the change at which the one before ended.
    assert.deepEqual(lengths, [1_001, 1_001, 499]);
    assert.equal(new Set(tos).size, 2_501);
    assert.deepEqual(tos, tos.toSorted());
  });
});
