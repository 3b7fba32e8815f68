import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, SMALL_FLEET } from '../support/fleet.ts';
import { openListener } from '../support/listener.ts';
import { makeWorld, START } from '../support/world.ts';

const DAY_MS = 86_400_000;
const IMEI = '990000000000078';
const deviceIds = [{ id: IMEI, kind: 'imei' }];
const named = { accountName: ACCOUNT, devices: [{ deviceIds }] };

const world = await makeWorld();
await world.import({
  ...SMALL_FLEET,
  plans: [...SMALL_FLEET.plans, { code: 'P-RATE', name: 'By the MB', kind: 'payAsYouGo', ratePerMb: 0.5 }],
  devices: [],
});
const listener = await openListener();
for (const name of ['CarrierService', 'DeviceUsage', 'ResumeTrackingNotification']) {
  const registered = await (await asUser(world)).call('POST', `/m2m/v1/callbacks/${ACCOUNT}`, {
    name,
    url: listener.url,
    username: 'me',
    password: 'word',
  });
  assert.equal(registered.statusCode, 200, registered.body);
}

/** A new session for each call: sessions expire in the days that pass. */
const call = async (method: string, path: string, body?: object) => {
  const answer = await (await asUser(world)).call(method, path, body);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};

let taken = 0;
/** The callbacks since the last time. Their number must match. */
async function hear(count: number) {
  await world.engine.settle();
  await world.delivery.settle();
  await listener.next(taken + count);
  const heard = listener.heard.slice(taken).map(({ body }) => body);
  taken += heard.length;
  assert.equal(heard.length, count);
  return heard;
}

/** Makes a request, and returns its id and the content of its callback. All share one envelope. */
async function done(path: string, body: object, more: object = {}) {
  const { requestId } = await call('POST', path, body);
  const [heard] = await hear(1);
  const { deviceResponse, ...envelope } = heard!;
  assert.deepEqual(envelope, enveloped(requestId, more));
  assert.equal(
    (await call('GET', `/m2m/v1/accounts/${ACCOUNT}/requests/${requestId}/status`)).status,
    'Success',
  );
  return { requestId, deviceResponse: deviceResponse as Record<string, unknown> };
}
const enveloped = (requestId: string, more: object = {}) => ({
  username: 'me',
  password: 'word',
  requestId,
  deviceIds,
  status: 'Success',
  callbackCount: 1,
  maxCallbackThreshold: 4,
  ...more,
});

async function advance(days: number): Promise<void> {
  const answer = await world.operator('POST', '/clock', { advance: `P${days}D` });
  assert.equal(answer.statusCode, 200, answer.body);
}

const list = async () => {
  const { devices } = await call('POST', '/m2m/v1/devices/actions/list', { accountName: ACCOUNT });
  assert.equal(devices.length, 1);
  return devices[0];
};
const stateOf = async () => (await list()).carrierInformations[0].state;

