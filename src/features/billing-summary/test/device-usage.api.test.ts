import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import { ACCOUNT, EID, ICCID, IMEIS, LABEL, makeBillingScene, RATED, record } from './scene.ts';

const scene = await makeBillingScene();
const { db } = scene.ctx;
const PATH = '/m2m/v1/devices/usage/actions';
const SITE = { name: 'Site', value: 'A' };
const ofImei = (id: string) => ({ id, kind: 'imei' });

beforeEach(() => scene.emptyLedger());

const callbacksFor = async (path: string, body: object) => {
  const answer = await scene.user.call('POST', `${PATH}${path}`, body);
  assert.equal(answer.statusCode, 200, answer.body);
  return scene.callbacksOf(answer.json().requestId);
};
const refused = async (path: string, body: object, caller = scene.user) => {
  const answer = await caller.call('POST', `${PATH}${path}`, body);
  return [answer.statusCode, answer.json().errorCode.replace('DeviceService.', '')];
};

// proves billing/billed-usage
describe('POST /m2m/v1/devices/usage/actions/billedusage/list', () => {
  const billingCycle = { year: '2026', month: '3' };

  it('200: reports the billed usage of the account in a month, given as numbers or text', async () => {
    await scene.feed([record({ bytes: 5 }), record({ bytes: 6, device: IMEIS[1] })]);
    for (const cycle of [billingCycle, { year: 2026, month: 3 }]) {
      const [message, ...others] = await callbacksFor('/billedusage/list', { billingCycle: cycle });
      const summary = message?.deviceResponse.billingUsageSummary;
      assert.deepEqual([summary.accountName, summary.totalUsage, others], [ACCOUNT, 11, []]);
      assert.deepEqual(summary.billingCycle.from, { year: 2026, month: 3 });
    }
  });

  it('200: reports each named device, by any kind of identifier, and a label', async () => {
    await scene.feed([record({ bytes: 5 }), record({ bytes: 6, device: IMEIS[1] })]);
    const deviceIds = [{ id: ICCID, kind: 'ICCID' }, ofImei(IMEIS[1])];
    const lines = await callbacksFor('/billedusage/list', { billingCycle, deviceIds });
    assert.deepEqual(
      lines.map(({ deviceResponse: { billingUsageSummary: line } }) => [
        line.deviceIdentifier.id,
        line.totalUsage,
      ]),
      [
        [ICCID, 5],
        [IMEIS[1], 6],
      ],
    );
    const [labelled] = await callbacksFor('/billedusage/list', { billingCycle, labels: [SITE] });
    assert.equal(labelled?.deviceResponse.billingUsageSummary.totalUsage, 11);
  });

  it('400: refuses an invalid month, devices together with a label, and a malformed identifier', async () => {
    const list = (body: object) => refused('/billedusage/list', { billingCycle, ...body });
    const shape = [400, 'UnifiedWebService.INPUT_INVALID.RequestUndefined'];
    assert.deepEqual(await list({ billingCycle: { year: 2026, month: '13' } }), shape);
    assert.deepEqual(await list({ billingCycle: undefined }), shape);
    assert.deepEqual(await list({ labels: [SITE], deviceIds: [ofImei(IMEIS[0])] }), [
      400,
      'INPUT_INVALID.Device.Conflict',
    ]);
    assert.deepEqual(await list({ deviceIds: [ofImei('12')] }), [
      400,
      'INPUT_INVALID.Device.Identifier.Invalid',
    ]);
  });
});

