import assert from 'node:assert/strict';
import { LEVELS, laneOf, PRICE_PLAN_TRIGGERS, SERVICES, TENANTS, type Tenant } from '../tenants.ts';
import type { Diary, Taken } from '../workload/diary.ts';
import type { Delivery, Outcome } from './outcome.ts';

/** The device of a message, wherever its payload names it. */
export function deviceOf({ payload }: Delivery): string | undefined {
  const { deviceIds, message } = payload as {
    deviceIds?: { id: string }[];
    message?: { deviceList?: { id: string }[] };
  };
  return (deviceIds ?? message?.deviceList)?.[0]?.id;
}

function assertTold(
  { what, requestId, service, messages, devices, tenant }: Taken,
  told: readonly Delivery[],
): void {
  const mine = told.filter(({ serviceName }) => serviceName === service);
  const name = `${what} ${requestId} of tenant ${tenant.n}`;
  assert.equal(mine.length, messages, `${name}: messages`);
  if (devices !== undefined)
    assert.deepEqual(mine.map(deviceOf).sort(), [...devices].sort(), `${name}: each device once`);
}

/** Every accepted request succeeded, and sent the required number of messages. */
export async function assertRequestsKept({ scene: { client }, diary, deliveries }: Outcome): Promise<void> {
  for (const taken of diary.taken) {
    const { tenant, what, requestId } = taken;
    const { accountName } = tenant;
    assertTold(taken, deliveries.get(requestId) ?? []);
    if (what === 'event' || what === 'consent') continue;
    const path =
      what === 'report'
        ? `/loc/v1/locationreports/${accountName}/report/${requestId}/status`
        : `/m2m/v1/accounts/${accountName}/requests/${requestId}/status`;
    const { json, text } = await client.asUser(tenant, { method: 'GET', path });
    assert.equal(json?.status, what === 'report' ? 'COMPLETED' : 'Success', `${what} ${requestId}: ${text}`);
  }
}

/** Devices have the state and plan of their last change. */
export async function assertStatesKept({ scene: { client }, diary }: Outcome): Promise<void> {
  for (const [imei, { state, plan }] of diary.states) {
    const { json } = await client.operator({ method: 'GET', path: `/operator/v1/devices/imei/${imei}` });
    assert.deepEqual([json.state, json.servicePlan], [state, plan], imei);
  }
}

/** Expected messages of each service, from requests and required firings only, not from what the service reports. */
function expectedOf(tenant: Tenant, diary: Diary): Map<string, number> {
  const { devices } = tenant;
  const expected = new Map<string, number>(SERVICES.map((service) => [service, 0]));
  const add = (service: string, n: number) => void expected.set(service, expected.get(service)! + n);
  for (const taken of diary.taken) if (taken.tenant === tenant) add(taken.service, taken.messages);
  add('Location', LEVELS.length);
  for (const { group, times, actions } of PRICE_PLAN_TRIGGERS) {
    add('AlertService', devices[group].length * times);
    add('CarrierService', devices[group].length * times * actions);
  }
  // Each reading raises or clears an alert.
  for (const device of devices.watched) add('AlertService', diary.readings.get(device) ?? 0);
  return expected;
}

/** No message without a cause, and none twice: the totals of all messages are as expected. */
export function assertNothingBeside({ diary, messages }: Outcome): void {
  const expected = TENANTS.flatMap((tenant) =>
    [...expectedOf(tenant, diary)].map(([service, n]) => [laneOf(tenant, service), n] as const),
  );
  const found = new Map([...expected.map(([lane]) => [lane, 0] as const), ...messages]);
  assert.deepEqual(Object.fromEntries(found), Object.fromEntries(expected), 'messages to each service');
}

/** Owners' records have the values that were written last, and exist once. */
export async function assertWritten({ scene: { client }, diary }: Outcome): Promise<void> {
  for (const tenant of TENANTS) {
    const { accountName, n } = tenant;
    const { profile, triggerId, nth } = diary.written.get(n)!;
    const users = await client.asUser(tenant, {
      method: 'POST',
      path: '/dm/v1/users/actions/query',
      body: { accountname: accountName },
    });
    const profiles = users.json as { id: string; version: string; description: string }[];
    assert.deepEqual(
      profiles.map(({ id, version, description }) => [id, version, description]),
      [[profile.id, profile.version, `written ${nth}`]],
      `profiles of tenant ${n}`,
    );
    const path = `/subsc/v1/usage/accounts/${accountName}/triggers`;
    const { json } = await client.asUser(tenant, { method: 'GET', path });
    const triggers = json as { triggerId: string; triggerName: string }[];
    const own = triggers.filter(({ triggerName }) => triggerName.startsWith('written'));
    assert.deepEqual(
      [triggers.length, own.map((trigger) => [trigger.triggerId, trigger.triggerName])],
      [LEVELS.length + 1, [[triggerId, `written ${nth}`]]],
      `usage triggers of tenant ${n}`,
    );
  }
}