describe('a device', () => {
  let mdn = '';

  // proves 6.1/CarrierService
  it('that is new is activated: the callback has its line, and the listing shows it', async () => {
    const { deviceResponse } = await done('/m2m/v1/devices/actions/activate', {
      accountName: ACCOUNT,
      devices: [{ deviceIds, ipAddress: '10.77.0.1' }],
      servicePlan: 'P-5MB',
      mdnZipCode: '76051',
    });
    const { activateResponse } = deviceResponse as { activateResponse: Record<string, unknown> };
    const { deviceIds: numbers, deviceCredential, ...line } = activateResponse;
    assert.deepEqual(line, {
      ipAddress: '10.77.0.1',
      state: 'Active',
      servicePlan: 'P-5MB',
      featureCodes: ['DATA', 'SMS'],
    });
    const ids = numbers as { id: string; kind: string }[];
    assert.deepEqual(
      ids.map(({ kind }) => kind),
      ['mdn', 'imsi', 'msisdn', 'min'],
    );
    mdn = ids[0]!.id;
    assert.deepEqual(Object.keys(deviceCredential as object), ['username', 'password']);

    const { lastActivationDate, lastActivationBy, ipAddress, carrierInformations, ...device } = await list();
    assert.deepEqual(
      [lastActivationDate, lastActivationBy, ipAddress],
      [START.toISOString(), 'ws-user', '10.77.0.1'],
    );
    assert.deepEqual(carrierInformations, [
      { carrierName: 'Linekeeper', servicePlan: 'P-5MB', state: 'active' },
    ]);
    assert.deepEqual(
      device.deviceIds.filter(({ kind }: { kind: string }) => kind === 'imei' || kind === 'mdn'),
      [...deviceIds, { id: mdn, kind: 'mdn' }],
    );
  });

  // proves 6.1/CarrierService
  it('gets another plan, which takes effect at once', async () => {
    world.pass(DAY_MS);
    const { deviceResponse } = await done('/m2m/v1/devices/actions/plan', {
      ...named,
      servicePlan: 'P-RATE',
    });
    assert.deepEqual(deviceResponse, {
      changeServicePlanResponse: { effectiveDate: world.ctx.now().toISOString() },
    });
    assert.equal((await list()).carrierInformations[0].servicePlan, 'P-RATE');
  });

  it('is billed for its use, each record by the plan at its time', async () => {
    world.pass(DAY_MS);
    const record = { kind: 'mdn', device: mdn, bytes: 4 * 1_048_576, ratingGroup: '100', countryCode: 'USA' };
    const fed = await world.operator(
      'POST',
      '/usage',
      [
        { ...record, id: 'before', at: new Date(START.getTime() + DAY_MS / 2) },
        { ...record, id: 'after', at: world.ctx.now() },
      ]
        .map((each) => JSON.stringify(each))
        .join('\n'),
    );
    assert.equal(fed.json().accepted, 2, fed.body);
    const month = { year: 2026, month: 1 };
    const { requestId } = await call('POST', '/m2m/v2/devices/usage/actions/billed', {
      accountName: ACCOUNT,
      lineLevel: false,
      billingCycle: { from: month, to: month },
    });
    const [{ deviceResponse, ...envelope } = {}] = await hear(1);
    assert.equal(envelope['requestId'], requestId);
    assert.equal(envelope['status'], 'Success');
    const { billingUsageSummary: summary } = deviceResponse as {
      billingUsageSummary: Record<string, unknown>;
    };
    // The first plan has no rate, so its bytes are counted and not billed.
    assert.deepEqual(
      [
        summary['accountName'],
        summary['totalUsage'],
        summary['totalBilledUsage'],
        summary['totalBilledAmount'],
      ],
      [ACCOUNT, 8 * 1_048_576, 4 * 1_048_576, 2],
    );
    assert.equal(
      (await call('GET', `/m2m/v1/accounts/${ACCOUNT}/requests/${requestId}/status`)).status,
      'Success',
    );
  });

  // proves 6.2/rule-5
  it('is suspended, announced and resumed automatically, all with the id of the request', async () => {
    const comment = 'The line resumes automatically on 04/07/2026';
    const { requestId, deviceResponse } = await done('/m2m/v1/devices/actions/suspend', named, { comment });
    assert.deepEqual(deviceResponse, {
      suspendResponse: {
        expectedResumeDate: '04/07/2026',
        maxSuspendDaysAllowed: 90,
        numDaysSuspendedLast12Months: 0,
        numDaysSuspendAllowedCurrent12Months: 180,
      },
    });
    assert.equal(await stateOf(), 'suspend');

    await advance(83);
    const [notice] = await hear(1);
    assert.equal(notice!['requestId'], requestId);
    assert.deepEqual(notice!['deviceResponse'], {
      resumeTrackingResponse: { expectedResumeDate: '04/07/2026' },
    });
    assert.equal(await stateOf(), 'suspend');

    await advance(7);
    const [{ deviceIds: ids, ...resumed } = {}] = await hear(1);
    // No request named the device this time, so it has all its identifiers.
    assert.deepEqual((ids as object[])[0], deviceIds[0]);
    const { deviceIds: _, ...envelope } = enveloped(requestId);
    assert.deepEqual(resumed, {
      ...envelope,
      deviceResponse: { restoreResponse: { restored: true } },
      comment: 'Automatic resume',
    });
    assert.equal(await stateOf(), 'active');
    assert.equal((await list()).lastActivationDate, START.toISOString(), 'a resume is no activation');
  });

  it('is deactivated, and no more callbacks about it arrive', async () => {
    const { deviceResponse } = await done('/m2m/v1/devices/actions/deactivate', {
      ...named,
      reasonCode: 'FF',
    });
    assert.deepEqual(deviceResponse, { deactivateResponse: { deactivated: true } });
    assert.equal(await stateOf(), 'deactive');
    await advance(120);
    await hear(0);
  });
});