// proves billing/aggregated-usage
describe('POST /m2m/v1/devices/usage/actions/list/aggregate', () => {
  const time = { startTime: '2026-03-01T06:00:00Z', endTime: '2026-03-15T00:00:00Z' };
  const aggregate = async (body: object = {}) => callbacksFor('/list/aggregate', { ...time, ...body });

  // proves 6.1/DeviceUsage
  it('200: reports the bytes of each device of the account with usage, from the first day to the last', async () => {
    await scene.feed([
      record({ bytes: 1, at: '2026-03-01T05:59:59Z' }),
      record({ bytes: 2, at: '2026-03-01T06:00:00Z' }),
      record({ bytes: 4, at: '2026-03-15T04:59:59Z' }),
      record({ bytes: 8, at: '2026-03-15T05:00:00Z' }),
      record({ bytes: 16, device: IMEIS[2] }),
    ]);
    const [message, ...others] = await aggregate();
    const totals = message?.deviceResponse.usageResponse as {
      bytesUsed: number;
      deviceIds: { id: string }[];
    }[];
    assert.deepEqual([message?.status, others], ['Success', []]);
    assert.deepEqual(
      new Map(totals.map(({ deviceIds: [device], bytesUsed }) => [device?.id, bytesUsed])),
      new Map([
        [IMEIS[0], 6],
        [IMEIS[2], 16],
      ]),
    );
    const first = totals.find(({ bytesUsed }) => bytesUsed === 6);
    assert.deepEqual(first, {
      deviceIds: [
        { id: IMEIS[0], kind: 'imei' },
        { id: ICCID, kind: 'iccid' },
        { id: '5550100001', kind: 'mdn' },
        { id: EID, kind: 'eid' },
      ],
      bytesUsed: 6,
      smsUsed: 0,
      servicePlan: 'P-RATE',
    });
  });

  it("200: interprets dates without a time as days in the account's time zone", async () => {
    await scene.feed([
      record({ bytes: 1, at: '2026-03-02T05:59:59Z' }),
      record({ bytes: 2, at: '2026-03-02T06:00:00Z' }),
      record({ bytes: 4, at: '2026-03-03T05:59:59Z' }),
    ]);
    const [message] = await aggregate({ startTime: '2026-03-02', endTime: '2026-03-02' });
    assert.equal(message?.deviceResponse.usageResponse[0].bytesUsed, 6);
  });

  it('200: reports named devices, including zero usage, and fails by callback for one that is not the account’s', async () => {
    await scene.feed([record({ bytes: 5 })]);
    const messages = await aggregate({
      deviceIds: [ofImei(IMEIS[1]), ofImei('990000000000029'), { id: EID, kind: 'EID' }],
    });
    const [success, failure] = messages;
    assert.deepEqual(
      success?.deviceResponse.usageResponse.map((one: { bytesUsed: number }) => one.bytesUsed),
      [0, 5],
    );
    assert.deepEqual([failure?.status, failure?.deviceIds], ['Failed', [ofImei('990000000000029')]]);
    assert.match(failure?.faultResponse?.faultcode ?? '', /DeviceNotFound$/);
  });

  it('200: sends parts of 250 devices, each device once', async () => {
    const imeis = Array.from({ length: 510 }, (_, n) => `9912000000${String(n).padStart(5, '0')}`);
    await scene.import({ devices: imeis.map((imei) => ({ accountName: ACCOUNT, imei })) });
    await scene.feed(imeis.map((device) => record({ device, bytes: 1 })));
    const parts = (await aggregate()).map(({ deviceResponse }) => deviceResponse.usageResponse);
    assert.deepEqual(parts.map((part) => part.length).sort(), [10, 250, 250]);
    assert.equal(new Set(parts.flat().map((one) => one.deviceIds[0].id)).size, 510);
  });

  it('200: reports the devices with a label, an empty list if there is no usage, and a failure if no device has the label', async () => {
    await scene.feed([record({ bytes: 5, device: IMEIS[1] })]);
    const [labelled] = await aggregate({ label: SITE });
    assert.deepEqual(
      labelled?.deviceResponse.usageResponse.map((one: { bytesUsed: number }) => one.bytesUsed).sort(),
      [0, 5],
    );
    await scene.emptyLedger();
    const [empty] = await aggregate();
    assert.deepEqual(empty?.deviceResponse.usageResponse, []);
    const [nobody] = await aggregate({ label: { ...LABEL, value: 'none' } });
    assert.equal(nobody?.status, 'Failed');
  });

  for (const [what, body, code] of [
    ['a start more than six months back', { startTime: '2025-09-15T11:59:59Z' }, 'Time.Invalid'],
    [
      'an end more than a month after the start',
      { startTime: '2026-02-01T00:00:00Z', endTime: '2026-03-01T00:00:01Z' },
      'Time.Invalid',
    ],
    [
      'an end more than a month after the last day of a longer one',
      { startTime: '2026-01-31T00:00:00Z', endTime: '2026-03-01T00:00:00Z' },
      'Time.Invalid',
    ],
    ['an end before the start', { endTime: '2026-02-28T00:00:00Z' }, 'Time.Invalid'],
    ['an invalid time', { startTime: '2026-02-30T00:00:00Z' }, 'Time.Invalid'],
    ['an empty list of devices', { deviceIds: [] }, 'DeviceNotProvided'],
    ['devices together with a label', { deviceIds: [ofImei(IMEIS[0])], label: SITE }, 'Device.Conflict'],
  ] as const)
    it(`400: refuses ${what}`, async () =>
      assert.deepEqual(await refused('/list/aggregate', { ...time, ...body }), [
        400,
        `INPUT_INVALID.${code}`,
      ]));

  it('400: refuses a group, because there are none, and a session with several accounts that names none', async () => {
    assert.deepEqual(await refused('/list/aggregate', { ...time, groupName: 'g' }), [
      400,
      'REQUEST_FAILED.DeviceGroupNotFound',
    ]);
    const several = await refused('/list/aggregate', time, scene.both);
    assert.deepEqual(several, [400, 'UnifiedWebService.REQUEST_FAILED.MultipleAccounts']);
  });
});

