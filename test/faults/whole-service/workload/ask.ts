import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { SeededRandom } from '../../../support/seeded-random.ts';
import type { OutsideClient } from '../outside-client.ts';
import { EVENT_SERVICES, type Tenant } from '../tenants.ts';
import { add, type Diary, usesKey } from './diary.ts';

const identified = (imeis: readonly string[]) => imeis.map((id) => ({ deviceIds: [{ id, kind: 'imei' }] }));

async function ask(client: OutsideClient, tenant: Tenant, method: string, path: string, body: object) {
  const answer = await client.asUser(tenant, {
    method,
    path,
    body: { accountName: tenant.accountName, ...body },
  });
  assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  return answer.json;
}

export async function sendEvent(
  client: OutsideClient,
  diary: Diary,
  tenant: Tenant,
  random: SeededRandom,
): Promise<void> {
  const service = random.pick(EVENT_SERVICES);
  const body = {
    accountName: tenant.accountName,
    serviceName: service,
    payload: { device: random.pick(tenant.devices.fed), filler: 'x'.repeat(random.between(0, 2_000)) },
  };
  const key = randomUUID();
  const { status, json, text } = await client.operator({
    method: 'POST',
    path: '/operator/v1/events',
    body,
    key,
  });
  assert.equal(status, 200, text);
  diary.taken.push({ tenant, what: 'event', requestId: json.requestId, service, messages: 1 });
}

/** Both levels allow coarse positions, because reports must not fail for lack of consent. */
export async function changeConsent(
  client: OutsideClient,
  diary: Diary,
  tenant: Tenant,
  nth: number,
): Promise<void> {
  const level = nth % 2 === 0 ? 0 : 2;
  const { transactionID } = await ask(client, tenant, 'PUT', '/loc/v1/devicelocations/action/consents', {
    allDeviceConsent: level,
  });
  // The service reports coarse consent in one page, and all other consents device by device.
  const messages = level === 2 ? 1 : tenant.deviceCount;
  diary.taken.push({
    tenant,
    what: 'consent',
    requestId: transactionID,
    service: 'consentEnableReport',
    messages,
    ...(level === 0 && { devices: Object.values(tenant.devices).flat() }),
  });
}

export async function askReport(
  client: OutsideClient,
  diary: Diary,
  tenant: Tenant,
  random: SeededRandom,
  at: Date,
): Promise<void> {
  const devices = random.shuffle(tenant.devices.located).slice(0, random.between(3, 20));
  const { txid } = await ask(client, tenant, 'POST', '/loc/v1/locationreports', {
    cacheMode: '2',
    deviceList: devices.map((id) => ({ id, kind: 'IMEI' })),
  });
  add(diary.uses, usesKey(at, tenant, 'Location'), devices.length);
  diary.taken.push({ tenant, what: 'report', requestId: txid, service: 'Location', messages: 1 });
}

export async function askBill(
  client: OutsideClient,
  diary: Diary,
  tenant: Tenant,
  at: Date,
): Promise<string> {
  const month = { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1 };
  const { requestId } = await ask(client, tenant, 'POST', '/m2m/v2/devices/usage/actions/billed', {
    lineLevel: false,
    billingCycle: { from: month, to: month },
  });
  diary.taken.push({ tenant, what: 'bill', requestId, service: 'DeviceUsage', messages: 1 });
  return requestId;
}

const CHANGES_MAX = 3;

/** Suspends, restores and changes the plan of these devices together; each change begins after the previous one has ended. */
export function openChanging(tenant: Tenant, devices: readonly string[]) {
  let [state, plan, moves] = ['active', 'ONE', 0];
  return async (client: OutsideClient, diary: Diary, random: SeededRandom, sleep: () => Promise<void>) => {
    const isMoved = state === 'active' && moves < CHANGES_MAX && random.next() < 0.3;
    const what = isMoved ? 'plan' : state === 'active' ? 'suspend' : 'restore';
    if (isMoved) [plan, moves] = [plan === 'ONE' ? 'TWO' : 'ONE', moves + 1];
    else state = state === 'active' ? 'suspend' : 'active';
    const { requestId } = await ask(
      client,
      tenant,
      isMoved ? 'PUT' : 'POST',
      `/m2m/v1/devices/actions/${what}`,
      {
        devices: identified(devices),
        ...(isMoved && { servicePlan: plan }),
      },
    );
    for (const device of devices) diary.states.set(device, { state, plan });
    diary.taken.push({
      tenant,
      what,
      requestId,
      service: 'CarrierService',
      messages: devices.length,
      devices,
    });
    const path = `/m2m/v1/accounts/${tenant.accountName}/requests/${requestId}/status`;
    while ((await client.asUser(tenant, { method: 'GET', path })).json.status === 'Pending') await sleep();
  };
}