// proves billing/usage-lists
describe('POST /m2m/v1/devices/usage/actions/list', () => {
  const days = { earliest: '2026-03-01T00:00:00-06:00', latest: '2026-03-31T00:00:00-05:00' };
  const list = async (body: object = {}) => {
    const answer = await scene.user.call('POST', `${PATH}/list`, { ...days, ...body });
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json();
  };

  it("200: lists only the days with usage of a device, in the account's time zone", async () => {
    await scene.feed([
      record({ bytes: 1, at: '2026-02-28T12:00:00Z' }),
      record({ bytes: 2, at: '2026-03-02T12:00:00Z' }),
      record({ bytes: 4, at: '2026-03-03T05:00:00Z' }),
      record({ bytes: 8, at: '2026-03-09T12:00:00Z' }),
      record({ bytes: 16, device: IMEIS[1] }),
    ]);
    const entry = (bytesUsed: number, timestamp: string) => ({
      bytesUsed,
      extendedAttributes: [
        { key: 'MoSms', value: '0' },
        { key: 'MtSms', value: '0' },
      ],
      servicePlan: 'P-RATE',
      smsUsed: 0,
      source: 'Raw Usage',
      timestamp,
    });
    const history = [entry(6, '2026-03-02T00:00:00-06:00'), entry(8, '2026-03-09T00:00:00-05:00')];
    assert.deepEqual(await list({ deviceId: ofImei(IMEIS[0]) }), {
      hasMoreData: false,
      usageHistory: history,
    });
    assert.deepEqual((await list({ deviceId: { id: EID, kind: 'eid' } })).usageHistory, history);
  });

  it('200: adds up the devices with a label', async () => {
    await scene.feed([
      record({ bytes: 2 }),
      record({ bytes: 3, device: IMEIS[1] }),
      record({ bytes: 4, device: IMEIS[2] }),
    ]);
    const { usageHistory } = await list({ label: SITE });
    assert.deepEqual(
      usageHistory.map((one: { bytesUsed: number; servicePlan: string }) => [one.servicePlan, one.bytesUsed]),
      [
        ['P-FLAT', 3],
        ['P-RATE', 2],
      ],
    );
  });

  it('200: lists at most a thousand entries in whole days, and continues with the next day', async () => {
    const { deviceId } = await db.one<{ deviceId: string }>(
      sql`select device_id as "deviceId" from device_identifier where value = ${IMEIS[0]}`,
    );
    await db.exec(sql`
      insert into usage_device_month
      select '9000001', ${ACCOUNT}, ${deviceId}, '2026-03-01', 'P' || n, array_fill(1::bigint, array[31])
      from generate_series(1, 300) n`);
    const first = await list({ deviceId: ofImei(IMEIS[0]) });
    assert.deepEqual([first.hasMoreData, first.usageHistory.length], [true, 900]);
    const rest = await list({ deviceId: ofImei(IMEIS[0]), earliest: '2026-03-13' });
    assert.deepEqual([rest.hasMoreData, rest.usageHistory.length], [false, 900]);
  });

  for (const [what, body, code] of [
    ['neither a device nor a label', {}, 'INPUT_INVALID.DeviceNotProvided'],
    ['both', { deviceId: ofImei(IMEIS[0]), label: SITE }, 'INPUT_INVALID.Device.Conflict'],
    ['an unknown device', { deviceId: ofImei('990000000099999') }, 'REQUEST_FAILED.DeviceNotFound'],
    [
      'a device of another customer',
      { deviceId: ofImei('990000000000029') },
      'REQUEST_FAILED.DeviceNotFound',
    ],
    ['a label that no device has', { label: { name: 'VIN', value: 'x' } }, 'REQUEST_FAILED.DeviceNotFound'],
    [
      'days in the wrong order',
      { deviceId: ofImei(IMEIS[0]), latest: '2026-02-01' },
      'INPUT_INVALID.Time.Invalid',
    ],
    [
      'more than a year',
      { deviceId: ofImei(IMEIS[0]), earliest: '2025-01-01' },
      'INPUT_INVALID.Time.Invalid',
    ],
  ] as const)
    it(`400: refuses ${what}`, async () =>
      assert.deepEqual(await refused('/list', { ...days, ...body }), [400, code]));

  it('401: refuses an account of the profile that the user may not use', async () => {
    const body = { ...days, accountName: RATED, deviceId: ofImei(IMEIS[0]) };
    assert.deepEqual(await refused('/list', body), [401, 'UnifiedWebService.REQUEST_FAILED.AccountName']);
  });
});
